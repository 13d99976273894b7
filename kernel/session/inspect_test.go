package session

import (
	"context"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func TestInspect(t *testing.T) {
	s := sessionWith(t, earlier...)
	tests := []struct {
		name, src string
		detail    int
		decl      string   // the first paragraph; empty where nothing is found
		has       []string // in the rest
		not       string   // nowhere
	}{
		{name: "std function", src: "fmt.Print‸ln(1)", decl: "func fmt.Println(a ...any) (n int, err error)", has: []string{"default formats for its operands"}},
		{name: "at its start", src: "fmt.‸Println(1)", decl: "func fmt.Println(a ...any) (n int, err error)"},
		{name: "at its end", src: "fmt.Println‸", decl: "func fmt.Println(a ...any) (n int, err error)"},
		{name: "behind the parenthesis", src: "fmt.Println(‸", decl: "func fmt.Println(a ...any) (n int, err error)"},
		{name: "between the parentheses", src: "fmt.Println(‸)", decl: "func fmt.Println(a ...any) (n int, err error)"},
		{name: "behind an argument", src: "fmt.Println(1, ‸)", decl: "func fmt.Println(a ...any) (n int, err error)"},
		{name: "inside a string argument", src: "fmt.Println(\"points ‸\")", decl: "func fmt.Println(a ...any) (n int, err error)"},
		{name: "innermost call", src: "fmt.Println(Centre(‸", decl: "func Centre(c *Circle) *Point"},
		{name: "call that is closed", src: "fmt.Println(Centre(&c), ‸", decl: "func fmt.Println(a ...any) (n int, err error)"},
		{name: "argument", src: "fmt.Println(poi‸nts)", decl: "var points []Point", has: []string{"defined in cell 3"}},
		{name: "package", src: "fm‸t.Println(1)", decl: `package fmt // import "fmt"`, has: []string{"formatted I/O"}},
		{name: "package alone", src: "mat‸", decl: `package mat // import "gonum.org/v1/gonum/mat"`},
		{name: "import path", src: "import \"gonum.org/v1/gonum/ma‸t\"", decl: `package mat // import "gonum.org/v1/gonum/mat"`},
		{name: "import path that is none", src: "import \"gonum.org/v2‸\""},
		{name: "package that is not imported", src: "bufio‸", decl: `package bufio // import "bufio"`},
		{name: "name of a package that is not imported", src: "bufio.NewReader‸", decl: "func bufio.NewReader(rd io.Reader) *bufio.Reader", has: []string{"default size"}},
		{name: "package of which there are two", src: "rand.Int‸"},
		{name: "std type", src: "strings.Bui‸lder", decl: "type strings.Builder struct {\n    // Has unexported fields.\n}", has: []string{"zero value", "func (b *Builder) WriteString(s string) (int, error)"}, not: "copyCheck"},
		{name: "std method", src: "strings.NewReader(\"\").ReadBy‸te()", decl: "func (r *strings.Reader) ReadByte() (byte, error)", has: []string{"implements"}},
		{name: "std constant", src: "import \"math\"\nmath.P‸i", decl: "const math.Pi untyped float = 3.141592653589793", has: []string{"oeis.org/A000796"}},
		{name: "constant beyond float64", src: "const tiny = 1e-400\ntin‸y", decl: "const tiny untyped float = 1e-400"},
		{name: "constant of float32", src: "const third float32 = 1.0 / 3\nthir‸d", decl: "const third float32 = 0.33333334"},
		{name: "complex constant", src: "const c = 1.5 - 2i\nc‸", decl: "const c untyped complex = (1.5 + -2i)"},
		{name: "std field", src: "import \"net/url\"\nu := url.URL{}\nu.Ho‸st", decl: "field Host string"},
		{name: "std field with a comment", src: "import \"net/http\"\nvar s http.Server\ns.Ad‸dr", decl: "field Addr string", has: []string{"optionally specifies"}},
		{name: "std field as a key", src: "import \"net/http\"\ns := http.Server{Ad‸dr: \"\"}", decl: "field Addr string", has: []string{"optionally specifies"}},
		{name: "std field of an element without a name", src: "import \"runtime\"\nvar m runtime.MemStats\nm.BySize[0].Si‸ze", decl: "field Size uint32", has: []string{"maximum byte size"}},
		{name: "plot's field of a struct without a name", src: "import \"gonum.org/v1/plot\"\nplot.New().X.Label.Te‸xt", decl: "field Text string", has: []string{"axis label"}},
		{name: "std interface", src: "import \"io\"\nvar r io.Read‸er", decl: "type io.Reader interface {\n    Read(p []byte) (n int, err error)\n}"},
		{name: "method of an embedded interface", src: "import \"io\"\nvar r io.ReadCloser\nr.Cl‸ose()", decl: "func (io.Closer) Close() error"},
		{name: "std typed constant", src: "import \"time\"\ntime.Sec‸ond", decl: "const time.Second time.Duration = 1000000000", has: []string{"Common durations"}},
		{name: "std variable", src: "import \"io\"\nio.EO‸F", decl: "var io.EOF error", has: []string{"when no more input"}},
		{name: "generic function of std", src: "import \"slices\"\nslices.Sort‸Func", decl: "func slices.SortFunc[S ~[]E, E any](x S, cmp func(a E, b E) int)", has: []string{"sorts the slice"}},
		{name: "import with another name", src: "import str \"strings\"\nst‸r.Fields(\"\")", decl: `package strings // import "strings"`},
		{name: "gonum function", src: "mat.NewDen‸se(1, 1, nil)", decl: "func mat.NewDense(r, c int, data []float64) *mat.Dense", has: []string{"creates a new Dense matrix"}},
		{name: "gonum method of a session variable", src: "dense.RawMatr‸ix()", decl: "func (m *mat.Dense) RawMatrix() blas64.General", has: []string{"underlying"}},
		{name: "our function", src: "score.NM‸I", decl: "func score.NMI(", has: []string{"mutual information"}},
		{name: "our type", src: "clustering.SNMFNc‸ut", decl: "type clustering.SNMFNcut struct {\n    K             int\n",
			has: []string{"Zero parameters mean zero; NewSNMFNcut has", "  - K is the number of clusters, 1..n. ", "func (m SNMFNcut) Fit(ctx context.Context, w mat.Matrix, opts Options) ("}},
		{name: "long sentence of a field", src: "clustering.SNMFNc‸ut", decl: "type clustering.SNMFNcut struct", not: "With the orthogonality constraint"},
		{name: "shared results", src: "strings.Cu‸t", decl: "func strings.Cut(s, sep string) (before, after string, found bool)"},
		{name: "methods of an interface", src: "import \"sort\"\nvar s sort.Inter‸face",
			decl: "type sort.Interface interface {\n    Len() int\n", has: []string{"  - Len is the number of elements in the collection."}},

		{name: "variable", src: "c‸", decl: "var c Circle", has: []string{"defined in cell 3", "value: {Point:{X:0 Y:0 note:\"\"} R:2 mu:"}},
		{name: "variable with source", src: "c‸", detail: 1, decl: "var c Circle", has: []string{"c := Circle{R: 2}"}},
		{name: "variable of a cell that has run", src: "c‸ := Circle{R: 2}", decl: "var c Circle", has: []string{"defined in cell 3", "value: {Point:"}},
		{name: "variable that is defined with another type", src: "c‸ := 1", decl: "var c int", not: "value"},
		{name: "slice", src: "points‸", decl: "var points []Point", has: []string{"value: [{X:1 Y:0 note:\"\"}]"}},
		{name: "map", src: "named‸", decl: "var named map[string]*Circle", has: []string{"value: map[\"a\":&{Point:"}},
		{name: "matrix", src: "dense‸", decl: "var dense *mat.Dense", has: []string{"value: Dims(2, 2) ⎡0  0⎤"}},
		{name: "strings", src: "lines‸", decl: "var lines []string", has: []string{"value: [\"a\" \"b\"]"}},
		{name: "variable with an odd name", src: "grö‸ße", decl: "var größe int", has: []string{"defined in cell 3"}},
		{name: "type", src: "Point‸", decl: "type Point struct {\n    X    int\n    Y    int\n    note string\n}", has: []string{"defined in cell 1", "A Point is a place", "  - X: in pixels   - Y: in pixels", "func (p *Point) Move(dx, dy int) func (p Point) Norm() int"}, not: "X, Y int"},
		{name: "type of which only fields are documented", src: "type Own struct {\n\t// Deep is deep. Very.\n\tDeep int\n\tFlat int // is [Deep] flat\n\tnone int\n}\nOw‸n{}",
			decl: "type Own struct {\n    Deep int\n", has: []string{"  - Deep is deep.   - Flat: is Deep flat"}, not: "Very"},
		{name: "type with source", src: "Point‸", detail: 1, decl: "type Point struct {\n    X    int\n    Y    int\n    note string\n}", has: []string{"X, Y int // in pixels"}},
		{name: "function", src: "Centre‸", decl: "func Centre(c *Circle) *Point", has: []string{"defined in cell 2", "Centre returns the centre of c."}, not: "return &c.Point"},
		{name: "function with source", src: "Centre‸", detail: 1, decl: "func Centre(c *Circle) *Point", has: []string{"{ return &c.Point }"}},
		{name: "constant", src: "limit‸", detail: 1, decl: "const limit untyped int = 10", has: []string{"defined in cell 2", "as far as it goes", "const limit = 10"}},
		{name: "method", src: "c.No‸rm()", decl: "func (p Point) Norm() int", has: []string{"defined in cell 1", "square of the distance"}, not: "p.X*p.X"},
		{name: "method with source", src: "c.Norm‸", detail: 1, decl: "func (p Point) Norm() int", has: []string{"p.X*p.X"}},
		{name: "field", src: "c.X‸", detail: 1, decl: "field X int", has: []string{"defined in cell 1", "in pixels"}},
		{name: "field of an element", src: "points[0].no‸te", decl: "field note string"},
		{name: "result of a call", src: "Centre(&c).Mo‸ve(1, 2)", decl: "func (p *Point) Move(dx, dy int)", has: []string{"both coordinates"}},
		{name: "context", src: "ctx‸", decl: "var ctx context.Context", has: []string{"cancelled when the cell is interrupted"}},
		{name: "method of the context", src: "ctx.Do‸ne()", decl: "func (context.Context) Done() <-chan struct{}", has: []string{"closed when work"}},
		{name: "builtin", src: "appe‸nd(x, 1)", decl: "func append(slice []Type, elems ...Type) []Type", has: []string{"appends elements"}},
		{name: "predeclared type", src: "var x float‸64", decl: "type float64", has: []string{"IEEE 754"}},
		{name: "error", src: "var err error\nerr.Err‸or()", decl: "func (error) Error() string"},

		{name: "of the cell itself", src: "// Sum adds.\nfunc Sum(a, b int) int { return a + b }\nSu‸m(1, 2)", decl: "func Sum(a, b int) int", has: []string{"Sum adds."}},
		{name: "definition", src: "total‸ := len(points)", decl: "var total int"},
		{name: "local", src: "func f() {\n\tinner := points[0]\n\tinn‸er.X++\n}", decl: "var inner Point"},
		{name: "local in an unfinished function", src: "func f() {\n\tinner := points[0]\n\tinn‸er", decl: "var inner Point"},
		{name: "parameter", src: "func f(outer *Circle) {\n\tout‸er.R++\n}", decl: "var outer *Circle"},
		{name: "own type hides", src: "type Point bool\nvar x Po‸int", decl: "type Point bool"},
		{name: "field of an own type", src: "type Own struct {\n\t// Deep is deep.\n\tDeep int\n}\nOwn{}.De‸ep", decl: "field Deep int", has: []string{"Deep is deep."}},

		{name: "arguments behind an unknown name", src: "fmt.Println(unkn‸own", decl: "func fmt.Println("},
		{name: "arguments behind a number", src: "fmt.Println(12‸", decl: "func fmt.Println("},
		{name: "arguments over lines", src: "fmt.Println(\n\t1,\n\t‸\n)", decl: "func fmt.Println("},
		{name: "arguments of a method", src: "points[0].Move(1, ‸", decl: "func (p *Point) Move(dx, dy int)"},
		{name: "arguments of an instance", src: "func gen[T any](x T) {}\ngen[int](‸", decl: "func gen[T any](x T)"},
		{name: "arguments inside a literal", src: "Centre(&Circle{R: 1, ‸", decl: "type Circle struct"},
		{name: "arguments of a builtin", src: "append(lines, ‸)", decl: "func append("},
		{name: "fields of a literal", src: "Point{‸}", decl: "type Point struct"},
		{name: "block", src: "if true {\n\t‸"},
		{name: "key of a literal", src: "Point{X‸: 1}", decl: "field X int", has: []string{"in pixels"}, detail: 1},
		{name: "alias", src: "type A = Point\nA‸{}", decl: "type A = Point"},
		{name: "generic type", src: "type Box[T any] struct{ Item T }\nBo‸x[int]{}", decl: "type Box[T any] struct {\n    Item T\n}"},
		{name: "predeclared constant", src: "io‸ta", decl: "const iota untyped int = 0", has: []string{"representing the untyped integer ordinal number"}},
		{name: "nil", src: "ni‸l", decl: "nil", has: []string{"representing the zero value for a pointer"}},
		{name: "behind multi-byte text", src: "\"😀世界\" + fmt.Spri‸nt(1)", decl: "func fmt.Sprint("},
		{name: "in front of wrong lines", src: "fmt.Prin‸tln(\na b )", decl: "func fmt.Println("},

		{name: "nothing", src: "‸"},
		{name: "unknown name", src: "unknown‸"},
		{name: "unknown member", src: "c.unknown‸"},
		{name: "unknown member of a package", src: "fmt.unknown‸"},
		{name: "unexported member of a package", src: "strings.explode‸"},
		{name: "member of the unknown", src: "unknown.Println‸"},
		{name: "keyword", src: "fo‸r {}", decl: "keyword for", has: []string{"executes a block repeatedly", "go.dev/ref/spec#For_statements"}},
		{name: "number", src: "12‸"},
		{name: "comment", src: "// fmt.Print‸ln"},
		{name: "string", src: "x := \"fmt.Print‸ln\""},
		{name: "behind a closed call", src: "fmt.Println(1) ‸"},
		{name: "index", src: "points[‸"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source, pos := at(t, tt.src)
			b, found := s.Inspect(source, pos, tt.detail)
			if found != (tt.decl != "") {
				t.Fatalf("found %v: %v", found, b.Data)
			}
			if !found {
				if len(b.Data) > 0 {
					t.Errorf("not found, but %v", b.Data)
				}
				return
			}
			plain := b.Data["text/plain"].(string)
			decl, rest, _ := strings.Cut(plain, "\n\n")
			if !strings.HasPrefix(decl, tt.decl) {
				t.Errorf("got %q, want %q", decl, tt.decl)
			}
			for _, want := range tt.has {
				if !strings.Contains(strings.ReplaceAll(rest, "\n", " "), want) {
					t.Errorf("%q is not in %q", want, rest)
				}
			}
			if tt.not != "" && strings.Contains(plain, tt.not) {
				t.Errorf("%q is in %q", tt.not, plain)
			}
			if markdown := b.Data["text/markdown"].(string); !strings.HasPrefix(markdown, "```go\n"+decl+"\n```") {
				t.Errorf("markdown begins with %q", markdown)
			}
		})
	}
}

