package session

import (
	"context"
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
		{name: "std type", src: "strings.Bui‸lder", decl: "type strings.Builder struct{addr *strings.Builder; buf []byte}", has: []string{"zero value"}},
		{name: "std method", src: "strings.NewReader(\"\").ReadBy‸te()", decl: "func (*strings.Reader).ReadByte() (byte, error)", has: []string{"implements"}},
		{name: "std constant", src: "import \"math\"\nmath.P‸i", decl: "const math.Pi untyped float = 3.14159", has: []string{"oeis.org/A000796"}},
		{name: "std field", src: "import \"net/url\"\nu := url.URL{}\nu.Ho‸st", decl: "field Host string"},
		{name: "gonum function", src: "mat.NewDen‸se(1, 1, nil)", decl: "func mat.NewDense(r int, c int, data []float64) *mat.Dense", has: []string{"creates a new Dense matrix"}},
		{name: "gonum method of a session variable", src: "dense.RawMatr‸ix()", decl: "func (*mat.Dense).RawMatrix() blas64.General", has: []string{"underlying"}},
		{name: "our function", src: "score.NM‸I", decl: "func score.NMI(", has: []string{"mutual information"}},
		{name: "our type", src: "clustering.SNMFNc‸ut", decl: "type clustering.SNMFNcut struct"},

		{name: "variable", src: "c‸", decl: "var c Circle", has: []string{"defined in cell 3"}},
		{name: "variable with an odd name", src: "grö‸ße", decl: "var größe int", has: []string{"defined in cell 3"}},
		{name: "type", src: "Point‸", decl: "type Point struct{X int; Y int; note string}", has: []string{"defined in cell 1", "A Point is a place"}, not: "in pixels"},
		{name: "type with source", src: "Point‸", detail: 1, decl: "type Point struct{X int; Y int; note string}", has: []string{"X, Y int // in pixels"}},
		{name: "function", src: "Centre‸", decl: "func Centre(c *Circle) *Point", has: []string{"defined in cell 2", "Centre returns the centre of c."}, not: "return &c.Point"},
		{name: "function with source", src: "Centre‸", detail: 1, decl: "func Centre(c *Circle) *Point", has: []string{"{ return &c.Point }"}},
		{name: "constant", src: "limit‸", detail: 1, decl: "const limit untyped int = 10", has: []string{"defined in cell 2", "as far as it goes", "const limit = 10"}},
		{name: "method", src: "c.No‸rm()", decl: "func (Point).Norm() int", has: []string{"defined in cell 1", "square of the distance"}, not: "p.X*p.X"},
		{name: "method with source", src: "c.Norm‸", detail: 1, decl: "func (Point).Norm() int", has: []string{"p.X*p.X"}},
		{name: "field", src: "c.X‸", detail: 1, decl: "field X int", has: []string{"defined in cell 1", "in pixels"}},
		{name: "field of an element", src: "points[0].no‸te", decl: "field note string"},
		{name: "result of a call", src: "Centre(&c).Mo‸ve(1, 2)", decl: "func (*Point).Move(dx int, dy int)", has: []string{"both coordinates"}},
		{name: "context", src: "ctx‸", decl: "var ctx context.Context", has: []string{"cancelled when the cell is interrupted"}},
		{name: "method of the context", src: "ctx.Do‸ne()", decl: "func (context.Context).Done() <-chan struct{}", has: []string{"closed when work"}},
		{name: "builtin", src: "appe‸nd(x, 1)", decl: "func append", has: []string{"appends elements"}},
		{name: "predeclared type", src: "var x float‸64", decl: "type float64", has: []string{"IEEE 754"}},
		{name: "error", src: "var err error\nerr.Err‸or()", decl: "func (error).Error() string"},

		{name: "of the cell itself", src: "// Sum adds.\nfunc Sum(a, b int) int { return a + b }\nSu‸m(1, 2)", decl: "func Sum(a int, b int) int", has: []string{"Sum adds."}},
		{name: "definition", src: "total‸ := len(points)", decl: "var total int"},
		{name: "local", src: "func f() {\n\tinner := points[0]\n\tinn‸er.X++\n}", decl: "var inner Point"},
		{name: "local in an unfinished function", src: "func f() {\n\tinner := points[0]\n\tinn‸er", decl: "var inner Point"},
		{name: "parameter", src: "func f(outer *Circle) {\n\tout‸er.R++\n}", decl: "var outer *Circle"},
		{name: "own type hides", src: "type Point bool\nvar x Po‸int", decl: "type Point bool"},
		{name: "field of an own type", src: "type Own struct {\n\t// Deep is deep.\n\tDeep int\n}\nOwn{}.De‸ep", decl: "field Deep int", has: []string{"Deep is deep."}},

		{name: "nothing", src: "‸"},
		{name: "unknown name", src: "unknown‸"},
		{name: "unknown member", src: "c.unknown‸"},
		{name: "unknown member of a package", src: "fmt.unknown‸"},
		{name: "unexported member of a package", src: "strings.explode‸"},
		{name: "member of the unknown", src: "unknown.Println‸"},
		{name: "keyword", src: "fo‸r {}"},
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
	s := sessionWith(t, "// Twice doubles *n*:\n//\n//\tTwice(2) == 4\n//\n// # Limits\n//\n// It knows none. See [strings.Repeat].\nfunc Twice(n int) int {\n\treturn 2 * n // shift\n}")
	b, _ := s.Inspect("Twice", 2, 1)
	want := `func Twice(n int) int

defined in cell 1

Twice doubles *n*:

	Twice(2) == 4

# Limits

It knows none. See strings.Repeat.

func Twice(n int) int {
	return 2 * n // shift
}`
	if got := b.Data["text/plain"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = "```go\nfunc Twice(n int) int\n```\n\ndefined in cell 1\n\nTwice doubles \\*n\\*:\n\n\tTwice(2) == 4\n\n#### Limits\n\n" +
		"It knows none. See [strings.Repeat](https://pkg.go.dev/strings#Repeat).\n\n```go\nfunc Twice(n int) int {\n\treturn 2 * n // shift\n}\n```"
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
		{"x‸", "var x string\n\ndefined in cell 2"},
		{"T{}.M‸", "func (T).M() int\n\ndefined in cell 3\n\nM is new.\n\nfunc (t T) M() int { return 2 }"},
		{"T‸", "type T struct{A int}\n\ndefined in cell 1"}, // the source is gone
	} {
		source, pos := at(t, tt.src)
		b, _ := s.Inspect(source, pos, 1)
		if got := b.Data["text/plain"]; got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.src, got, tt.want)
		}
	}
}
