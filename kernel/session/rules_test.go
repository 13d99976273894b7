package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"orthant/stdlib/display"
)

// A step is one cell of a rule's session, with what it must give. Empty wants are not compared, but for err and none.
type step struct {
	src    string
	result string   // text/plain of the result
	none   bool     // no result
	out    string   // standard output, exact
	stderr string   // standard error, exact; "-" for none
	err    []string // parts of the error's value; none for success
	name   string   // the error's name
	trace  []string // lines of the traceback, without colours
}

// rules are the sentences of design.md section 3 (Scope, Failing, Result, the names), each with the session that shows it.
var rules = []struct {
	name  string
	steps []step
}{
	{"imports, declarations and statements in any order", []step{
		{src: "fmt.Println(twice(k))\nfunc twice(n int) int { return 2 * n }\nconst k = 21\nimport \"strings\"\nvar s = strings.ToUpper(\"a\")\ns", out: "42\n", result: "A"},
	}},
	{"a package clause and main, which runs only when called", []step{
		{src: "package main\n\nfunc main() { fmt.Println(\"main\") }", out: ""},
		{src: "main()\nmain()", out: "main\nmain\n", none: true},
	}},
	{"functions see variables that the cell defines after them", []step{
		{src: "func add(n int) { total += n }\ntotal := 1\nadd(2)\ntotal", result: "3"},
	}},
	{"the right side of := sees the older variable", []step{
		{src: "x := 1"}, {src: "x := x + 1"}, {src: "x", result: "2"},
		{src: "x := fmt.Sprint(x, \"!\")\nx", result: "2!"},
	}},
	{"not twice in one cell", []step{
		{src: "y := 1\ny := 2", name: compileError, err: []string{"cell 1 line 2: no new variables on left side of :="}},
		{src: "y", err: []string{"undefined: y"}},
	}},
	{"a function sees the newest definition of what it calls", []step{
		{src: "func step(a, b int) int { return a + b }\nfunc run() int { return step(2, 3) }"},
		{src: "run()", result: "5"},
		{src: "func step(a, b int) int { return a * b }", stderr: "-"},
		{src: "run()", result: "6"},
	}},
	{"another type leaves functions behind, and the cell says so", []step{
		{src: "func f() int { return 1 }\nvar n = 10"},
		{src: "func g() int { return f() + n }"},
		{src: "func f() string { return \"one\" }", stderr: "f has another type now; g (cell 2) still uses the f of cell 1\n"},
		{src: "n := \"ten\"", stderr: "n has another type now; g (cell 2) still uses the n of cell 1\n"},
		{src: "g()", result: "11"},
		{src: "f() + n", result: "oneten"},
	}},
	{"a value that a closure holds stays when its name gets another type", []step{
		{src: "v := 7\nget := func() int { return v }\np := &v"},
		{src: "v := \"seven\""},
		{src: "get() + *p", result: "14"},
	}},
	{"a type with an identical underlying type stays the type", []step{
		{src: "type T struct{ N int }\nfunc (t T) Get() int { return t.N }\nt := T{3}"},
		{src: "type T struct{ N int }\nfunc (t T) Get() int { return 10 * t.N }", stderr: "-"},
		{src: "t.Get()", result: "30"},
		{src: "t = T{4}\nt.Get()", result: "40"},
	}},
	{"and gets the methods of later cells", []step{
		{src: "type T struct{ N int }\nt := T{3}\nts := []T{{1}, {2}}"},
		{src: "func (t *T) Inc() { t.N++ }\nfunc (t T) Double() int { return 2 * t.N }"},
		{src: "t.Inc()\nt.Double()", result: "8"},
		{src: "ts[1].Inc()\nts[1].Double()", result: "6"},
	}},
	{"a method that fails to compile leaves nothing behind", []step{
		{src: "type T struct{ N int }\nt := T{3}"},
		{src: "func (t T) Get() int { return t.M }", err: []string{"t.M undefined"}},
		{src: "t.Get()", err: []string{"t.Get undefined"}},
		{src: "func (t T) Get() string { return fmt.Sprint(t.N) }"},
		{src: "t.Get()", result: "3"},
	}},
	{"messages tell the types of two cells apart", []step{
		{src: "type T struct{ A int }\nt := T{4}"},
		{src: "type T struct{ A, B int }", stderr: "T has another type now; t (cell 1) still uses the T of cell 1\n"},
		{src: "var u T = t", err: []string{"cannot use t (variable of struct type T of cell 1) as T value in variable declaration"}},
		{src: "t.A", result: "4"},
		{src: "T{1, 2}", result: "{1 2}"},
	}},
	{"a method's signature changes with its type's declaration only", []step{
		{src: "type T struct{ N int }\nfunc (t T) Get() int { return t.N }"},
		{src: "func (t T) Get() string { return \"\" }", err: []string{"method T.Get has another signature already"}},
		{src: "type T struct{ N int }\nfunc (t T) Get() string { return fmt.Sprint(t.N, \"!\") }\nT{1}.Get()", result: "1!"},
	}},
	{"unused imports and session variables are no error; unused local ones are", []step{
		{src: "import \"os\"\nunused := 1", stderr: "-"},
		{src: "func f() {\n\tx := 1\n}", err: []string{"line 2: declared and not used: x"}},
	}},
	{"defer at top level runs at the cell's end", []step{
		{src: "defer fmt.Println(\"deferred\")\nfmt.Println(\"body\")\n40 + 2", out: "body\ndeferred\n", result: "42"},
		{src: "defer fmt.Println(\"deferred\")\npanic(\"boom\")", out: "deferred\n", err: []string{"boom"}, name: panicError},
	}},
	{"a cell that fails the check changes nothing", []step{
		{src: "n := 10"},
		{src: "fmt.Println(\"must not appear\")\nvar m int = \"ten\"\nn = 11", out: "", name: compileError,
			err: []string{`cell 2 line 2: cannot use "ten" (untyped string constant) as int value in variable declaration`},
			trace: []string{
				`cell 2 line 2: cannot use "ten" (untyped string constant) as int value in variable declaration`,
				`   2 | var m int = "ten"`,
				`                   ^`}},
		{src: "n", result: "10"},
		{src: "m", err: []string{"undefined: m"}},
	}},
	{"all errors of a cell at once", []step{
		{src: "a := b\nc := d", err: []string{"cell 1 line 1: undefined: b", "cell 1 line 2: undefined: d"}},
	}},
	{"a cell that fails while it runs keeps what had finished", []step{
		{src: "k := 1"},
		{src: "x := 5\nk := \"new\"\nvar z = []int{}[k[0]]\nw := 2", err: []string{"index out of range"}, name: panicError,
			trace: []string{"panic: runtime error: index out of range [110] with length 0", "cell 2 line 3", `   3 | var z = []int{}[k[0]]`, `               ^`}},
		{src: "fmt.Sprint(x, k)", result: "5new"},
		{src: "z", err: []string{"undefined: z"}},
		{src: "w", err: []string{"undefined: w"}},
	}},
	{"a redefinition that did not finish leaves the earlier one", []step{
		{src: "m := 3\nfunc fail() string { panic(\"no\") }"},
		{src: "m := fail()", err: []string{"no"}},
		{src: "m + 1", result: "4"},
	}},
	{"the last expression is the result", []step{
		{src: "1 + 2", result: "3"}, {src: "\"a\" + \"b\";", none: true}, {src: "x := 1", none: true},
		{src: "fmt.Print(\"p\")", out: "p", none: true}, {src: "len(\"abc\")", result: "3"}, {src: "float64(3)", result: "3"},
		{src: "nil", result: "<nil>"}, {src: "'a'", result: "97"}, {src: "1 << 40", result: "1099511627776"},
		{src: "func(a int) string { return \"\" }", result: "func(a int) string"},
		{src: "func() (int, string) { return 1, \"b\" }()", result: "1 b"},
		{src: "x == 1\nfunc later() {}", result: "true"},
		{src: "return\n5", none: true},
		{src: "5\n6", err: []string{"line 1: 5 (untyped int constant) is not used"}},
	}},
	{"values of types that cells declared print as in compiled Go", []step{
		{src: "type P struct { X int; y string; L []P; M map[string]*P }\ntype C int\nfunc (c C) String() string { return \"c\" + fmt.Sprint(int(c)) }"},
		{src: "P{1, \"s\", []P{{X: 2}}, nil}", result: "{1 s [{2  [] map[]}] map[]}"},
		{src: "&P{X: 1}", result: "&{1  [] map[]}"},
		{src: "[]C{1, 2}", result: "[c1 c2]"},
		{src: "map[C]P{2: {}}", result: "map[c2:{0  [] map[]}]"},
		{src: "struct{ A C; b C }{1, 2}", result: "{c1 2}"},
		{src: "var c any = C(3)\n[]any{1, \"a\", nil}", result: "[1 a <nil>]"},
	}},
	{"several results that end in an error fail the cell", []step{
		{src: "import \"strconv\"\nstrconv.Atoi(\"7\")", result: "7 <nil>"},
		{src: "strconv.Atoi(\"x\")", name: "*strconv.NumError", err: []string{`strconv.Atoi: parsing "x": invalid syntax`}},
	}},
	{"a single error is a value", []step{
		{src: "import \"errors\"\nerrors.New(\"boo\")", result: "boo"},
	}},
	{"an error that nothing looks at is mentioned", []step{
		{src: "import \"strconv\"\n\nn, err := strconv.Atoi(\"x\")\nn + 1", result: "1",
			stderr: "line 3: err = strconv.Atoi: parsing \"x\": invalid syntax, not looked at\n"},
		{src: "n, err = strconv.Atoi(\"y\")\nfmt.Println(err != nil)", out: "true\n", stderr: "-"},
		{src: "import \"errors\"\nvar errStop = errors.New(\"stop\")", stderr: "-"},
	}},
	{"a user's declaration wins over a preloaded name, an import brings it back", []step{
		{src: "score := 5\nscore + 1", result: "6"},
		{src: "score.NMI", err: []string{"score.NMI undefined"}},
		{src: "import \"orthant/clustering/score\"\nscore.Accuracy([]int{0, 1}, []int{1, 0})", result: "1 <nil>"},
	}},
	{"a message says which cell hides a preloaded package", []step{
		{src: "mat := 1"},
		{src: "mat.NewDense(1, 1, nil)", err: []string{"mat.NewDense undefined", "mat is the variable of cell 1", `import "gonum.org/v1/gonum/mat" brings the package back`}},
	}},
	{"types may be declared from types of earlier cells", []step{
		{src: "type T struct{ N int }\nt := T{4}"},
		{src: "type Q T\ntype A = T\ntype L []T\nfunc (q Q) Twice() int { return 2 * q.N }"},
		{src: "var a A = t\nQ(a).Twice() + len(L{t})", result: "9"},
	}},
	{"only a deferred function itself recovers", []step{
		{src: "func helper() { fmt.Print(recover()) }\nfunc cleanup() { helper() }\nfunc f() {\n\tdefer cleanup()\n\tpanic(\"on\")\n}"},
		{src: "f()", out: "<nil>", name: panicError, err: []string{"on"}},
		{src: "func g() {\n\tdefer helper()\n\tpanic(\"off\")\n}\ng()", out: "off", none: true},
	}},
	{"a panic's value of a declared type shows its own text", []step{
		{src: "type E struct{ c int }\nfunc (e *E) Error() string { return fmt.Sprint(\"E\", e.c) }\npanic(&E{3})", name: panicError, err: []string{"E3"}},
	}},
	{"a call with several results keeps the first one's representations", []step{
		{src: "func m() (mat.Matrix, error) { return mat.NewDense(2, 2, []float64{1, 2, 3, 4}), nil }\nm()", result: "Dims(2, 2)\n⎡1  2⎤\n⎣3  4⎦\n<nil>"},
	}},
	{"a result that overflows says so without what we wrap around it", []step{
		{src: "1 << 70", err: []string{"as the cell's result"}},
	}},
	{"strings that are no UTF-8", []step{
		{src: "for i, r := range \"a\\xffb\" {\n\tfmt.Print(i, r, \" \")\n}", out: "0 97 1 65533 2 98 ", none: true},
	}},
	{"imports may be repeated and names of packages reused", []step{
		{src: "import \"math/rand\"\nimport \"fmt\""}, {src: "import \"math/rand\"\nimport r2 \"math/rand/v2\"\n_ = rand.Intn\n_ = r2.IntN"},
		{src: "import rand \"crypto/rand\"\n_ = rand.Reader"},
	}},
	{"an import that is not compiled in says what there is", []step{
		{src: "import \"gonum.org/v1/gonum/matt\"", err: []string{"gonum.org/v1/gonum/matt", "gonum.org/v1/gonum/mat"}},
	}},
	{"generic functions and types", []step{
		{src: "func Map[T, U any](s []T, f func(T) U) []U {\n\tvar r []U\n\tfor _, v := range s {\n\t\tr = append(r, f(v))\n\t}\n\treturn r\n}"},
		{src: "Map([]int{1, 2}, func(i int) string { return fmt.Sprint(i * i) })", result: "[1 4]"},
		{src: "type Stack[T any] struct{ items []T }\nfunc (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }\nfunc (s Stack[T]) Len() int { return len(s.items) }"},
		{src: "var s Stack[string]\ns.Push(\"a\")\ns.Push(\"b\")\ns.Len()", result: "2"},
		{src: "s", result: "{[a b]}"},
		{src: "func Map[T, U any](s []T, f func(T) U) []U { return nil }"},
		{src: "Map([]int{1}, func(i int) int { return i })", result: "[]"},
	}},
	{"ctx belongs to the running cell", []step{
		{src: "func alive() bool { return ctx.Err() == nil }"}, {src: "alive() && ctx.Err() == nil", result: "true"},
		{src: "import \"context\"\nctx, cancel := context.WithCancel(ctx)\ncancel()\nctx.Err()", result: "context canceled"},
		{src: "ctx.Err()", result: "<nil>"},
		{src: "ctx = nil", err: []string{"cannot assign to ctx"}},
	}},
	{"panics end the cell, not the session", []step{
		{src: "keep := 1\nvar p *struct{ N int }"},
		{src: "p.N", name: panicError, err: []string{"nil pointer dereference"}},
		{src: "var m map[string]int\nm[\"a\"] = 1", name: panicError, err: []string{"assignment to entry in nil map"}},
		{src: "import \"os\"\nos.Exit(3)", name: exitError, err: []string{"os.Exit(3)"}},
		{src: "import \"log\"\nlog.Fatalf(\"failed: %v\", \"no file\")", name: exitError, err: []string{"failed: no file"}},
		{src: "import \"runtime\"\nruntime.Goexit()\nkeep = 2", name: exitError, err: []string{"runtime.Goexit()"}},
		{src: "keep", result: "1"},
	}},
	{"endless recursion ends with a message", []step{
		{src: "keep := 1\nfunc down(n int) int { return down(n+1) + 1 }"},
		{src: "down(0)", name: panicError, err: []string{"stack overflow"}},
		{src: "keep", result: "1"},
	}},
	{"a panic in a goroutine fails the running cell", []step{
		{src: "import \"time\"\ngo func() { panic(\"die\") }()\ntime.Sleep(time.Second)", name: panicError, err: []string{"die (in a goroutine)"}},
		{src: "1 + 1", result: "2"},
	}},
	{"and so does one in a function that compiled code calls in the background", []step{
		{src: "import (\n\t\"sync\"\n\t\"time\"\n)\nvar wg sync.WaitGroup\nwg.Go(func() { panic(\"die\") })\nwg.Wait()\ntime.Sleep(time.Second)", name: panicError, err: []string{"die (in a goroutine)"}},
		{src: "done := make(chan int)\ntime.AfterFunc(time.Millisecond, func() { fmt.Print(\"tick\"); close(done) })\n<-done", out: "tick", result: "0"},
	}},
	{"String methods that go wrong", []step{
		{src: "type E struct{ s string }\nfunc (e *E) Error() string { return e.s }\nvar e *E\ne", result: "<nil>"},
		{src: "type P struct{ N int }\nfunc (p P) String() string { panic(\"no text\") }\nP{1}", result: "%!v(PANIC=String method: no text)"},
		{src: "type R struct{ N int }\nfunc (r R) String() string { return fmt.Sprint(r) }\nR{1}", name: panicError, err: []string{"stack overflow"}},
		{src: "1 + 1", result: "2"},
	}},
	{"values inside interfaces are shown", []step{
		{src: "type E struct{ Code int }\nfunc (e *E) Error() string { return fmt.Sprint(\"E\", e.Code) }\ntype R struct {\n\tN   int\n\tErr error\n}\nR{1, &E{2}}", result: "{1 E2}"},
		{src: "[]error{&E{4}, nil}", result: "[E4 <nil>]"},
	}},
	{"a variable may take a function's place", []step{
		{src: "func f() int { return 1 }\nfunc g() int { return 10 * f() }"},
		{src: "f := func() int { return 2 }", stderr: "-"},
		{src: "g()", result: "20"},
		{src: "func f() int { return 3 }\ng()", result: "30"},
	}},
	{"a pasted program: init runs behind the variables", []step{
		{src: "package main\n\nvar total = compute()\n\nfunc compute() int { return 42 }\n\nfunc init() { fmt.Println(\"init\", total) }\n\nfunc main() { fmt.Println(\"main\", total) }", out: "init 42\n", none: true},
		{src: "main()", out: "main 42\n", none: true},
	}},
	{"println writes to standard error in Go's format", []step{
		{src: "println(\"a\", 1, 2.5, true)", out: "", stderr: "a 1 2.5 true\n"},
	}},
	{"text to the files os.Stdout and os.Stderr keeps its place", []step{
		{src: "import \"os\"\nfmt.Print(1)\nfmt.Fprint(os.Stdout, 2)\nfmt.Print(3)\nos.Stdout.WriteString(\"4\")\nfmt.Fprintln(os.Stderr, \"err\")\nfmt.Println(5)", out: "12345\n", stderr: "err\n"},
	}},
	{"code that is no Go is an error at once", []step{
		{src: "x := fmt.", err: []string{"cell 1 line 1: expected selector"}},
		{src: "func half(n int) int {\n\treturn n", err: []string{"expected '}', found 'EOF'"}},
		{src: "1 = 1", err: []string{"cannot assign to 1"}},
		{src: "}", err: []string{"cell 4 line 1"}},
	}},
}

