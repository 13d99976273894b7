package main

import (
	"fmt"
)

func apply[A, B any](x A, f func(A) B) B { return f(x) }

type pair[A, B any] struct {
	First  A
	Second B
}

func (p pair[A, B]) Swap() pair[B, A] { return pair[B, A]{} }

func pairOf[A, B any](a A, b B) pair[A, B] { return pair[A, B]{} }

var g31 uint32 = 1

func test24() {
	n26 := 0
label25:
	n26++
	goto label25
	v29 := pairOf[[1]any, uint32](apply[float64](-1.25, func(x30 float64) [1]any { return [1]any{} }), g31).Swap().Second
	p33 := &v29
	n34 := new([1]any)
	fmt.Println(*n34, n34 == p33, p33 == nil)
}

func main() {
}
