package main

import (
	"fmt"
)

func try(name string, f func()) {
	f()
}

type T4 uint32

func (r *T4) String() string {
	return ">"
}

var g25 uint32 = 1

func test22() {
	var v24 T4 = T4(g25)
	fmt.Printf("v24 %x %v\n", v24, v24)
}

func main() {
	try("test22", test22)
}