func TestRules(t *testing.T) {
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			s := newSession(t)
			for i, st := range rule.steps {
				st.check(t, s, i+1)
			}
		})
	}
}

func (st step) check(t *testing.T, s *Session, number int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out := &recorder{}
	b, e := s.Execute(ctx, Cell{number, st.src}, out)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("cell %d: "+format+"\n%s", append(append([]any{number}, args...), st.src)...)
	}
	if (e != nil) != (len(st.err) > 0) {
		fail("got error %v, want %q", e, st.err)
		return
	}
	for _, part := range st.err {
		if !strings.Contains(e.Value, part) {
			fail("got error %q, want it to contain %q", e.Value, part)
		}
	}
	if st.name != "" && e.Name != st.name {
		fail("got error %s, want %s", e.Name, st.name)
	}
	if st.trace != nil {
		got := strings.Split(plain(strings.Join(e.Traceback, "\n")), "\n")
		if strings.Join(got, "\n") != strings.Join(st.trace, "\n") {
			fail("got traceback\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(st.trace, "\n"))
		}
	}
	text := ""
	if b != nil {
		text = b.Data["text/plain"].(string)
	}
	if st.none && b != nil {
		fail("got result %q, want none", text)
	}
	if st.result != "" && text != st.result {
		fail("got result %q, want %q", text, st.result)
	}
	if (st.out != "" || st.result != "") && out.stdout() != st.out {
		fail("got output %q, want %q", out.stdout(), st.out)
	}
	switch {
	case st.stderr == "-" && out.stderr() != "":
		fail("got standard error %q, want none", out.stderr())
	case st.stderr != "" && st.stderr != "-" && out.stderr() != st.stderr:
		fail("got standard error %q, want %q", out.stderr(), st.stderr)
	}
}

// plain takes the colours out of a text.
func plain(s string) string {
	return strings.NewReplacer(red, "", bold, "", dim, "", reset, "").Replace(s)
}

var _ display.Sink = (*recorder)(nil)
