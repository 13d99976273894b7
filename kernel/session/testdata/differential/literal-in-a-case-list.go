package main

import (
	"fmt"
)

func try(name string, f func()) {
	defer func() {
		fmt.Println(name, report(recover()))
	}()
	f()
}

func report(r any) string {
	return fmt.Sprint("panic ", r)
}

func apply[A, B any](x A, f func(A) B) B { return f(x) }

type T1 []any

var g33 bool = true

func test26() {
	var v29 []T1 = apply[int8](10, func(x30 int8) []T1 { return []T1(nil) })
	p31 := &v29
	n32 := new([]T1)
	*n32 = *p31
	switch {
	case []bool{}[0], g33:
	}
}

func main() {
	try("test26", test26)
}
