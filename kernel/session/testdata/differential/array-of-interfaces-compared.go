package main

type T11 bool

func test17() {
	var v18 T11 = [3]any{} == struct{ v [3]any }{}.v
	_ = v18
}

func main() {
}
