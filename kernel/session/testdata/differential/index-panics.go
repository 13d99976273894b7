package main

import "fmt"

var s, i, j = []int{1}, -2, 2
var one = func() int { return 1 }

const str = "hello"

func try(f func())   { defer func() { r := recover(); fmt.Printf("%v %T\n", r, r) }(); f() }
func none() []string { return nil }
func ret(k int) int  { return s[k] }
func main() {
	try(func() { _ = s[j] })
	try(func() { fmt.Println(s[i]) })
	try(func() { fmt.Println(s[one()]) })
	try(func() { fmt.Println(j > 0 && s[j] > 0) })
	try(func() { var a [1]int; fmt.Println(a[:j]) })
	try(func() { var a [1]int; fmt.Println(a[j], len(s)) })
	try(func() { a := &[1]int{}; fmt.Println(a[j], len(s)) })
	try(func() { var a *[1]int; fmt.Println(a[j], len(s)) })
	try(func() { fmt.Println("abc"[j+3]) })
	try(func() { t := "abc"; fmt.Println(t[j+3:], t) })
	try(func() { t := "abc"; fmt.Println(t[:j+3], t) })
	try(func() { t := ""; fmt.Println(t[:j+3], t) })
	try(func() { t := ""; fmt.Println(t[j:], t) })
	try(func() { var u uint64 = 1 << 63; fmt.Println(s[u:]) })
	try(func() { s[j] = 1 })
	try(func() { s[j]++ })
	try(func() { s[j] += 2 })
	try(func() { s[one()] = s[7] })
	try(func() { s[5] = one() / (j - 2) })
	try(func() { fmt.Println(s[j:1]) })
	try(func() { fmt.Println(s[j:]) })
	try(func() { fmt.Println(s[:i]) })
	try(func() { var m [][]int; m[0][1] = 2 })
	try(func() { m := [][]int{{}}; m[0][one()] = 2 })
	try(func() {
		for k := range 3 {
			s[k] = k
		}
	})
	try(func() { var x []struct{ a []int }; x[0].a[1]++ })
	try(func() { p := &s[3]; _ = p })
	try(func() {
		if s[3] > 2 {
			fmt.Println()
		}
	})
	try(func() {
		switch s[4] {
		case 1:
		}
	})
	try(func() {
		b := []bool{}
		if b[2] {
			fmt.Println()
		}
	})
	try(func() {
		b := []bool{}
		for b[2] {
			fmt.Println()
		}
	})
	try(func() { f := []func(){}; f[2]() })
	try(func() { f := []func(){}; defer f[2]() })
	try(func() { f := []func(){}; go f[2]() })
	try(func() { x, y := s[2], s[3]; _, _ = x, y })
	try(func() {
		for range s[5:] {
		}
	})
	try(func() { c := make(chan int, 1); c <- s[9] })
	try(func() { _ = [2]int{s[0], s[1]} })
	try(func() { fmt.Println(none()[4]) })
	try(func() { ret(3) })
	try(func() { fmt.Println(str[j+5]) })
	try(func() { i8 := int8(-3); fmt.Println(s[i8]) })
	try(func() { u8 := uint8(200); fmt.Println(s[u8]) })
}
