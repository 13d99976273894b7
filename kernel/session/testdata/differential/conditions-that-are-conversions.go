package main

import "fmt"

// Conversions of truth values, as conditions and as operands of && and ||.

type T1 bool

var g9 bool = false
var g10 string = "a"

func a() T1     { return T1(g9) || g10 == g10 }
func b() T1     { x := T1(g9) || g10 == g10; return x }
func c() bool   { return g9 || g10 == g10 }
func d() bool   { return bool(g9) || g10 == g10 }
func f() T1     { return T1(g9) || T1(true) }
func g() T1     { return !T1(g9) && g10 == g10 }
func h() T1     { y := T1(g9); return y || g10 == g10 }
func i() T1     { return T1(g9) || T1(g10 == g10) }
func j() (r T1) { r = T1(g9) || g10 == g10; return }
func k(x int) T1 {
	if T1(g9) || x == x {
		return true
	}
	return false
}
func l(x int) T1         { return T1(g9) || x == x }
func m(x int, q bool) T1 { return T1(q) || x == 3 }
func n(x int, q bool) T1 { return T1(q) && x == 3 }

var t T1 = T1(g9) || g10 == g10

func b1(q, x bool) bool    { return bool(q) || x }
func b2(q T1, x bool) bool { return bool(q) || x }
func b3(q, x T1) T1        { return q || x }
func b4(q, x T1) T1        { return !q || x }
func b5(q bool, x T1) T1   { z := T1(q); return z || x }
func e1() T1               { return g10 == g10 || T1(g9) }
func e2(v any) T1          { return T1(g9) || v == 1 && T1(v != nil) }
func e3(v any) T1          { return T1(v == 1) || T1(g9) }
func e4() (n int) {
	if T1(g9) {
		n = 1
	}
	if !T1(g9) {
		n += 2
	}
	if bool(!T1(g9)) {
		n += 4
	}
	for T1(n < 9) {
		n++
	}
	for !bool(T1(n > 12)) {
		n++
	}
	return
}
func e5(q, r T1) (T1, bool) { return !(q || !T1(r)) && (T1(g9) || r), bool(q || r) }
func e6(m map[string]T1) T1 { return T1(g9) || m["a"] }
func e7(v any) T1           { return T1(v == 2) && !T1(g9) }

type S struct{ ok T1 }

func sw(q bool, v any) string {
	switch {
	case bool(T1(q)):
		return "T1"
	case bool(T1(v == 1)), !bool(T1(v != 2)):
		return "v"
	case v.(int) == 7 && T1(v == 7) == T1(true):
		return "7"
	}
	return "none"
}

var vb any = true

func q1(v any) int {
	if v.(bool) {
		return 1
	}
	return 0
}
func q2(p *T1, c chan T1) string {
	s := ""
	if *p {
		s += "p"
	}
	if <-c {
		s += "c"
	}
	if bool(<-c) {
		s += "d"
	}
	if *p || g10 == g10 {
		s += "e"
	}
	if T1(*p) && g10 != g10 {
		s += "f"
	}
	return s
}

type T2 T1

func r(a T1, b T2) T2 {
	if bool(a) == bool(b) && T2(a) {
		return T2(a) && b
	}
	return T2(a || T1(b)) && T2(g10 == g10) || !b
}
func (t T1) Error() string { return fmt.Sprint("T1.", bool(t)) }
func er(s string) error    { return T1(s == "a") || T1(s == "b") }

var err2 error = T1(g10 == "a") && !T1(g9)

func counts() {
	for i := 0; T1(i < 3); i++ {
		defer func() { fmt.Println(i) }()
	}
}

func main() {
	fmt.Println(a(), b(), c(), d(), f(), g(), h(), i(), j(), k(1), l(1), m(3, false), n(3, true))
	fmt.Println(t, T1(g9) || g10 == g10)
	fmt.Println(b1(false, true), b2(false, true), b3(false, true), b4(true, true), b5(false, true), b1(true, false), b2(true, false), b3(true, false), b4(false, false), b5(true, false))
	fmt.Println(e1(), e2(1), e2(2), e3(1), e3(2), e4(), e6(map[string]T1{"a": true}), e7(2), e7(3))
	fmt.Println(e5(false, true))
	fmt.Println(e5(true, false))
	fmt.Printf("%T %T\n", T1(g9) || g10 == g10, bool(T1(g9)) || g10 == g10)
	s := S{T1(g9) || g10 == g10}
	fmt.Println(s, []T1{T1(g9) || g10 != g10, !T1(g9) && s.ok})
	fmt.Println(sw(true, 1), sw(false, 1), sw(false, 2), sw(false, 3), sw(false, 7))
	c := make(chan T1, 2)
	c <- false
	c <- true
	fmt.Println(q1(true), q1(false), q2(new(T1), c))
	fmt.Println(r(true, true), r(true, false), r(false, true), r(false, false))
	fmt.Println(er("a"), er("b"), er("c"), err2)
	counts()
	for i := 0; T1(i < 3) && !T1(i == 2); i++ {
		fmt.Println(i)
	}
}
