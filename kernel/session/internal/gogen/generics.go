package gogen

import "fmt"

// A genericSource is a generic declaration with what belongs to it.
type genericSource struct{ name, source string }

// genericSources are declared where they are used.
var genericSources = []genericSource{
	{"id", "func id[T any](x T) T { return x }\n\n"},
	{"choose", "func choose[T any](c bool, a, b T) T {\n\tif c {\n\t\treturn a\n\t}\n\treturn b\n}\n\n"},
	{"last", "func last[S ~[]E, E any](zero E, s ...E) (out E) {\n\tout = zero\n\tfor _, out = range S(s) {\n\t}\n\treturn\n}\n\n"},
	{"apply", "func apply[A, B any](x A, f func(A) B) B { return f(x) }\n\n"},
	{"number", `type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func sum[N number](start N, xs ...N) N {
	for _, x := range xs {
		start += x
	}
	return start
}

`},
	{"pair", `type pair[A, B any] struct {
	First  A
	Second B
}

func (p pair[A, B]) Swap() pair[B, A] { return pair[B, A]{p.Second, p.First} }

func (p *pair[A, B]) Set(a A, b B) { p.First, p.Second = a, b }

func pairOf[A, B any](a A, b B) pair[A, B] { return pair[A, B]{a, b} }

`},
	{"stack", `type stack[T any] struct {
	items []T
	next  *stack[T]
}

func (s *stack[T]) Push(x T) *stack[T] {
	s.items = append(s.items, x)
	if len(s.items) > 2 {
		s.next = &stack[T]{items: s.items[:1], next: s.next}
		s.items = s.items[1:]
	}
	return s
}

func (s *stack[T]) All(yield func(int, T) bool) {
	n := 0
	for at := s; at != nil; at = at.next {
		for _, x := range at.items {
			if !yield(n, x) {
				return
			}
			n++
		}
	}
}

`},
	{"set", `type set[K comparable] map[K]struct{}

func (s set[K]) Add(keys ...K) set[K] {
	for _, k := range keys {
		s[k] = struct{}{}
	}
	return s
}

func (s set[K]) Has(k K) (ok bool) {
	_, ok = s[k]
	return
}

`},
	{"kindOf", `func kindOf[T any](x T) string {
	switch v := any(x).(type) {
	case nil:
		return "nil"
	case int, uint8:
		return fmt.Sprintf("number %v", v)
	case string:
		return "string " + v
	case fmt.Stringer:
		return "stringer"
	case error:
		return "error"
	case []T:
		return "slice"
	}
	return "other"
}

`},
}

// generic returns a call of a generic function, or a part of a value of a generic type.
func (g *gen) generic(t *typ, depth int) string {
	use := func(name string) { g.generics[name] = true }
	arg := func() string { return g.expr(t, depth-1) }
	other := pick(g, basics)
	switch g.rng.IntN(7) {
	case 0:
		use("id")
		return fmt.Sprintf("id[%s](%s)", t, arg())
	case 1:
		use("choose")
		return fmt.Sprintf("choose[%s](%s, %s, %s)", t, g.expr(tBool, depth-1), arg(), arg())
	case 2:
		use("last")
		return fmt.Sprintf("last[[]%s, %s](%s, %s)", t, t, arg(), arg())
	case 3:
		use("apply")
		name := g.fresh("x")
		scope := len(g.scope)
		x := g.expr(other, depth-1)
		g.add(name, other)
		e := fmt.Sprintf("apply[%s](%s, func(%s %s) %s { return %s })", other, x, name, other, t, arg())
		g.scope = g.scope[:scope]
		return e
	case 4:
		use("pair")
		return fmt.Sprintf("pairOf[%s, %s](%s, %s).%s", t, other, arg(), g.expr(other, depth-1), pick(g, []string{"First", "Swap().Second"}))
	case 5:
		if t.kind == integer {
			use("number")
			return fmt.Sprintf("sum[%s](%s, %s)", t, arg(), arg())
		}
		if t.same(tString) {
			use("kindOf")
			u := g.anyType(1)
			return fmt.Sprintf("kindOf[%s](%s)", u, g.expr(u, depth-1))
		}
	case 6:
		if t.same(tBool) {
			use("set")
			k := g.keyType()
			return fmt.Sprintf("make(set[%s]).Add(%s).Has(%s)", k, g.key(k, 0), g.expr(k, depth-1))
		}
	}
	return ""
}
