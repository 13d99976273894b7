package main

import (
	"fmt"
)

type pair[A, B any] struct {
	First  A
	Second B
}

func pairOf[A, B any](a A, b B) pair[A, B] { return pair[A, B]{a, b} }

type T4 struct {
	f1 any
	F2 int
	F3 []int
}

type T11 struct {
	T4
	f9  complex128
	F10 T4
}

func (r T11) Scale(p12 int) int {
	return p12
}

func main() {
	v37 := pairOf[any, string](T11{}, string([]uint8{})).First
	fmt.Printf("v37 %v %v\n", v37, v37)
}
