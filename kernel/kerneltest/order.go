package kerneltest

import (
	"errors"
	"fmt"
)

// progress is how far the messages of one request on IOPub have come.
type progress struct {
	asks    string // the request's type
	busy    bool
	result  bool
	failed  bool
	idle    bool
	outputs int // messages since busy
}

// lateTypes may come after idle: what a goroutine that outlives its cell outputs.
var lateTypes = map[string]bool{
	"stream": true, "display_data": true, "update_display_data": true, "clear_output": true,
}

// next takes the request's next message and says what is wrong with its place.
func (p *progress) next(messageType, state string) error {
	switch {
	case messageType == "status":
		return p.status(state)
	case !p.busy:
		return errors.New("comes before busy")
	case p.idle && !lateTypes[messageType]:
		return errors.New("comes after idle")
	}
	p.outputs++
	switch messageType {
	case "execute_input":
		if p.outputs != 1 || p.asks != "execute_request" {
			return errors.New("is not the first after the busy of an execute_request")
		}
	case "execute_result":
		if p.result || p.failed {
			return errors.New("comes after a result or an error")
		}
		p.result = true
	case "error":
		if p.failed || p.result {
			return errors.New("comes after a result or an error")
		}
		p.failed = true
	}
	return nil
}

func (p *progress) status(state string) error {
	switch {
	case state == "busy" && !p.busy:
		p.busy = true
	case state == "idle" && p.busy && !p.idle:
		p.idle = true
	default:
		return fmt.Errorf("%s is out of place (busy before: %v, idle before: %v)", state, p.busy, p.idle)
	}
	return nil
}
