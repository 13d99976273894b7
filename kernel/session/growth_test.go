package session

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// TestGrowth runs thousands of cells of all kinds and measures what stays of one: the engine keeps nothing of what it has
// compiled, and replaced values are freed.
func TestGrowth(t *testing.T) {
	const limit = 1 << 10 // bytes a cell; measured are 0.2 KiB, most of it of the cells that declare a method anew
	cells := 1000
	if os.Getenv("ORTHANT_LONG") != "" {
		cells = 10000
	}
	if testing.Short() {
		t.Skip("-short: runs a thousand cells")
	}
	kinds := []string{
		"%d + x", "x = %d", "y := x + %d", "fmt.Sprint(%d)", "func f(n int) int { return x + n + %d }",
		"func (t T) Get() int { return t.N + %d }", "T{%d}.Get()", "Twice(%d)", "g := func() int { return x + %d }\ng()",
		"for i := range 10 { x += i + %d }", "type U struct{ A, B int }\nU{%d, 2}", "m[%d] = x",
	}
	s := newSession(t)
	run := func(n int) {
		src := fmt.Sprintf(kinds[n%len(kinds)], n%7)
		if _, e := s.Execute(context.Background(), Cell{n, src}, &recorder{}); e != nil {
			t.Fatalf("%s: %v", src, e)
		}
	}
	first := "x := 1\nm := map[int]int{}\ntype T struct{ N int }\nfunc Twice[A any](a A) []A { return []A{a, a} }"
	if _, e := s.Execute(context.Background(), Cell{1, first}, &recorder{}); e != nil {
		t.Fatal(e)
	}
	for n := range len(kinds) {
		run(n)
	}
	before := heap()
	for n := range cells {
		run(n)
	}
	grown := int64(heap()) - int64(before)
	t.Logf("%d bytes a cell", grown/int64(cells))
	if grown > int64(limit*cells) {
		t.Errorf("%d cells left %d bytes each, want %d at most", cells, grown/int64(cells), limit)
	}
}

// TestRerun runs a cell that makes a large value again and again: each frees the one before.
func TestRerun(t *testing.T) {
	const limit = 100 << 20
	for _, src := range []string{"m := make([]float64, 5e6)", "var m = make([]float64, 5e6)", "len(make([]float64, 5e6))"} {
		t.Run(src, func(t *testing.T) {
			s := newSession(t)
			before := heap()
			for n := range 10 {
				if _, e := s.Execute(context.Background(), Cell{n + 1, src}, &recorder{}); e != nil {
					t.Fatal(e)
				}
			}
			if kept := int64(heap()) - int64(before); kept > limit {
				t.Errorf("%d bytes are kept, want %d at most", kept, limit)
			}
		})
	}
}
