package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
)

type T int

func (T) String() string { return "T!" }

type S struct {
	T
	A int
}

type P struct {
	f S
	g T
	X any
}

type Q struct{ a, B int }

func two() (P, any) { return P{}, P{} }

func later() {
	defer fmt.Println("deferred", P{}, []any{P{}}, T(1))
	defer fmt.Println(two())
	defer fmt.Print([]any{P{}, S{}}...)
	defer json.NewEncoder(os.Stdout).Encode(Q{1, 2})
	fmt.Println("now", P{X: P{}}, []any{P{}}, T(1))
}

func apply[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return
}

func all(list []any, f func(...any) string) (out []string) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return
}

func main() {
	later()
	done := make(chan bool)
	go func(print func(...any) (int, error)) {
		print("goroutine", P{})
		close(done)
	}(fmt.Println)
	<-done

	marshal := json.Marshal
	text, _ := marshal(Q{3, 4})
	encode := json.NewEncoder(os.Stdout).Encode
	fmt.Println(string(text), encode(Q{5, 6}))
	method := (*json.Encoder).Encode
	fmt.Println(method(json.NewEncoder(os.Stdout), Q{7, 8}))
	logger := log.New(os.Stdout, "", 0)
	line := logger.Println
	line(P{}, []any{P{}})
	fmt.Println(all([]any{P{}, S{}}, fmt.Sprint))
	errorf := fmt.Errorf
	fmt.Println(errorf("%w %v", os.ErrNotExist, P{}))
	by := map[string]func(string, ...any) string{"s": fmt.Sprintf}
	fmt.Println(by["s"]("%v %d", P{}, 3), by["t"] == nil)
	fmt.Println(apply([]Q{{1, 2}}, func(q Q) string { return fmt.Sprint(q) }))
}
