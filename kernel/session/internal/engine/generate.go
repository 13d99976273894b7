package engine

import "unsafe"

// What the engine calls for a node, and what makes that. They stand for functions of the engine's unexported types, which
// take and return one pointer or function, and so have the same form.
type (
	operation func(frame unsafe.Pointer) (next unsafe.Pointer)
	generator func(n node)
)

// generate makes the operations of the functions at and below a node, as the engine does (interp/cfg.go, genRun and
// setExec): those of inner functions first.
func (l *layout) generate(n node, isFunc map[uint]bool) {
	for _, c := range l.children(n) {
		l.generate(c, isFunc)
	}
	if body := l.body(n); body != nil && isFunc[l.kindOf(n)] {
		l.operations(*at[node](body, l.start), map[node]bool{})
	}
}

// operations makes the operations of a node and those that follow it, the last ones first: each is told the next. Where a
// loop comes back to a node whose operation is being made, it gets one that asks for it later.
func (l *layout) operations(n node, begun map[node]bool) {
	if n == nil || *at[operation](n, l.exec) != nil {
		return
	}
	begun[n] = true
	for _, offset := range []uintptr{l.tnext, l.fnext} {
		next := *at[node](n, offset)
		if next == nil || *at[operation](next, l.exec) != nil {
			continue
		}
		if !begun[next] {
			l.operations(next, begun)
			continue
		}
		exec := at[operation](next, l.exec)
		*exec = func(frame unsafe.Pointer) unsafe.Pointer { return (*exec)(frame) }
	}
	if gen := *at[generator](n, l.gen); gen != nil {
		gen(n)
	}
}
