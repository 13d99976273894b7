package main

import (
	"fmt"
)

type T4 struct {
	F1 [2]complex128
	F2 [3]uint8
	F3 []int
}

type T5 float32

type T10 struct {
	T4
	f7 uint16
	F8 uint64
	F9 T5
}

func main() {
	var v23 T10
	fmt.Printf("v23 %#v %s\n", v23, v23)
}
