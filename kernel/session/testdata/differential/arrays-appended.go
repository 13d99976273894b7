package main

import "fmt"

// Arrays that are appended to a slice of their elements' type.

type list []any

type row [2]list

func appended(v []any, a [2]any) []any {
	return append(v, a)
}

func main() {
	v := []any{}
	v = append(v, [2]int{1, 2})
	v = append(v, [2]any{1, 2})
	v = append(v, [1]any{nil}, [0]any{})
	a := [2]any{1}
	v = append(v, a)
	a[0] = 3
	v = append(v, &a)
	fmt.Println(v[:5], len(v), *v[5].(*[2]any))
	v = append(v[:0], any([2]any{3}))
	v = append(v, []any{1})
	fmt.Println(appended(v, a), len(append(v, a[:]...)))
	l := append(list{}, row{})
	l = append(l, [1]list{l})
	fmt.Println(l, len(l))
	e := append([]error(nil), nil)
	fmt.Println(e, append([][1]any{}, [1]any{2}))
}
