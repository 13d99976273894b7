package main

import (
	"fmt"
)

func try(name string, f func()) {
	f()
}

type T1 uint32

func (r T1) String() string {
	return ">"
}

var g15 bool = true

func test14() {
	switch {
	case any("日本") == "z\x00", g15:
		f27 := func(i int) (out struct {
			f28 T1
			F29 uint16
		}, err error) {
			return out, nil
		}
		fmt.Println(f27(2))
	}
	v34 := *func() *int16 { x := int16(3); return &x }()
	set35 := func(x int16) {}
	get36 := func() (int16, string) { return v34, fmt.Sprint(v34) }
	set35(v34)
	fmt.Println(get36())
}

func main() {
	try("test14", test14)
}
