package session

import (
	"context"
	"fmt"
	"go/token"
	"runtime"
	"strings"
	"testing"
)

// TestTextsGo runs cells of all kinds again and again. Nothing is kept of those that have neither code nor names left.
func TestTextsGo(t *testing.T) {
	const rounds = 20
	s := newSession(t)
	n := 0
	for range rounds {
		for _, src := range []string{
			"x := 1", "x + 1", "fmt.Sprint(x)", "for range 3 { x++ }", "x := )", "undefinedName", "panic(x)", "return",
			"func f() int { return x }", "f()", "g := func() int { panic(x) }", "func() { x++ }()",
			"quit := make(chan int)\ngo func() { <-quit }()\nquit <- 1", "import \"strings\"\nstrings.Repeat(\"x\", 3)", "const k = 3", "var v, w = 1, 2",
			"defer func() { x = 0 }()\nx",
		} {
			n++
			s.Execute(context.Background(), Cell{n, src}, &recorder{}) // some fail
			s.Evaluate(context.Background(), src, &recorder{})
			s.Check(whole(Cell{n, src}))
		}
	}
	const most = 17 // those of the last round
	files := 0
	for range 10 { // what the collector finds in one round may hold what it finds in the next
		runtime.GC()
		run1(t, s, n+1, "1 + 1")
		files = 0
		s.files.Iterate(func(f *token.File) bool {
			if strings.Contains(f.Name(), "cell") || f.Name() == CellName(0) {
				files++
			}
			return true
		})
		if files <= most {
			break
		}
	}
	if kept := len(s.texts.cells); files > most || kept > most {
		t.Errorf("%d files and %d texts are kept of %d cells, want %d at most", files, kept, n, most)
	}
}

// TestTextsStay keeps what tracebacks and help lead to, however long ago it ran.
func TestTextsStay(t *testing.T) {
	s := sessionWith(t,
		"// boom panics.\nfunc boom() {\n\tpanic(1)\n}",
		"h := func() {\n\tboom()\n}",
		"// Box holds one.\ntype Box[T any] struct{ V T }\n\nfunc (b Box[T]) Must(ok bool) T {\n\tif !ok {\n\t\tpanic(\"not ok\")\n\t}\n\treturn b.V\n}",
		"later := h\nv := 3",
		"type Side struct {\n\tN int // length\n}\nside := Side{2}",
		"// Unit is that of N.\nfunc (Side) Unit() string { return \"m\" }",
		"func boom(n int) {}\nh := 0", // the first boom and the first h are called by later alone
	)
	for n := range 10 {
		runtime.GC()
		run1(t, s, 100+n, "1 + 1")
	}
	for _, tt := range []struct{ src, want string }{
		{"later()", "cell 1 line 3, in boom\n"},
		{"later()", "panic(1)"},
		{"later()", "cell 2 line 2, in func1\n"},
		{"Box[string]{}.Must(false)", "cell 3 line 6, in Box.Must\n"},
		{"Box[int]{}.Must(false)", "panic(\"not ok\")"},
	} {
		_, e := s.Execute(context.Background(), Cell{200, tt.src}, &recorder{})
		if e == nil || !strings.Contains(strings.Join(e.Traceback, "\n"), tt.want) {
			t.Errorf("%s: got %v, want %q in it", tt.src, e, tt.want)
		}
		runtime.GC()
	}
	for name, want := range map[string]string{
		"Box": "type Box[T any] struct", "v": "v := 3", "later": "later := h", "boom": "func boom(n int) {}",
		"side.Unit": "return \"m\"", "side.N": "length",
	} {
		b, ok := s.Inspect(name, len(name), 1)
		if text := fmt.Sprint(b.Data["text/plain"]); !ok || !strings.Contains(text, want) {
			t.Errorf("%s: got %q, want %q in it", name, text, want)
		}
	}
}
