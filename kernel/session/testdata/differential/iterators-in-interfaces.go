package main

import (
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

type Pair struct{ A, B int }

type List[T any] struct{ items []T }

func (l List[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for i, x := range l.items {
			if !yield(i, x) {
				return
			}
		}
	}
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func apply[T, U any](seq iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for v := range seq {
			if !yield(f(v)) {
				return
			}
		}
	}
}

func kind(v any) string {
	switch v.(type) {
	case func(func(int) bool):
		return "function"
	case iter.Seq[int]:
		return "Seq of int"
	case iter.Seq[string]:
		return "Seq of string"
	case iter.Seq2[int, Pair]:
		return "Seq2 of Pair"
	}
	return fmt.Sprintf("%T", v)
}

func words(seq iter.Seq[string]) []string { return slices.Collect(seq) }

func main() {
	var none iter.Seq[Pair]
	fmt.Printf("%T %T %T %t\n", none, count(1), List[Pair]{}.All(), none == nil)
	plain := (func(func(int) bool))(count(2))
	var again iter.Seq[int] = plain
	fmt.Println(kind(plain), kind(again), kind(strings.SplitSeq("a b", " ")), kind(List[Pair]{}.All()), kind(none))
	fmt.Println(words(strings.SplitSeq("a b", " ")), words(func(yield func(string) bool) { yield("c") }))
	for i, p := range (List[Pair]{[]Pair{{1, 2}, {3, 4}}}).All() {
		fmt.Println(i, p)
	}
	fmt.Println(slices.Sorted(maps.Keys(map[string]int{"b": 1, "a": 2})))
	fmt.Println(slices.Collect(apply(count(3), func(i int) Pair { return Pair{i, i * i} })))
	fmt.Println(reflect.TypeOf(apply(count(1), func(int) []Pair { return nil })), reflect.TypeFor[map[string]iter.Seq[int]]())
	next, stop := iter.Pull(again)
	fmt.Println(next())
	stop()
	by := map[string]iter.Seq[int]{"two": count(2)}
	fmt.Println(slices.Collect(by["two"]), by["none"] == nil)
	for v := range reflect.ValueOf([]int{5, 6}).Seq() {
		fmt.Print(v, " ")
	}
	fmt.Println()
}
