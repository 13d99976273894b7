package session_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// A limit is an entry of the list of known limits in doc.go, with cells that show it. Where it has gone the test fails, and
// the entry goes, too.
type limit struct {
	entry   string // how the entry begins
	cells   []string
	refused string // part of the message of a cell that is not run; empty where the cells run
	fails   string // how the failure begins of cells that run: an error's name and text, or what ends the process
	warned  string // what they are warned of
	output  string // what they print
}

// panics declares try, which prints what a function panics with.
const panics = "func try(f func()) {\n\tdefer func() { fmt.Println(recover()) }()\n\tf()\n}\n"

var limits = []limit{
	// refused
	{entry: "the generic type sql.Null", cells: []string{"import \"database/sql\"\nvar n sql.Null[int]"},
		refused: "the generic type sql.Null[int] does not work in cells yet"},
	{entry: "values of types of packages that are not compiled in", cells: []string{"import \"gonum.org/v1/gonum/mat\"\nr := mat.NewCDense(1, 1, nil).RawCMatrix()"},
		refused: "type cblas128.General is of package gonum.org/v1/gonum/blas/cblas128, which is not compiled in"},
	{entry: "imports of packages that are not compiled in", cells: []string{"import \"C\""}, refused: "package C is not compiled into this kernel"},
	{entry: "functions without a body", cells: []string{"import _ \"unsafe\"\n\n//go:linkname nanotime runtime.nanotime\nfunc nanotime() int64"}, refused: "missing function body"},
	{entry: "//go:embed", cells: []string{"import _ \"embed\"\n\n//go:embed none.txt\nvar s string"}, refused: "//go:embed does not work in cells"},
	{entry: "goto inside a range over a function", cells: []string{"import \"slices\"\nfor v := range slices.Values([]int{1, 2}) {\n\tif v > 1 {\n\t\tgoto end\n\t}\nend:\n}"},
		refused: "goto does not work inside a range over a function yet"},
	{entry: "constants that depend on a variable of the same cell", cells: []string{"var v [3]int\nconst n = len(v)"}, refused: "undefined: v"},
	{entry: "calls that would take from the kernel", cells: []string{"import \"os/signal\"\nsignal.Reset()"}, fails: "Panic: os/signal.Reset is refused"},
	{entry: "more memory than the limit", cells: []string{"n := 1 << 40\nx := make([]float64, n)"}, fails: "Panic: out of memory: make needs 8192.0 GiB"},
	{entry: "a recursion that needs more than 512 MiB", cells: []string{"func f(n int) int {\n\tif n == 0 {\n\t\treturn 0\n\t}\n\treturn 1 + f(n-1)\n}\nfmt.Println(f(50_000))\nf(1_000_000)"},
		output: "50000\n", fails: "Panic: stack overflow: the cell's recursion is too deep"},
	{entry: "more than 65,536 methods", cells: []string{manyMethods(200), manyEmbedders(200)}, refused: "too many methods were declared"},

	// another result
	{entry: "reflection sees all fields of a declared struct as exported", cells: []string{"import \"reflect\"\ntype P struct{ x int }\nf := reflect.TypeFor[P]().Field(0)\nfmt.Println(f.IsExported(), f.PkgPath == \"\")"},
		warned: "line 3: package reflect takes hidden fields for exported ones: x of P\n", output: "true true\n"},
	{entry: "hidden fields are printed by their methods", cells: []string{"import (\n\t\"log/slog\"\n\t\"os\"\n)\ntype S string\nfunc (s S) String() string { return \"S!\" + string(s) }\n" +
		"type P struct{ name S }\nslog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {\n" +
		"\tif a.Key == \"p\" {\n\t\treturn a\n\t}\n\treturn slog.Attr{}\n}})).Info(\"\", \"p\", P{\"a\"})"},
		warned: "line 13: package log/slog takes hidden fields for exported ones: name of P\n", output: "p={name:S!a}\n"},
	{entry: "a map whose keys are interfaces tells a value", cells: []string{"type T int\nfunc one() any { return T(1) }", "func (t T) String() string { return \"T\" }",
		"m := map[any]int{T(1): 1}\nm[one()]++\nfmt.Println(len(m), one() == any(T(1)), one())"},
		warned: "as keys of a map, values that earlier functions put into interfaces will differ from new ones, which have more methods: one (cell 1)\n",
		output: "2 true T\n"},
	{entry: "runtime.Caller", cells: []string{"import (\n\t\"path\"\n\t\"runtime\"\n)\n_, file, _, _ := runtime.Caller(0)\nfmt.Println(path.Base(file))"},
		warned: "line 5: runtime.Caller tells of the interpreter, not of cells\n", output: "value.go\n"},
	{entry: "runtime.Goexit in a cell's own goroutine", cells: []string{"import \"runtime\"\nruntime.Goexit()"}, fails: "Exit: runtime.Goexit() ends the cell"},
	{entry: "a set of flags that should exit panics", cells: []string{panics + "import (\n\t\"flag\"\n\t\"io\"\n)\nf := flag.NewFlagSet(\"f\", flag.ExitOnError)\nf.SetOutput(io.Discard)\ntry(func() { f.Parse([]string{\"-x\"}) })"},
		output: "flag provided but not defined: -x\n"},
	{entry: "a compiled function that takes os.Stdin as a file", cells: []string{"import \"os\"\np, err := os.StartProcess(\"/bin/cat\", []string{\"cat\"}, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})\n" +
		"if err != nil {\n\tpanic(err)\n}\nstate, err := p.Wait()\nfmt.Println(state, err)"}, output: "exit status 0 <nil>\n"},
	{entry: "what package unique has been given", cells: []string{"import (\n\t\"runtime\"\n\t\"strconv\"\n\t\"strings\"\n\t\"unique\"\n)\nfor i := range 64 {\n\tunique.Make(strings.Repeat(\"x\", 1<<20) + strconv.Itoa(i))\n}\n" +
		"var m runtime.MemStats\nfor range 4 {\n\truntime.GC()\n}\nruntime.ReadMemStats(&m)\nfmt.Println(m.HeapAlloc > 64<<20)"}, output: "true\n"},

	{entry: "an empty string that was cut off the end", cells: []string{"import \"unsafe\"\ns := \"ab\"\nt := s[2:]\nfmt.Println(*(*uintptr)(unsafe.Pointer(&t)) == 0)"}, output: "true\n"},

	// the end of the process
	{entry: "concurrent map writes", cells: []string{"m := map[int]int{}\nfor range 8 {\n\tgo func() {\n\t\tfor i := range 1_000_000 {\n\t\t\tm[i%8] = i\n\t\t}\n\t}()\n}\nfor {\n\tm[1] = 1\n}"}, fails: "exit status 2: fatal error: concurrent map"},
	{entry: "the unlock of an unlocked mutex", cells: []string{"import \"sync\"\nvar mu sync.Mutex\nmu.Unlock()"}, fails: "exit status 2: fatal error: sync: unlock of unlocked mutex"},
	{entry: "more memory than there is in one call of compiled code", cells: []string{"import \"strings\"\nn := 1 << 46\nfmt.Println(len(strings.Repeat(\"x\", n)))"}, fails: "exit status 2: fatal error: "},
	{entry: "a panic in a function that compiled code calls on a goroutine of its own", cells: []string{"import (\n\t\"net\"\n\t\"net/rpc\"\n)\ntype T struct{}\nfunc (T) M(x int, y *int) error { panic(\"ends\") }\n" +
		"server := rpc.NewServer()\nserver.Register(T{})\na, b := net.Pipe()\ngo server.ServeConn(a)\nvar y int\nrpc.NewClient(b).Call(\"T.M\", 1, &y)"},
		fails: "exit status 2: panic: ends"},
}

