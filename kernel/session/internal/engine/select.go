package engine

import (
	"reflect"
	"sync"
	"unsafe"
)

// The interpreter's operation of a select keeps in itself what it chooses from, so that goroutines that are at the same select at
// the same time take each other's channels and values. So each takes an operation of its own.

// A selects has the operations of one select, made as they are needed: as many as goroutines have been at it at the same time.
type selects struct {
	layout   *layout
	generate generator
	node     node

	mu   sync.Mutex
	idle []operation
}

// selecting returns an operation of a select that several goroutines may be at, given the first one that was made for its node.
func (l *layout) selecting(n node, generate generator, first operation) operation {
	s := &selects{layout: l, generate: generate, node: n, idle: []operation{first}}
	return func(frame unsafe.Pointer) unsafe.Pointer {
		op := s.take()
		next := op(frame)
		s.give(op) // after a panic it is not, and another one is made
		return next
	}
}

// take returns an operation that nobody else is at. A new one is made for a copy of the node: the node's own is in use.
func (s *selects) take() operation {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		op := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return op
	}
	own := reflect.New(s.layout.node)
	own.Elem().Set(reflect.NewAt(s.layout.node, unsafe.Pointer(s.node)).Elem())
	n := node(own.UnsafePointer())
	*at[operation](n, s.layout.exec) = nil
	s.generate(n)
	return *at[operation](n, s.layout.exec)
}

func (s *selects) give(op operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, op)
}
