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
	return "panic "
}

var g19 bool = true

func test16() {
	switch {
	case struct{ v bool }{}.v, g19:
	}
	var i28 int
	var x29 uint
	fmt.Println(i28, x29)
}

func main() {
	try("test16", test16)
}
