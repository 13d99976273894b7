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
	return kind
}

type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func sum[N number](start N, xs ...N) N {
	return start
}

type T3 struct {
	f1 []int
	F2 []uint8
}

var g45 int = 5

func test33() {
	var v34 T3 = T3{}
	set36 := func(x T3) {}
	get37 := func() (T3, string) { return v34, fmt.Sprint(v34) }
	set36(T3{})
	v39, v40 := get37()
	fmt.Println(v39, v40)
	seq41 := func(yield func(int, int) bool) {
		_ = yield(0, sum[int](11, 12)) && yield(1, g45)
	}
	f42 := func() string {
	outer:
		for n := range 2 {
			for i43, x44 := range seq41 {
				fmt.Println(n, i43, x44)
			}
			continue outer
		}
		return "done"
	}
	fmt.Println(f42())
}

func main() {
	try("test33", test33)
}