func TestInspectText(t *testing.T) {
	s := sessionWith(t, "// Twice doubles *n*:\n//\n//\tTwice(2) == 4\n//\n// # Limits\n//\n// It knows none. See [strings.Repeat], [Twice] and [clustering.Fitted], not [X].\nfunc Twice(n int) int {\n\treturn 2 * n // shift\n}")
	b, _ := s.Inspect("Twice", 2, 1)
	want := `func Twice(n int) int

defined in cell 1

Twice doubles *n*:

	Twice(2) == 4

# Limits

It knows none. See strings.Repeat, Twice and clustering.Fitted, not [X].

func Twice(n int) int {
	return 2 * n // shift
}`
	if got := b.Data["text/plain"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = "```go\nfunc Twice(n int) int\n```\n\ndefined in cell 1\n\nTwice doubles \\*n\\*:\n\n\tTwice(2) == 4\n\n#### Limits\n\n" +
		"It knows none. See [strings.Repeat](https://pkg.go.dev/strings#Repeat), Twice and clustering.Fitted, not \\[X].\n\n```go\nfunc Twice(n int) int {\n\treturn 2 * n // shift\n}\n```"
	if got := b.Data["text/markdown"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestInspectNewest inspects what several cells have defined.
func TestInspectNewest(t *testing.T) {
	s := sessionWith(t,
		"type T struct{ A int }\n// M is old.\nfunc (t T) M() int { return 1 }\nx := 1",
		"x := \"two\"",
		"// M is new.\nfunc (t T) M() int { return 2 }",
	)
	// The number of a cell is given again where the front end does not store it.
	if _, err := s.Execute(context.Background(), Cell{Number: 1, Source: "y := 1"}, &recorder{}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ src, want string }{
		{"x‸", "var x string\n\ndefined in cell 2\n\nvalue: \"two\"\n\nx := \"two\""},
		{"T{}.M‸", "func (t T) M() int\n\ndefined in cell 3\n\nM is new.\n\nfunc (t T) M() int { return 2 }"},
		{"T‸", "type T struct {\n    A int\n}\n\ndefined in cell 1\n\nfunc (t T) M() int"}, // the source is gone
	} {
		source, pos := at(t, tt.src)
		b, _ := s.Inspect(source, pos, 1)
		if got := b.Data["text/plain"]; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.src, got, tt.want)
		}
	}
}

// TestInspectValues shows what variables of all kinds hold, without running what the session has declared.
func TestInspectValues(t *testing.T) {
	s := sessionWith(t, `
import ("errors"; "math/big"; "time")
type Loud struct{ n int }
func (l Loud) String() string { panic("must not run") }
type Node struct { Value int; Next *Node }
type Level int
loud := Loud{3}
louds := []any{loud, &loud, nil, "s", 1.5, true}
ring := &Node{Value: 1}
ring.Next = ring
long := make([]int, 1000)
text := strings.Repeat("é", 300)
import "strings"
table := map[int]string{10: "ten", 9: "nine"}
none := map[string]int(nil)
pause := 90 * time.Second
sum := big.NewInt(42)
err := errors.New("broken")
var no error
pipe := make(chan int, 4)
pipe <- 1
f := func(int) {}
level := Level(2)
array := [2]bool{true}
matrix := mat.NewDense(100, 100, nil)
var missing *Node
big1 := make(map[int][]string)
for i := range 1000 { big1[i] = make([]string, 1000) }
z := 1 + 2i`)
	for _, tt := range []struct{ name, want string }{
		{"loud", "value: {n:3}"},
		{"louds", "value: [{n:3} &{n:3} <nil> \"s\" 1.5 true]"},
		{"ring", "value: &{Value:1 Next:&{Value:1 Next:&…}}"},
		{"long", "value (len 1000): [0 0 0 0 0 0 0 0 0 0 …]"},
		{"text", "value (len 600): \"" + strings.Repeat("é", 100) + "\"…"},
		{"table", "value: map[9:\"nine\" 10:\"ten\"]"},
		{"none", "value: map[]"},
		{"pause", "value: 1m30s"},
		{"sum", "value: 42"},
		{"err", "value: broken"},
		{"no", "value: <nil>"},
		{"pipe", "value: chan (1 of 4)"},
		{"f", "value: func"},
		{"level", "value: 2"},
		{"array", "value: [true false]"},
		{"matrix", "value:\nDims(100, 100)\n"},
		{"missing", "value: <nil>"},
		{"big1", "value (len 1000): map["},
		{"z", "value: (1+2i)"},
	} {
		b, _ := s.Inspect(tt.name, len(tt.name), 0)
		plain, _ := b.Data["text/plain"].(string)
		_, rest, _ := strings.Cut(plain, "\n\ndefined in cell 1\n\n")
		if !strings.HasPrefix(rest, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, plain, tt.want)
		}
		const most = maxValueText + 200
		if len(plain) > most {
			t.Errorf("%s: %d bytes", tt.name, len(plain))
		}
	}
}

