package engine

import (
	"go/token"
	"unsafe"

	"orthant/stdlib/rt"
)

// disarm has functions begin with rt.Disarm: those at and below a node that begin at some places.
func (w *watch) disarm(n node, places map[token.Pos]bool) {
	l := w.layout
	for _, c := range l.children(n) {
		w.disarm(c, places)
	}
	body := l.body(n)
	if body == nil || !w.funcs[l.kindOf(n)] || !places[l.position(n)] {
		return
	}
	first := *at[node](body, l.start)
	gen := at[generator](first, l.gen)
	if *gen == nil {
		return // an empty body
	}
	generate := *gen
	*gen = func(n node) {
		generate(n)
		exec := at[operation](n, l.exec)
		op := *exec
		if op == nil {
			return
		}
		*exec = func(frame unsafe.Pointer) unsafe.Pointer {
			rt.Disarm()
			return op(frame)
		}
	}
}
