package rt

import (
	"fmt"
	"reflect"
	"sort"
)

// elements returns the elements of a slice as values that can be set.
func elements(s reflect.Value) []reflect.Value {
	list := make([]reflect.Value, s.Len())
	for i := range list {
		list[i] = s.Index(i)
	}
	return list
}

// index returns the index of the first element that satisfies f, -1 where none does.
func index(s reflect.Value, f func(reflect.Value) bool) int {
	for i := range s.Len() {
		if f(s.Index(i)) {
			return i
		}
	}
	return -1
}

// is returns the predicate of being equal to v.
func is(v reflect.Value) func(reflect.Value) bool {
	return func(w reflect.Value) bool { return equal(w, v) }
}

// sortBy sorts a slice in place.
func sortBy(s reflect.Value, order func(a, b reflect.Value) int, stable bool) {
	// The elements move while they are compared, so copies are sorted and written back.
	list := make([]reflect.Value, s.Len())
	for i := range list {
		list[i] = reflect.New(s.Type().Elem()).Elem()
		list[i].Set(s.Index(i))
	}
	lessThan := func(i, j int) bool { return order(list[i], list[j]) < 0 }
	if stable {
		sort.SliceStable(list, lessThan)
	} else {
		sort.Slice(list, lessThan)
	}
	for i, v := range list {
		s.Index(i).Set(v)
	}
}

func sorted(s reflect.Value, order func(a, b reflect.Value) int) bool {
	for i := 1; i < s.Len(); i++ {
		if order(s.Index(i-1), s.Index(i)) > 0 {
			return false
		}
	}
	return true
}

// first returns the element that comes first in an order; the earliest of equal ones.
func first(name string, s reflect.Value, order func(a, b reflect.Value) int) reflect.Value {
	if s.Len() == 0 {
		panic("slices." + name + ": empty list")
	}
	best := s.Index(0)
	for i := 1; i < s.Len(); i++ {
		if order(s.Index(i), best) < 0 {
			best = s.Index(i)
		}
	}
	return best
}

// extreme is first for ordered elements, where a NaN wins over everything.
func extreme(name string, s reflect.Value, order func(a, b reflect.Value) int) reflect.Value {
	if i := index(s, isNaN); i >= 0 {
		return s.Index(i)
	}
	return first(name, s, order)
}

func reversed(order func(a, b reflect.Value) int) func(a, b reflect.Value) int {
	return func(a, b reflect.Value) int { return order(b, a) }
}

// search is slices.BinarySearchFunc over an order of an element and the target.
func search(s reflect.Value, order func(e reflect.Value) int) []reflect.Value {
	i := sort.Search(s.Len(), func(i int) bool { return order(s.Index(i)) >= 0 })
	found := i < s.Len() && order(s.Index(i)) == 0
	return []reflect.Value{reflect.ValueOf(i), reflect.ValueOf(found)}
}

// keep moves the elements that f keeps to the front, sets the rest to zero, and returns the shorter slice.
func keep(s reflect.Value, f func(i int) bool) reflect.Value {
	n := 0
	for i := range s.Len() {
		if f(i) {
			if n != i {
				s.Index(n).Set(s.Index(i))
			}
			n++
		}
	}
	zero(s, n)
	return s.Slice(0, n)
}

// compact drops each element that is equal to the kept one before it.
func compact(s reflect.Value, same func(a, b reflect.Value) bool) reflect.Value {
	if s.Len() < 2 {
		return s
	}
	last := reflect.New(s.Type().Elem()).Elem()
	return keep(s, func(i int) bool {
		if i > 0 && same(s.Index(i), last) {
			return false
		}
		last.Set(s.Index(i))
		return true
	})
}

func sameLength(a, b reflect.Value, same func(a, b reflect.Value) bool) bool {
	if a.Len() != b.Len() {
		return false
	}
	for i := range a.Len() {
		if !same(a.Index(i), b.Index(i)) {
			return false
		}
	}
	return true
}

func compareSlices(a, b reflect.Value, order func(a, b reflect.Value) int) int {
	for i := range min(a.Len(), b.Len()) {
		if c := order(a.Index(i), b.Index(i)); c != 0 {
			return c
		}
	}
	switch {
	case a.Len() < b.Len():
		return -1
	case a.Len() > b.Len():
		return 1
	}
	return 0
}

// clone copies a slice; nil stays nil.
func clone(s reflect.Value) reflect.Value {
	if s.IsNil() {
		return s
	}
	return reflect.AppendSlice(reflect.MakeSlice(s.Type(), 0, s.Len()), s)
}

// between checks the bounds i and j of a slice, with Go's own panic.
func between(s reflect.Value, i, j reflect.Value) (from, to int) {
	from, to = int(i.Int()), int(j.Int())
	switch {
	case to < 0 || to > s.Len():
		panic(RuntimeError(fmt.Sprintf("slice bounds out of range [:%d] with length %d", to, s.Len())))
	case from < 0 || from > to:
		panic(RuntimeError(fmt.Sprintf("slice bounds out of range [%d:%d]", from, to)))
	}
	return from, to
}

// insertAt is slices.Insert: in place where there is room.
func insertAt(s reflect.Value, at int, v reflect.Value) reflect.Value {
	n, m := s.Len(), v.Len()
	v = clone(v) // it may be a part of s
	switch {
	case m == 0:
		return s
	case at == n:
		return reflect.AppendSlice(s, v)
	case n+m > s.Cap():
		out := reflect.AppendSlice(s.Slice(0, at), reflect.MakeSlice(s.Type(), n+m-at, n+m-at))
		reflect.Copy(out.Slice(at, n+m), v)
		reflect.Copy(out.Slice(at+m, n+m), s.Slice(at, n))
		return out
	}
	out := s.Slice(0, n+m)
	reflect.Copy(out.Slice(at+m, n+m), out.Slice(at, n))
	reflect.Copy(out.Slice(at, n+m), v)
	return out
}

