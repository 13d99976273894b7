package session

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"runtime"
	"strings"
	"syscall"
)

// A table has the functions, variables and types of compiled packages under their names; the keys are those of
// symbols.Symbols ("os/os").
type table = map[string]map[string]reflect.Value

// exits are the functions that end the process in compiled Go. For cells they end the cell. Those of the packages log and
// flag are in files of their own. Not here are system calls by number, with which a program can do whatever it wants.
func (s *Session) exits() table {
	t := table{
		"os/os": {
			"Exit": reflect.ValueOf(func(code int) { s.exit(fmt.Sprintf("os.Exit(%d)", code)) }),
			"FindProcess": reflect.ValueOf(func(pid int) (*os.Process, error) {
				if pid == os.Getpid() {
					return nil, errOwnProcess
				}
				return os.FindProcess(pid)
			}),
		},
		"syscall/syscall": s.systemExits(),
	}
	t["syscall/syscall"]["Exit"] = reflect.ValueOf(func(code int) { s.exit(fmt.Sprintf("syscall.Exit(%d)", code)) })
	return t
}

// errOwnProcess is what looking for the kernel's own process gives.
var errOwnProcess = errors.New("refused: this is the kernel's own process")

// refusals say why a cell may not call a function. They would end the process, now or at the next occasion.
var refusals = map[string]string{
	"os/signal.Ignore":            "interrupts could not reach the kernel",
	"os/signal.Reset":             "the next interrupt would end the kernel; signal.Stop is for one channel",
	"runtime.Breakpoint":          "no debugger is attached",
	"runtime/debug.SetMaxStack":   "endless recursion would end the kernel",
	"runtime/debug.SetMaxThreads": "one thread too many would end the kernel",
	"syscall.Exec":                "the other program would take the kernel's place; os/exec starts one beside it",
	"syscall.Reboot":              "a notebook is no place for it",
	"testing.Main":                "it ends the process; call the functions to test",
	"testing.MainStart":           "it takes the process's arguments; call the functions to test",
}

// refused replaces the functions of refusals by ones of the same type that panic.
func refused(natives table) table {
	out := table{}
	for name, why := range refusals {
		dot := strings.LastIndexByte(name, '.')
		pkg, symbol := name[:dot], name[dot+1:]
		key := pkg + "/" + path.Base(pkg)
		f, ok := natives[key][symbol]
		if !ok {
			continue // not on this system
		}
		if out[key] == nil {
			out[key] = map[string]reflect.Value{}
		}
		out[key][symbol] = reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value {
			panic(name + " is refused: " + why)
		})
	}
	return out
}

// signals ends the cell where a signal to the kernel's own process would end that.
func (s *Session) signals(call string, sig syscall.Signal) {
	// 0 asks whether the process exists, and an interrupt is the user's own way to end the cell.
	if sig != 0 && sig != syscall.SIGINT {
		s.exit(fmt.Sprintf("%s(…, %v) to the kernel's own process", call, sig))
	}
}

// An ending call is a call that ends the process in compiled Go.
type endingCall struct {
	call string // as in source: os.Exit(1)
	said string // what it had to say; may be empty
}

// exit ends the calling goroutine for a call that ends the process in compiled Go, and the cell that it belongs to. It is
// no panic, so nothing recovers it. Deferred calls run, unlike in compiled Go: the session lives on with what they put in
// order.
func (s *Session) exit(call string) { s.exitSaying(call, "") }

// exitSaying is exit for a call that has something to say.
func (s *Session) exitSaying(call, said string) {
	s.run().exit(endingCall{call, said})
	runtime.Goexit()
}

// exit notes that a call has ended the run.
func (r *run) exit(call endingCall) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.over:
		r.out.note(fmt.Sprintf("%s has ended a goroutine of %s\n", call.call, r.name))
	case !r.panicked && r.exited == nil:
		r.exited = &call
		close(r.failure)
	}
}

// exitError makes the error of a run that a call has ended.
func (r *run) exitError() *Error {
	text := r.exited.call + " ends the cell, not the kernel"
	if r.exited.said != "" {
		text += ": " + r.exited.said
	}
	return runError(exitError, text, r.number, r.typed, r.line())
}

// overlay returns a table with others laid over it. It changes none of them.
func overlay(below table, others ...table) table {
	out := maps.Clone(below)
	for _, other := range others {
		for key, values := range other {
			merged := maps.Clone(out[key])
			if merged == nil {
				merged = map[string]reflect.Value{}
			}
			maps.Copy(merged, values)
			out[key] = merged
		}
	}
	return out
}