// manyMethods declares a type T with n methods.
func manyMethods(n int) string {
	text := "type T struct{}\n"
	for i := range n {
		text += fmt.Sprintf("func (T) M%d() {}\n", i)
	}
	return text
}

// manyEmbedders declares n structs that T is embedded in, and makes a value of each.
func manyEmbedders(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf("type S%d struct{ T }\nfmt.Sprint(S%d{})\n", i, i)
	}
	return text
}

// TestLimits shows each of the known limits.
func TestLimits(t *testing.T) {
	for _, l := range limits {
		t.Run(l.entry, func(t *testing.T) {
			t.Parallel()
			got, err := play{Cells: l.cells}.run(t.Context(), t, playLimit)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case l.refused != "" && !(got.refused && strings.Contains(got.failure, l.refused)):
				t.Errorf("failure %q (refused %t), want it refused: %s", got.failure, got.refused, l.refused)
			case l.refused == "" && (!strings.HasPrefix(got.failure, l.fails) || l.fails == "" && got.failure != ""):
				t.Errorf("failure %q, want %q", got.failure, l.fails)
			case got.output != l.warned+l.output && !strings.HasPrefix(l.fails, "exit status"):
				t.Errorf("output %q, want %q", got.output, l.output)
			}
		})
	}
}

// lasting are the limits that a later cell shows.
var lasting = []struct {
	entry  string
	cell   string // fails, or is interrupted after half a second
	failed string // part of its error
	later  string // its value is true
}{
	{"a goroutine of an interrupted cell", "import (\n\t\"os\"\n\t\"time\"\n)\nn := 0\nr, _, _ := os.Pipe()\ngo func() {\n" +
		"\tr.SetReadDeadline(time.Now().Add(time.Second))\n\tr.Read(make([]byte, 1))\n\tn = 1\n}()\nfor {\n}",
		"goroutines that are still in compiled code: 1", "time.Sleep(time.Second)\nn == 1"},
	{"deferred calls run after os.Exit", "import (\n\t\"os\"\n\t\"time\"\n)\nn := 0\nfunc f() {\n\tdefer func() { n = 1 }()\n\tos.Exit(3)\n}\nf()",
		"os.Exit(3) ends the cell", "time.Sleep(time.Second / 10)\nn == 1"},
}