// TestInspectWhileRunning asks for a variable that a running cell, and later a goroutine, changes.
func TestInspectWhileRunning(t *testing.T) {
	s := sessionWith(t, "n := 0\nquit := make(chan bool)")
	ctx, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	started := &announcer{on: make(chan struct{})}
	ended := make(chan *Error)
	go func() {
		_, err := s.Execute(ctx, Cell{Number: 2, Source: "fmt.Println(1)\nfor ctx.Err() == nil { n++ }"}, started)
		ended <- err
	}()
	<-started.on
	inspected := func(want string) {
		t.Helper()
		b, _ := s.Inspect("n", 1, 0)
		if text := b.Data["text/plain"].(string); !strings.Contains(text, want) {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	for range 100 {
		inspected("not read while a cell runs")
	}
	interrupt()
	<-ended
	inspected("value: ")
	if _, err := s.Execute(context.Background(), Cell{Number: 3, Source: "go func() { for { select { case <-quit: return; default: n++ } } }()"}, &recorder{}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		inspected("not read while goroutines run: 1")
	}
	if _, err := s.Execute(context.Background(), Cell{Number: 4, Source: "quit <- true"}, &recorder{}); err != nil {
		t.Fatal(err)
	}
}

// TestGoroutinesAreCountedAtOnce asks how many there are when the cell that starts them has ended, which most of them have not begun
// by then.
func TestGoroutinesAreCountedAtOnce(t *testing.T) {
	s := sessionWith(t, "quit := make(chan bool)")
	execute := func(number int, source string) {
		t.Helper()
		if _, err := s.Execute(context.Background(), Cell{Number: number, Source: source}, &recorder{}); err != nil {
			t.Fatal(err)
		}
	}
	const n = 1000
	execute(2, "for range 1000 { go func() { <-quit }() }")
	if got := s.Goroutines(); got != n {
		t.Errorf("%d goroutines, want %d", got, n)
	}
	execute(3, "close(quit)")
}

// TestKeywordsAreExplained has all of them.
func TestKeywordsAreExplained(t *testing.T) {
	for k := token.BREAK; k <= token.VAR; k++ {
		if d := keywordDocs[k]; d.doc == "" || d.section == "" {
			t.Errorf("nothing about %s", k)
		}
	}
}

// TestBuiltinsAreDeclared has all that go/types knows.
func TestBuiltinsAreDeclared(t *testing.T) {
	for _, scope := range []*types.Scope{types.Universe, types.Unsafe.Scope()} {
		for _, name := range scope.Names() {
			if _, ok := scope.Lookup(name).(*types.Builtin); ok && builtins[name] == "" {
				t.Errorf("nothing about %s", name)
			}
		}
	}
}
