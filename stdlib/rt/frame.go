package rt

// A Frame holds the deferred calls of one running function, and its panic while they run.
type Frame struct {
	around    func(unwind func())
	calls     []deferred
	panicking bool
	value     any
	trace     Trace // of the panic
}

type deferred struct {
	call func()
	arm  bool // the called function itself may recover
}

// Run calls body as the body of a function that defers calls, and then those calls, last first, as Go does: also after a
// panic or runtime.Goexit; a panic in one of them replaces the one before it. A panic that no call recovers goes on. The deferred
// calls are made by a call of around's argument; around calls it once.
//
// The frame has type any in body's signature because lowered code has no name for the type.
func Run(around func(unwind func()), body func(frame any)) {
	f := &Frame{around: around}
	defer f.finish()
	body(f)
}

// finish runs the deferred calls of a frame whose body has ended. After runtime.Goexit, returning from here lets it go on.
func (f *Frame) finish() {
	if r := recover(); r != nil { // since Go 1.21 recover is nil only where nothing panics
		f.panics(r)
	}
	f.around(f.unwind)
	if f.panicking {
		putTrace(f.trace)
		panic(f.value)
	}
}

// panics makes a panic that was just recovered the frame's.
func (f *Frame) panics(value any) { f.panicking, f.value, f.trace = true, value, TakeTrace() }

// unwind runs the deferred calls. Each is taken off the list first, so that none runs twice.
func (f *Frame) unwind() {
	for len(f.calls) > 0 {
		d := f.calls[len(f.calls)-1]
		f.calls = f.calls[:len(f.calls)-1]
		f.one(d)
	}
}

// one runs one deferred call; its panic becomes the frame's. If the call ends in runtime.Goexit, the frame's panic is over
// and the remaining calls run from here, because nothing returns to unwind.
func (f *Frame) one(d deferred) {
	returned := false
	defer func() {
		if r := recover(); r != nil {
			f.panics(r)
		} else if !returned {
			f.panicking, f.value, f.trace = false, nil, nil
			f.unwind()
			if f.panicking {
				putTrace(f.trace)
				panic(f.value)
			}
		}
	}()
	if d.arm {
		defer armed.set(f)()
	}
	d.call()
	returned = true
}

// Defer adds a deferred call of a function literal to a frame that Run made. What the literal recovers it asks the frame
// for by name.
func Defer(frame any, call func()) {
	f := frame.(*Frame)
	f.calls = append(f.calls, deferred{call: call})
}

// DeferCall adds a deferred call of a function that is no literal, and so may call recover itself.
func DeferCall(frame any, call func()) {
	f := frame.(*Frame)
	f.calls = append(f.calls, deferred{call: call, arm: true})
}

// DeferRecover adds the deferred call of recover itself to a frame: it recovers what the function with the frame might, but
// not a panic that the frame's own calls run for. armed is what Arm returned to the function.
func DeferRecover(frame, armed any) {
	f := frame.(*Frame)
	Defer(frame, func() {
		if !f.panicking {
			Recover(armed)
		}
	})
}

// Recover is recover(): it stops the panic of the frame, a *Frame or nil, and returns the panic's value, or nil where the
// frame is not panicking.
func Recover(frame any) any {
	f, ok := frame.(*Frame)
	if !ok || f == nil || !f.panicking || stops(f.value) {
		return nil
	}
	f.panicking, f.trace = false, nil
	return Value(f.value)
}
