package kernel

import (
	"context"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/windows"
)

// interruptVariable names the environment variable in which a manager passes the handle of an event that it sets to interrupt the
// kernel: Windows has no SIGINT. It does so for kernels that do not ask for interrupts by message.
const interruptVariable = "JPY_INTERRUPT_EVENT"

// eventPoll is how long one wait for the event lasts before ctx is looked at again.
const eventPoll = time.Second

// watchInterrupts calls interrupt each time the manager's event is set, until ctx is done; it returns at once where there is none.
// The event resets itself when a wait has seen it.
func watchInterrupts(ctx context.Context, interrupt func()) error {
	handle, err := strconv.ParseUint(os.Getenv(interruptVariable), 10, 64)
	if err != nil || handle == 0 {
		return nil // interrupts come as messages
	}
	for ctx.Err() == nil {
		event, err := windows.WaitForSingleObject(windows.Handle(handle), uint32(eventPoll.Milliseconds()))
		if err != nil {
			return err
		}
		if event == windows.WAIT_OBJECT_0 {
			interrupt()
		}
	}
	return nil
}
