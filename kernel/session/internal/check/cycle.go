package check

import "go/types"

// go/types finds the instantiation cycles inside one declaration. But the parts of a cell are checked one by one, so it does
// not find all: func f[T any]() { f[[]T]() } would make instances for ever.

// maxDepth and maxSize bound the types in type arguments: how deep their parts are in one another, and how many there are.
// What people write is a few levels deep.
const (
	maxDepth = 40
	maxSize  = 10000
)

// A measure is the depth and the size of a type.
type measure struct{ depth, size int }

// endless reports whether a type argument has grown as only an instantiation cycle makes it.
func endless(t types.Type) bool {
	m := measures{}.of(t)
	return m.depth > maxDepth || m.size > maxSize
}

// measures remembers the types it has seen: a struct may have a large type in several fields.
type measures map[types.Type]measure

func (known measures) of(t types.Type) measure {
	if m, ok := known[t]; ok {
		return m
	}
	m := measure{1, 1}
	add := func(t types.Type) {
		part := known.of(t)
		m.depth = max(m.depth, part.depth+1)
		m.size = min(m.size+part.size, maxSize+1)
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			add(a)
		}
	case *types.Map:
		add(t.Key())
		add(t.Elem())
	case interface{ Elem() types.Type }:
		add(t.Elem())
	case *types.Signature:
		add(t.Params())
		add(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			add(v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			add(f.Type())
		}
	}
	known[t] = m
	return m
}
