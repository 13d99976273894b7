package session

import (
	"context"
	"testing"
)

// BenchmarkCell runs a one-line cell in a session that has run before: check, lower, evaluate.
func BenchmarkCell(b *testing.B) {
	for _, bench := range []struct{ name, first, src string }{
		{"expression", "x := 41", "x + 1"},
		{"print", "x := 41", "fmt.Sprintln(x)"},
		{"definition", "x := 41", "y := x + 1"},
		{"function", "x := 41", "func f(n int) int { return x + n }"},
		{"method", "type T struct{ N int }\nt := T{41}", "func (t T) Get() int { return t.N }"},
		{"generic", "func Id[T any](x T) T { return x }", "Id(3)"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := newSession(b)
			out := &recorder{}
			if _, e := s.Execute(context.Background(), Cell{1, bench.first}, out); e != nil {
				b.Fatal(e)
			}
			before := heap()
			n := 1
			for b.Loop() {
				n++
				if _, e := s.Execute(context.Background(), Cell{n, bench.src}, out); e != nil {
					b.Fatal(e)
				}
			}
			b.StopTimer()
			b.ReportMetric(float64(int64(heap())-int64(before))/float64(n), "B/cell")
		})
	}
}

// BenchmarkLoop runs a loop of a million steps over a local and over a session variable.
func BenchmarkLoop(b *testing.B) {
	for _, bench := range []struct{ name, src string }{
		{"local", "func() {\n\tsum := 0\n\tfor i := 0; i < 1000000; i++ {\n\t\tsum += i\n\t}\n}()"},
		{"session", "total := 0\nfor i := 0; i < 1000000; i++ {\n\ttotal += i\n}"},
		{"calls", "func fib(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn fib(n-1) + fib(n-2)\n}\nfib(20)"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := newSession(b)
			n := 0
			for b.Loop() {
				n++
				if _, e := s.Execute(context.Background(), Cell{n, bench.src}, &recorder{}); e != nil {
					b.Fatal(e)
				}
			}
		})
	}
}

// BenchmarkNew opens a session and runs its first cell.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		s, err := New()
		if err != nil {
			b.Fatal(err)
		}
		if _, e := s.Execute(context.Background(), Cell{1, "fmt.Sprint(mat.NewDense(2, 2, nil).At(0, 0))"}, &recorder{}); e != nil {
			b.Fatal(e)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
