package main

import (
	"fmt"
	"math"
)

type P struct{ X, Y float64 }

func (p P) Plus(x float64) P { return P{p.X + x, p.Y + x} }

func id(x float64) float64 { return x }

func same[T any](x T) T { return x }

func point(p P) P { return p }

func array(a [2]float32) [2]float32 { return a }

func complexes(a, b complex128) (complex128, complex128) { return a, b }

func four(a int, x float64, s string, y float64) (float64, float64) { return x, y }

func values() (int, float64, string, float64) { return 0, math.Copysign(0, -1), "a", 0 }

func more(x float64, list ...float64) (float64, []float64) { return x, list }

func deep(n int, x float64) float64 {
	if n == 0 {
		return x
	}
	return deep(n-1, x)
}

func captured(x float64) func() func() float64 {
	return func() func() float64 { return func() float64 { return id(x) } }
}

func main() {
	z := math.Copysign(0, -1)
	fmt.Println(id(z), id((z)), id(-id(0)), id(0), id(float64(0)*-1))
	fmt.Println(same(z), same(P{z, z}), point(P{0, z}), array([2]float32{float32(z)}), P{z, 0}.Plus(z))
	fmt.Println(complexes(complex(z, 0), complex(0, z)))
	fmt.Println(four(1, z, "", 0))
	fmt.Println(four(values()))
	fmt.Println(more(z, z, 0))
	fmt.Println(deep(3, z), captured(z)()())
	if math.Signbit(id(z)) && !math.Signbit(id(0)) {
		fmt.Println("negative")
	}
	for i := range 2 {
		fmt.Println(id(z * float64(i)))
	}
	defer fmt.Println(id(z))
	done := make(chan float64)
	go func(x float64) { done <- id(x) }(z)
	fmt.Println(<-done)
}
