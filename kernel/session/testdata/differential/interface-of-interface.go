package main

import (
	"fmt"
)

func try(name string, f func()) {
	f()
}

type T3 struct {
	f1 complex64
	F2 []int8
}

func (r T3) Check(p4 string, p5 int) bool {
	return true
}

type I12 interface {
	Check(string, int) bool
}

func test24() {
	var v29 any
	v29 = func(a30 T3) (out T3) { return }(T3{})
	_, ok31 := v29.(I12)
	fmt.Println(ok31, v29 == nil)
}

func main() {
	try("test24", test24)
}
