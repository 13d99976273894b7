package main

import (
	"fmt"
)

type T1 map[any]any

func main() {
	var v50 T1 = T1{}
	fmt.Printf("v50 %v %T\n", []T1{}, []T1{v50})
}
