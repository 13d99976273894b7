package session

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"sync"
	"sync/atomic"

	"orthant/kernel/session/internal/rtype"
	"orthant/stdlib/display"
	"orthant/stdlib/rt"
)

// A run is one execution of a cell. It is the sink that its goroutines output to, which is how a goroutine finds its
// cell: display.Current returns the run.
type run struct {
	session *Session
	out     *Output
	number  int    // of the cell (split.Number); 0 for what is none
	name    string // in messages: "cell 3"
	source  string
	whole   string          // all Go of the cell, of which source may be a part
	typed   string          // the cell as typed
	later   map[string]bool // the names that occur in the cell behind source
	ctx     context.Context
	cancel  context.CancelFunc

	body       func()        // of the cell, as the engine has handed it out
	lines      []int         // the line of each statement
	at         atomic.Int32  // the statement that is running
	failure    chan struct{} // closed when a goroutine of the cell has panicked or exited
	alone      chan struct{} // told when the last of the cell's goroutines has ended; may be told for nothing
	stopped    atomic.Bool   // its goroutines leave
	waits      chan struct{} // closed when they do, or when the cell has ended: what an interrupt has cut short waits for that
	waited     sync.Once     // closes waits
	forced     atomic.Bool   // those in deferred calls, too
	unwinders  sync.Map      // the goroutines that run deferred calls although the run is stopped
	done       chan struct{} // closed to end the channel operations of its goroutines
	forcedDone chan struct{} // closed to end those of deferred calls
	foreign    sync.Map      // the goroutines of compiled code that functions of the cell are called on
	goroutines atomic.Int32  // started by the cell and not ended

	mu       sync.Mutex
	over     bool // the cell has ended: a goroutine's panic is reported on standard error
	panicked bool
	value    any         // of the panic
	trace    rt.Trace    // of the panic
	exited   *endingCall // the call that has ended the run; nil where none has
	apart    bool        // the panic was in a goroutine that the cell started
	loose    any         // a result without a slot
	notes    []string    // lines for standard error, should the cell succeed: one that fails has its error to show
	noInput  bool        // one of them says that nobody can be asked
}

func (s *Session) newRun(ctx context.Context, c Part, out *Output) *run {
	r := &run{out: out, session: s, number: c.Number, name: CellName(c.Number),
		source: c.Source, whole: c.Whole, typed: c.Typed, later: c.later(),
		failure: make(chan struct{}), alone: make(chan struct{}, 1), done: make(chan struct{}), forcedDone: make(chan struct{}),
		waits: make(chan struct{})}
	r.ctx, r.cancel = context.WithCancel(ctx)
	return r
}

// helpers are the functions that lowered cells call by name (lower.HelperPackage). Each finds its run by the goroutine
// that calls it.
func (s *Session) helpers() map[string]reflect.Value {
	print := func(write func(io.Writer, ...any)) func(...any) {
		return func(args ...any) { write(s.streams.writer(stderr), args...) }
	}
	values := map[string]reflect.Value{}
	for name, f := range map[string]any{
		"Enter":             func(body func()) { s.loading.body = body },
		"At":                func(statement int) { s.run().begin(statement) },
		"Value":             func(v any) { s.run().loose = v },
		"Context":           func() context.Context { return s.run().ctx },
		"Unread":            func(line int, name string, err error) { s.run().unread(line, name, err) },
		"Go":                func(f func()) { s.run().start(f) },
		"Frame":             func(body func(frame any)) { rt.Run(s.run().unwinding, body) },
		"Defer":             rt.Defer,
		"DeferRecover":      rt.DeferRecover,
		"DeferCall":         rt.DeferCall,
		"DeferValue":        deferValue,
		"Arm":               rt.Arm,
		"Recover":           rt.Recover,
		"Print":             print(rt.Fprint),
		"Println":           print(rt.Fprintln),
		"PrintedInterface":  rt.PrintedInterface,
		"Size":              s.checkSize,
		"Iterated":          func() { panic(rangeError) },
		"ShiftCount":        rt.ShiftCount,
		"Equal":             rt.Equal,
		"ErrorAs":           rt.ErrorAs,
		"ErrorIs":           rt.ErrorIs,
		"Show":              rtype.Show,
		"Printed":           func(v any) any { return rtype.Printed(rt.Newest(v)) },
		"PrintedAll":        rtype.PrintedAll,
		"PrintedList":       func(list ...any) []any { return rtype.PrintedAll(list) },
		"PrintedOrError":    rtype.PrintedOrError,
		"PrintedOrErrorAll": rtype.PrintedOrErrorAll,
		"LoggerFatal":       fatal{s.exitSaying}.print,
		"LoggerFatalf":      fatal{s.exitSaying}.printf,
		"LoggerFatalln":     fatal{s.exitSaying}.println,
		"FileRead":          s.stdin.FileRead,
		"FileWriteTo":       s.stdin.FileWriteTo,
		"NilDereference":    rt.NilDereference,
		"Callback": func(f func()) func() {
			r := s.run()
			return display.Owned(r, func() { r.goroutine(f) })
		},
		"Rune":     rt.Rune,
		"Clear":    rt.Clear,
		"MinFloat": rt.MinFloat,
		"MaxFloat": rt.MaxFloat,
	} {
		values[name] = reflect.ValueOf(f)
	}
	return values
}

