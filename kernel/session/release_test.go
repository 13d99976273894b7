package session

import "testing"

// TestReplacedStays uses what names meant before, from where that can still be reached.
func TestReplacedStays(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cells []string
		want  string // of the last cell
	}{
		{"a variable in a generic function", []string{"n := 1", "func G[T any](t T) int { return n }", "n := 2.5", "n := \"s\"", "G(0)"}, "1"},
		{"a function in a generic function", []string{"func f() int { return 1 }", "func G[T any](t T) int { return f() }", "func f(x int) {}", "f := 3", "G(0)"}, "1"},
		{"a variable of a type that got a method", []string{"type T struct{ N int }", "t := T{4}", "func get() int { return t.N }", "func (t T) M() int { return t.N }", "t := 0", "get()"}, "4"},
		{"a copied variable", []string{"type T struct{ N int }", "t := T{4}", "func (t T) M() int { return t.N }", "t = T{5}\nt.M()"}, "5"},
		{"a variable in a closure", []string{"n := 1", "c := func() int { n++; return n }", "n := \"s\"", "c()\nc()"}, "3"},
		{"a variable that a function takes the place of", []string{"n := 1", "c := func() int { return n }", "func n() {}", "c()"}, "1"},
		{"a variable that a type takes the place of", []string{"n := 1", "p := &n", "type n int", "*p"}, "1"},
		{"a function that a variable takes the place of", []string{"func f() int { return 7 }", "func g() int { return f() }", "f := 1", "g() + f"}, "8"},
		{"the same type again", []string{"n := 1", "c := func() int { return n }", "n := 5", "c()"}, "5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t)
			for i, src := range tt.cells {
				if got := run1(t, s, i+1, src); i == len(tt.cells)-1 && got != tt.want {
					t.Errorf("got %s, want %s", got, tt.want)
				}
			}
		})
	}
}
