package session

import (
	"context"
	"testing"
	"time"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
)

// BenchmarkBesideEngine runs loops of ten million steps as cells and by the interpreter alone, in turn, and reports how many
// times as long the cells take. What the interpreter alone does not know, such as a range over an integer, stands beside
// the loop that comes nearest.
//
//	go test ./kernel/session -run '^$' -bench BesideEngine -benchtime 3x
func BenchmarkBesideEngine(b *testing.B) {
	const plain = "func f() int { sum := 0; for i := 0; i < 10000000; i++ { sum += i }; return sum }"
	for _, bench := range []struct{ name, cell, alone string }{
		{"three clauses", plain, plain},
		{"range over an integer", "func f() int { sum := 0; for i := range 10000000 { sum += i }; return sum }", plain},
		{"range over a slice",
			"func f() int { list := make([]int, 10000000); sum := 0; for _, v := range list { sum += v }; return sum }", ""},
		{"elements of a slice",
			"func f() int { list := make([]int, 10000000); sum := 0; for i := 0; i < len(list); i++ { sum += list[i] }; return sum }", ""},
		{"calls of a method", // a million of them
			"type T struct{ n int }\nfunc (t T) Plus(i int) int { return t.n + i }\n" +
				"func f() int { t := T{1}; sum := 0; for i := 0; i < 1000000; i++ { sum += t.Plus(i) }; return sum }", ""},
		{"a captured variable", // a million of them: each iteration has its own in Go, none in the interpreter
			"func f() int { sum := 0; for i := 0; i < 1000000; i++ { g := func() int { return i }; _ = g; sum += i }; return sum }", ""},
	} {
		b.Run(bench.name, func(b *testing.B) {
			alone := bench.alone
			if alone == "" {
				alone = bench.cell
			}
			in := interp.New(interp.Options{})
			if err := in.Use(stdlib.Symbols); err != nil {
				b.Fatal(err)
			}
			if _, err := in.Eval(alone); err != nil {
				b.Fatal(err)
			}
			s := newSession(b)
			out := &recorder{}
			if _, e := s.Execute(context.Background(), Cell{1, bench.cell}, out); e != nil {
				b.Fatal(e)
			}
			var ours, theirs time.Duration
			n := 1
			for b.Loop() {
				n++
				start := time.Now()
				if _, e := s.Execute(context.Background(), Cell{n, "f()"}, out); e != nil {
					b.Fatal(e)
				}
				ours += time.Since(start)
				start = time.Now()
				if _, err := in.Eval("f()"); err != nil {
					b.Fatal(err)
				}
				theirs += time.Since(start)
			}
			b.ReportMetric(float64(ours)/float64(theirs), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
