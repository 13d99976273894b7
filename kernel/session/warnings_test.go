package session

import (
	"strings"
	"testing"
)

// TestWarnings has cells that may give another result than compiled Go, and some that only look like it.
func TestWarnings(t *testing.T) {
	const (
		hidden = "type P struct{ x int; Y string }\n"
		takes  = " takes hidden fields for exported ones: "
		tells  = " tells of the interpreter, not of cells\n"
		dump   = "import \"reflect\"\nfunc dump(v any) bool { return reflect.TypeOf(v).Field(0).IsExported() }"
	)
	for _, test := range []struct {
		name  string
		cells []string
		want  string
	}{
		{"reflection on a struct", []string{hidden, dump}, "line 2: package reflect" + takes + "x of P\n"},
		{"a struct that reflection may be given", []string{dump, hidden}, "cell 1: package reflect" + takes + "x of P\n"},
		{"several structs", []string{hidden + "type Q struct{ a, b int }\ntype R struct{ r *R }\ntype S struct{ s []P }\n" + dump},
			"line 6: package reflect" + takes + "a of Q, r of R, s of S, ...\n"},
		{"a struct of a function", []string{dump + "\nfunc f() { type L struct{ l int }; dump(L{}) }"}, "line 2: package reflect" + takes + "l of L\n"},
		{"the cell declared again without it", []string{dump, hidden, "type P struct{ X int }"}, ""},
		{"reflection without fields", []string{hidden + "import \"reflect\"\nfmt.Println(reflect.TypeOf(P{}), reflect.DeepEqual(P{}, P{}))"}, ""},
		{"exported fields", []string{"type P struct{ X int; _ int }\n" + dump}, ""},
		{"gob", []string{hidden + "import (\"bytes\"; \"encoding/gob\")\ngob.NewEncoder(new(bytes.Buffer)).Encode([]*P{})"},
			"line 3: package encoding/gob" + takes + "x of P\n"},
		{"gob of something else", []string{hidden + "import (\"bytes\"; \"encoding/gob\")\ngob.NewEncoder(new(bytes.Buffer)).Encode([]int{})"}, ""},
		{"a template", []string{hidden + "import (\"io\"; \"text/template\")\ntemplate.Must(template.New(\"\").Parse(\"\")).Execute(io.Discard, map[string]any{})"},
			"line 3: package text/template" + takes + "x of P\n"},
		{"slog, a field with a method", []string{"import \"time\"\ntype P struct{ t time.Time }\nimport \"log/slog\"\nslog.Default()\nfunc f() { slog.Info(\"\", \"p\", P{}) }"},
			"line 5: package log/slog" + takes + "t of P\n"},
		{"slog, a field without", []string{hidden + "import \"log/slog\"\nfunc f() { slog.Info(\"\", \"p\", P{}, \"n\", 1) }"}, ""},
		{"slog, a type with a method", []string{"import \"time\"\ntype P struct{ t time.Time }\nfunc (P) String() string { return \"\" }\n" +
			"import \"log/slog\"\nfunc f() { slog.Info(\"\", \"p\", P{}) }"}, ""},
		{"callers", []string{"import \"runtime\"\nfunc f() { runtime.Caller(0) }\nfunc g() { runtime.Caller(1) }"}, "line 2: runtime.Caller" + tells},
		{"stacks", []string{"import \"runtime/debug\"\nf := debug.Stack\n_ = f()"}, "line 2: debug.Stack" + tells},
		{"files in logs", []string{"import \"log\"\nlog.SetFlags(log.Ltime | log.Lshortfile)\nlog.SetFlags(0)"}, "line 2: log.Lshortfile" + tells},
		{"files in logs of slog", []string{"import \"log/slog\"\n_ = slog.HandlerOptions{AddSource: true}"}, "line 2: slog.AddSource" + tells},
		{"a type that grows", []string{"type T int\nfunc one() any { return []T{1} }\nfunc two() T { return 2 }", "func (T) M() {}"},
			"as keys of a map, values that earlier functions put into interfaces will differ from new ones, which have more methods: one (cell 1)\n"},
		{"a type that grows, in a literal", []string{"type T int\none := func() any { return T(1) }", "func (T) M() {}"},
			"as keys of a map, values that earlier functions put into interfaces will differ from new ones, which have more methods: a function literal (cell 1)\n"},
		{"a type that grows, printed only", []string{"type T int\nfunc one() { fmt.Println(T(1)) }", "func (T) M() {}"}, ""},
		{"a type that grows, declared again", []string{"type T int\nfunc one() any { return T(1) }", "func one() any { return 1 }", "func (T) M() {}"}, ""},
		{"a method declared again", []string{"type T int\nfunc (T) M() {}\nfunc one() any { return T(1) }", "func (T) M() {}"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			out := &recorder{}
			for i, src := range test.cells {
				out = &recorder{}
				if _, e := s.Execute(t.Context(), Cell{i + 1, src}, out); e != nil {
					t.Fatal(e)
				}
			}
			if got := out.stderr(); got != test.want {
				t.Errorf("the last cell is warned of %q, want %q", got, test.want)
			}
		})
	}
}

// TestWarningsComeFirst warns of a cell that fails.
func TestWarningsComeFirst(t *testing.T) {
	s, out := newSession(t), &recorder{}
	if _, e := s.Execute(t.Context(), Cell{1, "import \"runtime\"\n_ = runtime.Stack(nil, true)\npanic(1)"}, out); e == nil {
		t.Fatal("no error")
	}
	if got := out.stderr(); !strings.HasPrefix(got, "line 2: runtime.Stack") {
		t.Errorf("the cell is warned of %q", got)
	}
}
