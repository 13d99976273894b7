package main

import "fmt"

type S struct {
	m *map[any]bool
	c chan any
}

func main() {
	m := any(map[any]bool{}).(map[any]bool)
	p, q := &m, new(map[any]bool)
	fmt.Println(p == q, p != q, p == nil, p == &m)
	c, d := any(make(chan any)).(chan any), make(chan any)
	fmt.Println(c == d, c == c, c == nil)
	e, f := any(new(any)).(*any), new(any)
	fmt.Println(e == f, e != f)
	g, h := any(new(func(any))).(*func(any)), new(func(any))
	fmt.Println(g == h)
	r, s := &p, &q
	fmt.Println(r == s, *r == q)
	x, y := S{p, c}, S{q, d}
	fmt.Println(x == y, x.m == q, x.c == d)
	switch p {
	case q:
		fmt.Println("the same")
	case &m:
		fmt.Println("its own")
	}
}