// rangeError is what Go panics with when an iterator calls the body of a loop that has ended.
var rangeError = rt.RuntimeError("range function continued iteration after function for loop body returned false")

// run returns the run that the calling goroutine belongs to; the current one where it belongs to none.
func (s *Session) run() *run {
	if r, ok := display.Current().(*run); ok {
		return r
	}
	return s.currentRun()
}

// left reports whether the run has ended before its last statement did, without having failed: by a return.
func (r *run) left() bool { return int(r.at.Load()) < len(r.lines) }

// begin notes that a statement begins.
func (r *run) begin(statement int) {
	r.at.Store(int32(statement))
	if line := r.line(); line > 0 {
		r.session.follow(r.name, line)
	}
}

// finish marks the run as over: from now on a panic in one of its goroutines is only reported.
func (r *run) finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
}

// Text, Display, Update and Clear hand on what the cell outputs, after what it has written to os.Stdout and os.Stderr.

func (r *run) Text(stream display.Stream, text string) {
	r.session.streams.drain()
	r.out.Text(stream, text)
}

func (r *run) Display(b display.Bundle) {
	r.session.streams.drain()
	r.out.Display(b)
}

func (r *run) Update(b display.Bundle) {
	r.session.streams.drain()
	r.out.Update(b)
}

func (r *run) Clear(wait bool) {
	r.session.streams.drain()
	r.out.Clear(wait)
}

// enter runs the cell's body.
func (r *run) enter() {
	returned := false
	defer func() {
		v := recover()
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case r.panicked || r.exited != nil || v == any(rt.Stop{}):
		case v != nil:
			r.panicked, r.value, r.trace = true, rt.Value(v), rt.TakeTrace()
		case !returned && !r.stopped.Load():
			r.exited = &endingCall{call: "runtime.Goexit()"}
		}
	}()
	display.Run(r, r.body)
	returned = true
}

// start begins a goroutine that runs f. It is counted already when start returns: what is read while there are none must not be
// read after a go statement whose goroutine has yet to begin.
func (r *run) start(f func()) {
	r.count()
	go r.counted(f)
}

// goroutine runs f on the calling goroutine as one that the cell started.
func (r *run) goroutine(f func()) {
	r.count()
	r.counted(f)
}

// count counts a goroutine to the run. It waits for what reads variables while nothing runs: a timer may begin one at any time.
func (r *run) count() {
	r.session.values.RLock()
	defer r.session.values.RUnlock()
	r.goroutines.Add(1)
	r.session.goroutines.Add(1)
}

// counted runs f, the body of a goroutine that has been counted. A panic fails the cell while it runs; later it is reported on
// the cell's standard error. It never ends the process.
func (r *run) counted(f func()) {
	defer func() {
		r.session.goroutines.Add(-1)
		if r.goroutines.Add(-1) == 0 {
			select {
			case r.alone <- struct{}{}:
			default:
			}
		}
	}()
	defer func() {
		v := recover()
		if v == nil || v == any(rt.Stop{}) {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		switch v = rt.Value(v); {
		case r.over:
			r.out.note(r.latePanic(v, rt.TakeTrace()))
		case !r.panicked && r.exited == nil:
			r.panicked, r.value, r.trace, r.apart = true, v, rt.TakeTrace(), true
			close(r.failure)
		}
	}()
	f()
}

// unread notes an error that a statement assigned to a session variable that the rest of the cell never reads.
func (r *run) unread(line int, name string, err error) {
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.notes = append(r.notes, fmt.Sprintf("line %d: %s = %v, not looked at\n", line, name, err))
	}
}

// refused notes, once, that os.Stdin could not be read: few look at the error of fmt.Scan, and would wonder at a zero.
func (r *run) refused(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.noInput && !r.over {
		r.noInput = true
		r.notes = append(r.notes, fmt.Sprintf("line %d: %v\n", r.line(), err))
	}
}

// failed returns the error of a run whose body has ended by itself; nil where all is well.
func (r *run) failed() *Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if r.exited != nil {
		return r.exitError()
	}
	if !r.panicked {
		return nil
	}
	text := rt.Text(r.value)
	if r.apart {
		text += " (in a goroutine)"
	}
	return r.panicError(text, r.trace)
}

// panicError makes the error of a panic that went the way of a trace.
func (r *run) panicError(text string, t rt.Trace) *Error {
	lines := r.traceback(t, r.apart).lines(r.quoted)
	if len(lines) == 0 {
		return runError(panicError, text, r.number, r.typed, r.line())
	}
	e := runError(panicError, text, r.number, r.typed, 0)
	e.Traceback = append(e.Traceback, lines...)
	return e
}

// latePanic is what is said of a panic in a goroutine whose cell has ended.
func (r *run) latePanic(v any, t rt.Trace) string {
	text := fmt.Sprintf("panic in a goroutine of %s: %s\n", r.name, rt.Text(v))
	for _, f := range r.traceback(t, true).frames {
		text += "\t" + f.String() + "\n"
	}
	return text
}

// line returns the line of the statement that is running, 0 where none has begun.
func (r *run) line() int {
	if i := int(r.at.Load()); i < len(r.lines) {
		return r.lines[i]
	}
	return 0
}
