package main

import (
	"fmt"
)

type T1 map[any]map[int]bool

type T3 struct {
	T1
	F2 complex64
}

type T12 []T3

func main() {
	var v50 T12
	fmt.Printf("v50 %#v\n", []any{v50, 1})
}
