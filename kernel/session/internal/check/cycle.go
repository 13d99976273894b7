package check

import "go/types"

// go/types finds the instantiation cycles inside one declaration. But the parts of a cell are checked one by one, so it does
// not find all: func f[T any]() { f[[]T]() } would make instances for ever.

// maxSize bounds the types in type arguments. What people write has a few parts.
const maxSize = 500

// endless reports whether a type argument has grown to a size that only an instantiation cycle gives.
func endless(t types.Type) bool {
	known := map[types.Type]int{} // a struct may have a large type in several fields
	var size func(t types.Type) int
	size = func(t types.Type) int {
		if n, ok := known[t]; ok {
			return n
		}
		n := 1
		add := func(t types.Type) { n = min(n+size(t), maxSize+1) }
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
		known[t] = n
		return n
	}
	return size(t) > maxSize
}
