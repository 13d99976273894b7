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
	kind := "panic"
	return fmt.Sprintf("%s %v %T", kind, r, r)
}

func id[T any](x T) T { return x }

type T4 struct {
	F1 []int
	f2 float32
	F3 bool
}

type T16 []T4

func test27() {
	v28 := T16{}
	v28[1].F1 = id([]int{})
}

func main() {
	try("test27", test27)
}