// TestLastingLimits shows what goes on when a cell has ended.
func TestLastingLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds; and the cells race, which the detector, run with -short, would report")
	}
	for _, l := range lasting {
		t.Run(l.entry, func(t *testing.T) {
			s, err := session.New()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
			defer cancel()
			if _, e := s.Execute(ctx, session.Cell{Number: 1, Source: l.cell}, silent{}); e == nil || !strings.Contains(e.Value, l.failed) {
				t.Fatalf("the cell ended with %v, want %s", e, l.failed)
			}
			b, e := s.Execute(t.Context(), session.Cell{Number: 2, Source: l.later}, silent{})
			if e != nil {
				t.Fatal(e)
			}
			if got := b.Data["text/plain"]; got != "true" {
				t.Errorf("%s is %v", l.later, got)
			}
		})
	}
}

// silent is a sink that keeps nothing.
type silent struct{}

func (silent) Text(display.Stream, string) {}
func (silent) Display(display.Bundle)      {}
func (silent) Update(display.Bundle)       {}
func (silent) Clear(bool)                  {}

// TestLimitsAreListed holds the list in doc.go against the tests.
func TestLimitsAreListed(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, ok := strings.Cut(string(doc), "// # Known limits\n")
	if !ok {
		t.Fatal("doc.go has no known limits")
	}
	var want []string
	for _, l := range lasting {
		want = append(want, l.entry)
	}
	for _, l := range limits {
		want = append(want, l.entry)
	}
	for _, entry := range strings.Split(list, "//   - ")[1:] {
		i := slices.IndexFunc(want, func(begin string) bool { return strings.HasPrefix(entry, begin) })
		if i < 0 {
			t.Errorf("no test for: %s", firstLine(entry))
			continue
		}
		want = slices.Delete(want, i, i+1)
	}
	for _, entry := range want {
		t.Errorf("doc.go has no entry %q", entry)
	}
}