// replace is slices.Replace: in place where there is room.
func replace(s reflect.Value, from, to int, with reflect.Value) reflect.Value {
	if from == to {
		return insertAt(s, from, with)
	}
	with = clone(with) // it may be a part of s
	n, total := s.Len(), from+with.Len()+s.Len()-to
	switch {
	case to == n:
		out := reflect.AppendSlice(s.Slice(0, from), with)
		zero(s, out.Len())
		return out
	case total > s.Cap():
		out := reflect.AppendSlice(s.Slice(0, from), reflect.MakeSlice(s.Type(), total-from, total-from))
		reflect.Copy(out.Slice(from, total), with)
		reflect.Copy(out.Slice(from+with.Len(), total), s.Slice(to, n))
		return out
	}
	out := s.Slice(0, total)
	reflect.Copy(out.Slice(from+with.Len(), total), s.Slice(to, n))
	reflect.Copy(out.Slice(from, total), with)
	zero(s, total)
	return out
}

// zero sets the elements of a slice from an index on to zero.
func zero(s reflect.Value, from int) {
	for i := from; i < s.Len(); i++ {
		s.Index(i).SetZero()
	}
}

// sliceFuncs are the functions of package slices on slices.
var sliceFuncs = map[string]implementation{
	"slices.BinarySearch": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return search(in[0], func(e reflect.Value) int { return compare(e, in[1]) })
	},
	"slices.BinarySearchFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return search(in[0], func(e reflect.Value) int { return comparison(in[2])(e, in[1]) })
	},
	"slices.Clip": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(in[0].Slice3(0, in[0].Len(), in[0].Len()))
	},
	"slices.Clone": func(_ reflect.Type, in []reflect.Value) []reflect.Value { return one(clone(in[0])) },
	"slices.Compact": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(compact(in[0], equal))
	},
	"slices.CompactFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		same := equality(in[1])
		return one(compact(in[0], func(a, b reflect.Value) bool { return same(b, a) }))
	},
	"slices.Compare": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return integer(compareSlices(in[0], in[1], compare))
	},
	"slices.CompareFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return integer(compareSlices(in[0], in[1], comparison(in[2])))
	},
	"slices.Concat": func(t reflect.Type, in []reflect.Value) []reflect.Value {
		out := reflect.Zero(t.Out(0))
		for _, s := range elements(in[0]) {
			out = reflect.AppendSlice(out, s)
		}
		return one(out)
	},
	"slices.Contains": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(index(in[0], is(in[1])) >= 0)
	},
	"slices.ContainsFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(index(in[0], predicate(in[1])) >= 0)
	},
	"slices.Delete": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		from, to := between(in[0], in[1], in[2])
		return one(keep(in[0], func(i int) bool { return i < from || i >= to }))
	},
	"slices.DeleteFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		del := predicate(in[1])
		return one(keep(in[0], func(i int) bool { return !del(in[0].Index(i)) }))
	},
	"slices.Equal": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(sameLength(in[0], in[1], equal))
	},
	"slices.EqualFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(sameLength(in[0], in[1], equality(in[2])))
	},
	"slices.Grow": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		n := int(in[1].Int())
		if n < 0 {
			panic("cannot be negative")
		}
		s := reflect.New(in[0].Type()).Elem()
		s.Set(in[0])
		s.Grow(n)
		return one(s)
	},
	"slices.Index": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return integer(index(in[0], is(in[1])))
	},
	"slices.IndexFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return integer(index(in[0], predicate(in[1])))
	},
	"slices.Insert": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		from, _ := between(in[0], in[1], reflect.ValueOf(in[0].Len()))
		return one(insertAt(in[0], from, in[2]))
	},
	"slices.IsSorted": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(sorted(in[0], compare))
	},
	"slices.IsSortedFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return boolean(sorted(in[0], comparison(in[1])))
	},
	"slices.Max": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(extreme("Max", in[0], reversed(compare)))
	},
	"slices.MaxFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(first("MaxFunc", in[0], reversed(comparison(in[1]))))
	},
	"slices.Min": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(extreme("Min", in[0], compare))
	},
	"slices.MinFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return one(first("MinFunc", in[0], comparison(in[1])))
	},
	"slices.Repeat": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		n := int(in[1].Int())
		if n < 0 {
			panic("cannot be negative")
		}
		out := reflect.MakeSlice(in[0].Type(), 0, n*in[0].Len())
		for range n {
			out = reflect.AppendSlice(out, in[0])
		}
		return one(out)
	},
	"slices.Replace": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		from, to := between(in[0], in[1], in[2])
		return one(replace(in[0], from, to, in[3]))
	},
	"slices.Reverse": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		swap := reflect.Swapper(in[0].Interface())
		for i, j := 0, in[0].Len()-1; i < j; i, j = i+1, j-1 {
			swap(i, j)
		}
		return none()
	},
	"slices.Sort": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		sortOrdered(in[0])
		return none()
	},
	"slices.SortFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		sortBy(in[0], comparison(in[1]), false)
		return none()
	},
	"slices.SortStableFunc": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		sortBy(in[0], comparison(in[1]), true)
		return none()
	},
}
