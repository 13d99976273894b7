package kerneltest

import (
	"errors"
	"fmt"
	"strings"
)

// progress is how far the messages of one request on IOPub have come.
type progress struct {
	asks    string // the request's type
	silent  bool   // the request shows nothing
	joined  bool   // the first messages may have been missed
	busy    bool
	input   bool
	result  bool
	failed  bool
	idle    bool
	outputs int // messages since busy
}

// lateTypes may come after idle: what a goroutine that outlives its cell outputs, or says on a comm.
var lateTypes = map[string]bool{
	"stream": true, "display_data": true, "update_display_data": true, "clear_output": true,
	"comm_open": true, "comm_msg": true, "comm_close": true,
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
	case p.silent && !strings.HasPrefix(messageType, "comm_"):
		return errors.New("answers a silent request")
	case p.asks == "execute_request" && messageType != "execute_input" && !p.silent && !p.input && !p.joined:
		return errors.New("comes before execute_input")
	}
	p.outputs++
	return p.once(messageType)
}

// once checks what comes at most once, or for some requests only.
func (p *progress) once(messageType string) error {
	switch messageType {
	case "execute_input":
		if p.outputs != 1 || p.asks != "execute_request" {
			return errors.New("is not the first after the busy of an execute_request")
		}
		p.input = true
	case "execute_result", "error":
		if p.result || p.failed {
			return errors.New("comes after a result or an error")
		}
		if p.asks != "execute_request" && messageType == "execute_result" {
			return fmt.Errorf("does not answer a %s", p.asks)
		}
		p.result, p.failed = messageType == "execute_result", messageType == "error"
	case "shutdown_reply":
		if p.asks != "shutdown_request" {
			return fmt.Errorf("does not answer a %s", p.asks)
		}
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
