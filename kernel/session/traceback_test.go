package session

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// heads returns the lines of a traceback that say where: no message, no source.
func heads(e *Error) []string {
	var out []string
	for _, line := range strings.Split(plain(strings.Join(e.Traceback[1:], "\n")), "\n") {
		if strings.HasPrefix(line, "cell ") || strings.HasPrefix(line, "expression ") || strings.HasPrefix(line, "goroutine ") || strings.Contains(line, "…") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func TestTraceback(t *testing.T) {
	const first = "type T struct{ list []int }\n" +
		"func (t *T) get(i int) int { return t.list[i] }\n" +
		"func (t T) last() int {\n\treturn t.get(len(t.list))\n}\n" +
		"func fail() {\n\tpanic(\"fail\")\n}\n" +
		"func down(n int) {\n\tif n == 0 {\n\t\tfail()\n\t}\n\tdown(n - 1)\n}\n" +
		"func even(n int) {\n\tdefer func() {}()\n\tif n == 0 {\n\t\tfail()\n\t}\n\todd(n - 1)\n}\n" +
		"func odd(n int) {\n\teven(n - 1)\n}\n" +
		"func Each[E any](s []E, f func(E)) {\n\tfor _, e := range s {\n\t\tf(e)\n\t}\n}\n" +
		"func swallow(f func()) {\n\tdefer func() { recover() }()\n\tf()\n}\n" +
		"type Loud struct{ N int }\nfunc (l Loud) String() string {\n\tfail()\n\treturn \"\"\n}\n" +
		"func Remainder[N ~int](n N) N {\n\tvar zero N\n\treturn n % zero\n}\n" +
		"func At[T any](list []T, i int) T {\n\treturn list[i]\n}"
	for _, test := range []struct {
		name string
		src  string
		want []string
	}{
		{"statement", "x := 0\n1 / x", []string{"cell 2 line 2"}},
		{"methods of another cell", "T{}.last()",
			[]string{"cell 1 line 2, in (*T).get", "cell 1 line 4, in T.last", "cell 2 line 1"}},
		{"a literal", "f := func() {\n\tfunc() {\n\t\tfail()\n\t}()\n}\nf()",
			[]string{"cell 1 line 7, in fail", "cell 2 line 3, in func1.1", "cell 2 line 2, in func1", "cell 2 line 6"}},
		{"a literal that compiled code calls", "import \"sort\"\nsort.Slice([]int{1, 2}, func(i, j int) bool {\n\tfail()\n\treturn true\n})",
			[]string{"cell 1 line 7, in fail", "cell 2 line 3, in func1", "cell 2 line 2"}},
		{"generic", "Each([]int{1}, func(i int) {\n\tfail()\n})",
			[]string{"cell 1 line 7, in fail", "cell 2 line 2, in func1", "cell 1 line 27, in Each", "cell 2 line 1"}},
		{"an operation in an instance", "Remainder(1)", []string{"cell 1 line 41, in Remainder", "cell 2 line 1"}},
		{"an index in an instance", "\n\nAt([]int{}, 1)", []string{"cell 1 line 44, in At", "cell 2 line 3"}},
		{"recursion", "down(5)",
			[]string{"cell 1 line 7, in fail", "cell 1 line 11, in down", "cell 1 line 13, in down (5 times)", "cell 2 line 1"}},
		{"deep recursion of two functions", "even(200)", []string{
			"cell 1 line 7, in fail",
			"cell 1 line 18, in even", "cell 1 line 23, in odd", "cell 1 line 20, in even", "cell 1 line 23, in odd",
			"cell 1 line 20, in even", "cell 1 line 23, in odd", "cell 1 line 20, in even",
			"… 187 calls …",
			"cell 1 line 20, in even", "cell 1 line 23, in odd", "cell 1 line 20, in even", "cell 1 line 23, in odd",
			"cell 1 line 20, in even", "cell 1 line 23, in odd", "cell 1 line 20, in even", "cell 2 line 1"}},
		{"a goroutine", "import \"time\"\nfunc start() {\n\tgo func() {\n\t\tfail()\n\t}()\n}\nstart()\ntime.Sleep(time.Minute)",
			[]string{"cell 1 line 7, in fail", "cell 2 line 4, in start.func1", "goroutine started in cell 2 line 3, in start"}},
		{"a goroutine of a named function", "import \"time\"\ngo fail()\ntime.Sleep(time.Minute)",
			[]string{"cell 1 line 7, in fail", "goroutine started in cell 2 line 2"}},
		{"in the background", "import \"time\"\ntime.AfterFunc(0, func() {\n\tfail()\n})\ntime.Sleep(time.Minute)",
			[]string{"cell 1 line 7, in fail", "cell 2 line 3, in func1"}},
		{"after a panic that was recovered", "swallow(fail)\nswallow(func() { fail() })\nvar m map[int]int\nm[0]++", []string{"cell 2 line 4"}},
		{"after a panic that compiled code recovered", "_ = fmt.Sprint(Loud{1})\nvar m map[int]int\nm[0] = 1", []string{"cell 2 line 3"}},
		{"past a panic recovered in a deferred call", "func f() {\n\tdefer func() {\n\t\tswallow(fail)\n\t}()\n\tpanic(1)\n}\nf()",
			[]string{"cell 2 line 5, in f", "cell 2 line 7"}},
		{"a panic in a deferred call takes the place of another", "func f() {\n\tdefer func() {\n\t\tfail()\n\t}()\n\tpanic(1)\n}\nf()",
			[]string{"cell 1 line 7, in fail", "cell 2 line 3, in f.func1", "cell 2 line 2, in f", "cell 2 line 7"}},
		{"a panic that goes on", "func f() {\n\tdefer func() {\n\t\tpanic(recover())\n\t}()\n\tfail()\n}\nf()",
			[]string{"cell 2 line 3, in f.func1", "cell 2 line 2, in f", "cell 2 line 7"}},
		{"goroutines that panic at once", "import \"sync\"\nvar wg sync.WaitGroup\nfor range 50 {\n\twg.Add(1)\n\tgo func() {\n\t\tdefer wg.Done()\n\t\tswallow(fail)\n\t}()\n}\nwg.Wait()\ndown(3)",
			[]string{"cell 1 line 7, in fail", "cell 1 line 11, in down", "cell 1 line 13, in down (3 times)", "cell 2 line 11"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, first)
			_, e := s.Execute(t.Context(), Cell{2, test.src}, &recorder{})
			if e == nil || e.Name != panicError {
				t.Fatalf("got %v, want a panic", e)
			}
			if got := heads(e); strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestTracebackText is how a traceback looks.
func TestTracebackText(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "func at(list []int, i int) int {\n\treturn list[i]\n}")
	_, e := s.Execute(t.Context(), Cell{2, "x := at(nil, 3)"}, &recorder{})
	want := "panic: runtime error: index out of range [3] with length 0\n" +
		"cell 1 line 2, in at\n   2 | \treturn list[i]\n       \t       ^\n" +
		"cell 2 line 1\n   1 | x := at(nil, 3)\n            ^"
	if got := plain(strings.Join(e.Traceback, "\n")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDeepPanicIsFast panics below many calls: what is noted of each must not depend on their number.
func TestDeepPanicIsFast(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "func down(n int) int {\n\tif n == 0 {\n\t\tpanic(\"deep\")\n\t}\n\treturn down(n-1) + 1\n}")
	begin := time.Now()
	_, e := s.Execute(t.Context(), Cell{2, "down(1000)"}, &recorder{})
	if got, want := heads(e), "cell 1 line 5, in down (1000 times)"; len(got) != 3 || got[1] != want {
		t.Errorf("got %q, want %q in it", got, want)
	}
	if took := time.Since(begin); took > 2*time.Second { // about 0.2 s; with a stack trace a call it was 3
		t.Errorf("took %v", took)
	}
}

// TestLateTraceback has a goroutine panic when its cell has ended: standard error says where.
func TestLateTraceback(t *testing.T) {
	s := newSession(t)
	first := &signal{want: "-", seen: make(chan struct{})}
	if _, e := s.Execute(t.Context(), Cell{1, "start := make(chan int)\ngo func() {\n\t<-start\n\tpanic(\"late\")\n}()"}, first); e != nil {
		t.Fatal(e)
	}
	run1(t, s, 2, "close(start)")
	for begin := time.Now(); first.stderr() == "" && time.Since(begin) < 5*time.Second; {
		time.Sleep(time.Millisecond) // nothing tells that the goroutine has ended
	}
	if got, want := first.stderr(), "panic in a goroutine of cell 1: late\n\tcell 1 line 4, in func1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLongErrors checks that an error of a very long line, or with a very long text, is no burden on the front end, and that the
// caret is where it belongs.
func TestLongErrors(t *testing.T) {
	s := newSession(t)
	long := strings.Repeat("é", 1<<20)
	for _, tt := range []struct{ name, src, below string }{ // below is what the caret stands below
		{"at the end", "_ = \"" + long + "\"; wrong", "wrong"},
		{"in the middle", "_ = \"" + long + "\"; wrong; _ = \"" + long + "\"", "wrong"},
		{"at the beginning", "wrong; _ = \"" + long + "\"", "wrong"},
		{"behind a tab", "\twrong; _ = \"" + long + "\"", "wrong"},
		{"when it runs", "_ = \"" + long + "\"; panic(1)", "panic(1)"},
	} {
		_, e := s.Execute(t.Context(), Cell{1, tt.src}, &recorder{})
		if e == nil {
			t.Fatalf("%s: no error", tt.name)
		}
		lines := strings.Split(plain(strings.Join(e.Traceback, "\n")), "\n")
		source, caret := []rune(lines[len(lines)-2]), []rune(lines[len(lines)-1])
		if len(string(source)) > 2*maxExcerpt || len(caret) > len(source) || !strings.HasPrefix(string(source[len(caret)-1:]), tt.below) {
			t.Errorf("%s: got\n%.1000s", tt.name, strings.Join(lines, "\n"))
		}
	}
	for _, src := range []string{`panic("` + long + `")`, `import "errors"` + "\n" + `func f() (int, error) { return 1, errors.New("` + long + `") }` + "\nf()"} {
		_, e := s.Execute(t.Context(), Cell{1, src}, &recorder{})
		if e == nil || len(e.Value) > maxErrorText+100 || !strings.HasSuffix(e.Value, "é… 2097152 bytes in all") || len(e.Traceback[0]) > maxErrorText+200 {
			t.Errorf("got %d bytes of an error", len(fmt.Sprint(e)))
		}
	}
}
