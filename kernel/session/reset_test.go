package session

import (
	"context"
	"strings"
	"testing"
)

// A resetStep is a cell, and what it gives: its result, or with a leading ! a part of its error.
type resetStep struct{ src, want string }

func (st resetStep) run(t *testing.T, s *Session, n int) {
	t.Helper()
	b, e := s.Execute(context.Background(), Cell{n, st.src}, &recorder{})
	wanted, fails := strings.CutPrefix(st.want, "!")
	switch {
	case fails && (e == nil || !strings.Contains(e.Value, wanted)):
		t.Errorf("%s: got %v, want an error with %s", st.src, e, wanted)
	case fails:
	case e != nil:
		t.Errorf("%s: %v", st.src, e)
	case wanted == "" && b != nil, wanted != "" && (b == nil || b.Data["text/plain"] != wanted):
		t.Errorf("%s: got %v, want %s", st.src, b, wanted)
	}
}

// TestReset plays cells before and after a reset.
func TestReset(t *testing.T) {
	tests := []struct {
		name          string
		before, after []resetStep
	}{
		{"a variable", []resetStep{{"x := 1", ""}}, []resetStep{{"x", "!undefined: x"}, {"x := \"a\"", ""}, {"x", "a"}}},
		{"a function", []resetStep{{"func f() int { return 1 }", ""}, {"f()", "1"}},
			[]resetStep{{"f()", "!undefined: f"}, {"func f() string { return \"new\" }", ""}, {"f()", "new"}}},
		{"a function of the same type", []resetStep{{"func f() int { return 1 }", ""}}, []resetStep{{"func f() int { return 2 }\nf()", "2"}}},
		{"an import", []resetStep{{"import \"strings\"", ""}}, []resetStep{{"strings.ToUpper(\"a\")", "!undefined: strings"}}},
		{"an import with a dot", []resetStep{{"import . \"strings\"", ""}}, []resetStep{{"ToUpper(\"a\")", "!undefined: ToUpper"}}},
		{"a preloaded name that was taken", []resetStep{{"fmt := 1", ""}, {"fmt", "1"}}, []resetStep{{"fmt.Sprint(2)", "2"}}},
		{"a type and its method", []resetStep{{"type T struct{ N int }\nfunc (t T) Get() int { return t.N }", ""}, {"T{1}.Get()", "1"}},
			[]resetStep{{"T{}", "!undefined: T"}, {"type T struct{ N int }", ""}, {"T{2}.Get()", "!no field or method Get"},
				{"func (t T) Get() string { return fmt.Sprint(\"n\", t.N) }", ""}, {"T{3}.Get()", "n3"}}},
		{"a type with another underlying type", []resetStep{{"type T int", ""}, {"type T string\nvar t T = \"x\"", ""}},
			[]resetStep{{"type T []int\nT{1}", "[1]"}}},
		{"a generic function", []resetStep{{"func Two[A any](a A) []A { return []A{a, a} }", ""}, {"Two(1)", "[1 1]"}},
			[]resetStep{{"Two(1)", "!undefined: Two"}, {"func Two[A any](a A) [2]A { return [2]A{a, a} }", ""}, {"Two(1)", "[1 1]"}, {"Two(\"s\")", "[s s]"}}},
		{"a generic type", []resetStep{{"type P[A any] struct{ X A }", ""}, {"P[int]{1}", "{1}"}},
			[]resetStep{{"P[int]{1}", "!undefined: P"}, {"type P[A any] struct{ Y []A }", ""}, {"len(P[int]{}.Y)", "0"}}},
		{"ctx", []resetStep{{"x := ctx.Err()", ""}}, []resetStep{{"ctx.Err() == nil", "true"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t)
			n := 0
			for _, st := range tt.before {
				n++
				st.run(t, s, n)
			}
			s.Reset()
			if names := s.Names(); len(names) > 0 {
				t.Errorf("%v are still known", names)
			}
			for _, st := range tt.after {
				n++
				st.run(t, s, n)
			}
		})
	}
}

// TestResetFrees checks that a reset frees large values, also those that functions refer to.
func TestResetFrees(t *testing.T) {
	const size = 100 << 20
	for _, src := range []string{
		"m := make([]byte, 100<<20)",
		"m := make([]byte, 100<<20)\nfunc f() int { return len(m) }\nf()",
		"m := make([]byte, 100<<20)\ng := func() int { return len(m) }\ng()",
	} {
		t.Run(src, func(t *testing.T) {
			s := newSession(t)
			before := heap()
			resetStepRun(t, s, src)
			if held := heap() - before; held < size*9/10 {
				t.Fatalf("the cell holds %d bytes, want %d at least", held, size*9/10)
			}
			s.Reset()
			resetStepRun(t, s, "1") // the session keeps the last run
			if held := int64(heap()) - int64(before); held > size/2 {
				t.Errorf("%d bytes are held after the reset", held)
			}
		})
	}
}

func resetStepRun(t *testing.T, s *Session, src string) {
	t.Helper()
	if _, e := s.Execute(context.Background(), Cell{1, src}, &recorder{}); e != nil {
		t.Fatal(e)
	}
}

// TestResetLetsGoroutinesGoOn checks that a goroutine of an earlier cell keeps its variables and functions.
func TestResetLetsGoroutinesGoOn(t *testing.T) {
	s := newSession(t)
	out := &recorder{}
	src := "n, wait, done := 41, make(chan bool), make(chan bool)\nfunc add() { n++; fmt.Print(\"n is \", n) }\n" +
		"go func() { <-wait; add(); close(done) }()\ndisplay.Show(1)"
	if _, e := s.Execute(context.Background(), Cell{1, src}, out); e != nil {
		t.Fatal(e)
	}
	wait, done := s.Values()["wait"].Interface().(chan bool), s.Values()["done"].Interface().(chan bool)
	if s.Goroutines() != 1 {
		t.Errorf("%d goroutines, want 1", s.Goroutines())
	}
	s.Reset()
	close(wait)
	<-done
	if got := out.stdout(); got != "n is 42" {
		t.Errorf("got %q, want n is 42", got)
	}
}
