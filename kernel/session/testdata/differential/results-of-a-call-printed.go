package main

import (
	"fmt"
)

func try(name string, f func()) {
	f()
}

type T3 struct {
	f1 int
	F2 int
}

func (r T3) String() string {
	return ">"
}

type T10 struct{ f9 T3 }

func test24() {
	var v28 T10 = T10{}
	set29 := func(x T10) {}
	get30 := func() (T10, string) { return v28, fmt.Sprint(v28) }
	set29(v28)
	fmt.Println(get30())
}

func main() {
	try("test24", test24)
}
