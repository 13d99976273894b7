package main

import (
	"fmt"
)

func try(name string, f func()) {
	f()
}

type T6 struct{ F5 int8 }

func (r T6) Size() int {
	return 18
}

func test39() {
	var v40 any
	v40 = T6{}
	fmt.Printf("%v\n", v40)
}

func main() {
	try("test39", test39)
}
