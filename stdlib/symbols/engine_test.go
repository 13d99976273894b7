package symbols_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"

	"orthant/stdlib/symbols"
)

// TestEngine runs programs that use the tables.
func TestEngine(t *testing.T) {
	tests := []struct {
		name string
		src  string
		want string // what is printed
	}{
		{
			name: "functions, methods and variables",
			src: `import ("fmt"; "gonum.org/v1/gonum/mat"; "gonum.org/v1/gonum/floats"; "io")
				func main() { d := mat.NewDense(2, 2, []float64{1, 2, 3, 4}); fmt.Print(d.At(1, 0), floats.Sum(d.RawRowView(1)), io.EOF) }`,
			want: "3 7 EOF",
		},
		{
			name: "interpreted type met by a compiled function",
			src: `import ("fmt"; "sort")
				type down []int
				func (d down) Len() int { return len(d) }
				func (d down) Less(i, j int) bool { return d[i] > d[j] }
				func (d down) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
				func main() { d := down{1, 3, 2}; sort.Sort(d); fmt.Print(d) }`,
			want: "[3 2 1]",
		},
		{
			name: "interpreted String method",
			src: `import "fmt"
				type celsius struct{ t int }
				func (c celsius) String() string { return "warm" }
				func main() { fmt.Print(celsius{30}) }`,
			want: "warm",
		},
		{
			name: "untyped constants keep their precision",
			src: `import ("fmt"; "math"; "os")
				func main() { fmt.Print(math.MaxUint64/2 == math.MaxInt64, math.Pi > 3, os.DevNull != "") }`,
			want: "true true true",
		},
		{
			name: "newer than the engine",
			src: `import ("fmt"; "math/rand/v2"; "strings"; "sync")
				func main() {
					var wg sync.WaitGroup
					wg.Go(func() { fmt.Print(rand.New(rand.NewPCG(1, 2)).IntN(1)) })
					wg.Wait()
					n := 0
					strings.Lines("a\nb\n")(func(string) bool { n++; return true })
					fmt.Print(n)
				}`,
			want: "02",
		},
		{
			name: "packages with generics only can be imported",
			src: `import (_ "cmp"; _ "iter"; _ "maps"; _ "slices"; _ "unique"; _ "weak"; "fmt")
				func main() { fmt.Print("ok") }`,
			want: "ok",
		},
		{
			name: "unsafe",
			src: `import ("fmt"; "unsafe")
				func main() { var x int32; fmt.Print(unsafe.Sizeof(x)) }`,
			want: "4",
		},
		{
			name: "exits are panics",
			src: `import ("fmt"; "os"; "log"; "syscall")
				func try(f func()) { defer func() { fmt.Print(recover(), ";") }(); f() }
				func main() {
					try(func() { os.Exit(3) })
					try(func() { syscall.Exit(4) })
					try(func() { log.Fatal("gone") })
				}`,
			want: "os.Exit(3);os.Exit(4);gone;",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			i := interp.New(interp.Options{Stdout: &out, Stderr: &errs})
			if err := i.Use(symbols.Symbols); err != nil {
				t.Fatal(err)
			}
			if _, err := i.Eval("package main\n" + tt.src); err != nil {
				t.Fatalf("%v\n%s", err, errs.String())
			}
			if got := strings.TrimSpace(out.String()); got != tt.want {
				t.Errorf("printed %q, want %q", got, tt.want)
			}
		})
	}
}

// BenchmarkUse makes an interpreter with all symbols, as a new session does.
func BenchmarkUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if err := interp.New(interp.Options{}).Use(symbols.Symbols); err != nil {
			b.Fatal(err)
		}
	}
}
