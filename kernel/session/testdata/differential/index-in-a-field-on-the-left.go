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

type T6 struct {
	F1 [1]int8
	F2 []complex64
	f3 struct {
		f4 string
		F5 int
	}
}

func test27() {
	v53 := [][]T6{}[0]
	_ = v53
}

func main() {
	try("test27", test27)
}
