package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// earlier is what the session of the completion and inspection tests has run, cell by cell.
var earlier = []string{`
import "sync"

// A Point is a place in the plane.
type Point struct {
	X, Y int // in pixels
	note string
}

// Norm is the square of the distance from the origin.
func (p Point) Norm() int { return p.X*p.X + p.Y*p.Y }

// Move adds to both coordinates.
func (p *Point) Move(dx, dy int) { p.X += dx; p.Y += dy }`,
	`
// A Circle is round.
type Circle struct {
	Point
	R  int
	mu sync.Mutex
}

type Shape interface{ Norm() int }

// Centre returns the centre of c.
func Centre(c *Circle) *Point { return &c.Point }

func both() (Point, error) { return Point{}, nil }

// limit is as far as it goes.
const limit = 10`,
	`
c := Circle{R: 2}
points := []Point{{X: 1}}
named := map[string]*Circle{"a": &c}
größe := 3
var shape Shape = c
pair := struct{ Left, Right Point }{}
lines := strings.Split("a b", " ")
dense := mat.NewDense(2, 2, nil)
import "strings"`,
}

// sessionWith returns a session that has run cells.
func sessionWith(t testing.TB, cells ...string) *Session {
	t.Helper()
	s := newSession(t)
	for i, src := range cells {
		if _, err := s.Execute(context.Background(), Cell{Number: i + 1, Source: src}, &recorder{}); err != nil {
			t.Fatalf("cell %d: %v", i+1, err)
		}
	}
	return s
}

// at takes the cursor, written as ‸, out of a text.
func at(t testing.TB, text string) (source string, pos int) {
	t.Helper()
	before, after, ok := strings.Cut(text, "‸")
	if !ok {
		t.Fatalf("no cursor in %q", text)
	}
	return before + after, len(before)
}

func texts(c Completion) []string {
	var out []string
	for _, m := range c.Matches {
		out = append(out, m.Text)
	}
	return out
}

func TestComplete(t *testing.T) {
	s := sessionWith(t, earlier...)
	tests := []struct {
		name, src string
		want      string // the matches; with … at the end, some of them
		not       string // none of these, separated by spaces
		replaces  string // what is replaced, where that is not what begins the first match
	}{
		{name: "package members", src: "fmt.Prin‸", want: "Print Printf Println"},
		{name: "all package members", src: "fmt.‸", want: "Println Sprintf Stringer …"},
		{name: "preloaded packages", src: "mat.NewDe‸", want: "NewDense"},
		{name: "our package", src: "clustering.SNMF‸", want: "SNMFNcut …"},
		{name: "session's import", src: "strings.ToU‸", want: "ToUpper ToUpperSpecial"},
		{name: "own import", src: "import m \"math\"\nm.Sqr‸", want: "Sqrt Sqrt2 SqrtE SqrtPhi SqrtPi"},
		{name: "own import below", src: "math.Sqr‸\n\nimport \"math\"", want: "Sqrt …"},
		{name: "not imported", src: "bytes.Buf‸"},
		{name: "no unexported package members", src: "strings.explode‸"},
		{name: "the whole of a name is replaced", src: "fmt.Pri‸ntln(1)", want: "Print Printf Println"},
		{name: "start of a name", src: "fmt.‸Println", want: "Errorf Println …"},
		{name: "in an argument", src: "println(1, fmt.Sprin‸)", want: "Sprint Sprintf Sprintln"},

		{name: "fields and methods", src: "points[0].‸", want: "Move Norm X Y note"},
		{name: "promoted", src: "c.‸", want: "Move Norm Point R X Y mu note"},
		{name: "through a map", src: "named[\"a\"].M‸", want: "Move mu"},
		{name: "pointer methods only where there is an address", src: "Point{}.‸", want: "Norm X Y note"},
		{name: "result of a call", src: "Centre(&c).N‸", want: "Norm note"},
		{name: "chain of calls", src: "Centre(named[\"a\"]).X + Centre(&c).‸", want: "X Y …"},
		{name: "native chain", src: "strings.NewReplacer(\"a\", \"b\").Rep‸", want: "Replace"},
		{name: "over lines", src: "Centre(\n\t&c,\n).No‸", want: "Norm note", replaces: "No"},
		{name: "no members of two results", src: "both().‸"},
		{name: "interface", src: "shape.‸", want: "Norm"},
		{name: "error", src: "var err error\nerr.‸", want: "Error"},
		{name: "type assertion", src: "shape.(Circle).‸", want: "R …"},
		{name: "type", src: "Point.‸", want: "Norm"},
		{name: "pointer type", src: "(*Point).‸", want: "Move Norm"},
		{name: "struct without a name", src: "pair.Left.‸", want: "Move Norm X Y note"},
		{name: "gonum's type", src: "dense.RawM‸", want: "RawMatrix"},
		{name: "no unexported members of others", src: "dense.checkO‸"},
		{name: "context", src: "ctx.‸", want: "Deadline Done Err Value"},
		{name: "in parentheses", src: "(&c).Mo‸", want: "Move"},
		{name: "address", src: "p := &c.‸", want: "R …"},
		{name: "operators do not belong to it", src: "1 + points[0].‸", want: "X …"},
		{name: "literal", src: "[]Point{{}}[0].N‸", want: "Norm note"},
		{name: "function literal", src: "func() *Point { return nil }().No‸", want: "Norm note"},
		{name: "no members of a number", src: "1.‸"},
		{name: "no members of nothing", src: ".‸"},
		{name: "no members of the unknown", src: "unknown.‸"},
		{name: "no members of a builtin", src: "len.‸"},

		{name: "session names", src: "poi‸", want: "Point points"},
		{name: "session names of all kinds", src: "c‸", want: "Centre Circle c cap chan clear close clustering comparable complex complex128 complex64 const copy ctx"},
		{name: "types", src: "var x Poi‸", want: "Point"},
		{name: "constants", src: "lim‸", want: "limit"},
		{name: "preloaded", src: "clus‸", want: "clustering"},
		{name: "keywords", src: "switch {\ncase true:\n\tfallth‸", want: "fallthrough"},
		{name: "builtins", src: "appe‸", want: "append"},
		{name: "unicode", src: "gr‸", want: "größe"},
		{name: "unicode within", src: "grö‸ße + 1", want: "größe", replaces: "größe"},
		{name: "unicode in front", src: "\"é😀\" + stri‸", want: "string strings"},
		{name: "nothing typed", src: "‸", want: "append c clustering fmt for points …"},
		{name: "nothing begins so", src: "qqqq‸"},
		{name: "number", src: "12‸"},
		{name: "hexadecimal number", src: "0xfa‸"},

		{name: "other case", src: "POI‸", want: "Point points"},
		{name: "other case in a package", src: "fmt.println‸", want: "Println"},
		{name: "letters in order", src: "fmt.prntln‸", want: "Fprintln Println Sprintln"},
		{name: "letters in order, unicode", src: "göe‸", want: "größe"},

		{name: "variable of the cell", src: "alpha := 1\nalp‸", want: "alpha"},
		{name: "member of a variable of the cell", src: "here := points[0]\nhere.N‸", want: "Norm note"},
		{name: "not itself", src: "betaa := 1\nbeta‸ := 2", want: "betaa"},
		{name: "not what comes later", src: "gam‸\ngamma := 1"},
		{name: "function that comes later", src: "delt‸\n\nfunc delta() {}", want: "delta"},
		{name: "type that comes later", src: "var e Epsilon\ne.‸\n\ntype Epsilon struct{ Zeta int }", want: "Zeta"},
		{name: "cell's own type hides the session's", src: "type Point struct{ Z int }\nPoint{}.‸", want: "Z"},
		{name: "local", src: "func f() {\n\tlocal := 1\n\tloc‸", want: "local"},
		{name: "local in a whole function", src: "func f() {\n\tlocal := 1\n\tloc‸\n}\nx := 1", want: "local"},
		{name: "member of a local", src: "func f() {\n\tq := Centre(&c)\n\tif q.No‸", want: "Norm note"},
		{name: "parameter", src: "func f(parameter *Circle) (result int) {\n\tpar‸", want: "parameter"},
		{name: "result", src: "func f(parameter *Circle) (result int) {\n\tres‸", want: "result"},
		{name: "member of a parameter", src: "func f(q *Circle) error {\n\tfor i := range q.‸", want: "R …"},
		{name: "receiver", src: "type Own struct{ deep Point }\nfunc (own *Own) M() {\n\town.deep.N‸", want: "Norm note"},
		{name: "receiver of an earlier type", src: "func (p *Point) Twice() int {\n\treturn 2 * p.No‸\n}", want: "Norm note"},
		{name: "receiver of a generic type", src: "type Box[T any] struct{ Item T }\nfunc (b *Box[T]) Get() T {\n\treturn b.It‸", want: "Item"},
		{name: "receiver of an alias", src: "type A = Point\nfunc (a *A) Twice() int {\n\treturn 2 * a.No‸\n}", want: "Norm note"},
		{name: "type of an earlier type", src: "type Q Point\nvar q Q\nq.‸", want: "X Y note"},
		{name: "type parameter", src: "func f[T Shape](v T) {\n\tv.‸", want: "Norm"},
		{name: "generic result", src: "func first[T any](x []T) T { return x[0] }\nfirst(points).No‸", want: "Norm note"},
		{name: "literal's parameter", src: "g := func(inner Point) int {\n\treturn inner.No‸", want: "Norm note"},
		{name: "range", src: "for _, each := range points {\n\teach.N‸", want: "Norm note"},
		{name: "type switch", src: "switch v := any(c).(type) {\ncase Circle:\n\tv.‸", want: "R …"},
		{name: "case", src: "switch c.R {\ncase points[0].‸", want: "X …"},
		{name: "switch header", src: "switch c.‸", want: "R …"},
		{name: "for header", src: "for i := 0; i < c.‸", want: "R …"},
		{name: "deferred call", src: "func f() {\n\tdefer c.mu.Unl‸", want: "Unlock"},
		{name: "go statement", src: "go c.Mov‸", want: "Move"},
		{name: "in a block", src: "{\n\tinside := 1\n\tinsi‸", want: "inside"},
		{name: "out of scope", src: "{\n\tethos := 1\n\t_ = ethos\n}\netho‸"},
		{name: "variable of the cell in a function", src: "theta := points[0]\nfunc f() {\n\ttheta.N‸", want: "Norm note"},
		{name: "a local hides", src: "func f() {\n\tc := 1\n\tc.‸\n}"},
		{name: "behind what is wrong", src: "iota_ := = 3\nvar kappa = 1\nkap‸", want: "kappa"},
		{name: "behind what does not check", src: "lambda := points[0]\n_ = lambda + \"\"\nlambda.N‸", want: "Norm note"},
		{name: "before what is wrong", src: "c.‸\na b\n", want: "R …"},
		{name: "selector in front of a statement", src: "c.‸\nx := 1", want: "R …"},

		{name: "fields in a literal", src: "p := Point{‸", want: "X Y note points …"},
		{name: "field's beginning", src: "p := &Circle{R: 1, Poi‸", want: "Point"},
		{name: "no fields as values", src: "p := Circle{R: nnot‸}"},

		{name: "import path", src: "import \"gonum.org/v1/gonum/ma‸", want: "gonum.org/v1/gonum/mat gonum.org/v1/gonum/mathext …", replaces: "gonum.org/v1/gonum/ma"},
		{name: "import path, closed", src: "import \"gonum.org/v1/pl‸ot\"", want: "gonum.org/v1/plot …", replaces: "gonum.org/v1/plot"},
		{name: "import path with a name", src: "import str \"strc‸", want: "strconv", replaces: "strc"},
		{name: "import path in a group", src: "import (\n\t\"fmt\" // prints\n\t. \"strc‸\"\n)", want: "strconv", replaces: "strc"},
		{name: "import path of ours", src: "import \"orthant/clustering/sc‸", want: "orthant/clustering/score", replaces: "orthant/clustering/sc"},
		{name: "fuzzy import path", src: "import \"gonummat‸", want: "gonum.org/v1/gonum/mat …", replaces: "gonummat"},
		{name: "string", src: "x := \"fmt.Pri‸"},
		{name: "string, closed", src: "x := \"fmt.Pri‸\""},
		{name: "raw string", src: "x := `fmt.Pri‸"},
		{name: "rune", src: "x := 'c‸'"},
		{name: "line comment", src: "// fmt.Pri‸"},
		{name: "line comment behind", src: "x := 1 // fmt.Pri‸\ny := 2"},
		{name: "comment", src: "/* fmt.Pri‸ */"},
		{name: "comment that is open", src: "/* fmt.Pri‸"},
		{name: "behind a comment", src: "/* a */ poi‸", want: "Point points"},
		{name: "behind a string", src: "\"a\" + lin‸", want: "lines"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source, pos := at(t, tt.src)
			got := s.Complete(source, pos)
			all := texts(got)
			want := strings.Split(tt.want, " ")
			if rest, some := strings.CutSuffix(tt.want, " …"); some {
				for _, w := range strings.Split(rest, " ") {
					if !slices.Contains(all, w) {
						t.Errorf("%q is not among %q", w, all)
					}
				}
			} else if strings.Join(slices.Sorted(slices.Values(all)), " ") != tt.want {
				t.Errorf("got %q, want %q", all, want)
			}
			if len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
				t.Errorf("twice: %q", all)
			}
			if len(all) == 0 {
				if got.Start != pos || got.End != pos {
					t.Errorf("nothing replaces %d to %d, want %d", got.Start, got.End, pos)
				}
				return
			}
			replaces := tt.replaces
			if replaces == "" {
				start, end := word(source, pos)
				replaces = source[start:end]
			}
			if source[got.Start:got.End] != replaces {
				t.Errorf("replaces %q, want %q", source[got.Start:got.End], replaces)
			}
		})
	}
}

func TestCompleteKinds(t *testing.T) {
	s := sessionWith(t, earlier...)
	tests := []struct {
		src  string
		want Match
	}{
		{"fmt.Println‸", Match{"Println", "function", "func(a ...any) (n int, err error)"}},
		{"fmt.Stringer‸", Match{"Stringer", "type", "fmt.Stringer"}},
		{"c.R‸", Match{"R", "field", "int"}},
		{"c.Move‸", Match{"Move", "method", "func(dx int, dy int)"}},
		{"Centre‸", Match{"Centre", "function", "func(c *Circle) *Point"}},
		{"Circle‸", Match{"Circle", "type", "Circle"}},
		{"limit‸", Match{"limit", "constant", "untyped int"}},
		{"points‸", Match{"points", "variable", "[]Point"}},
		{"dense‸", Match{"dense", "variable", "*mat.Dense"}},
		{"ctx‸", Match{"ctx", "variable", "context.Context"}},
		{"fmt‸", Match{"fmt", "package", ""}},
		{"for range‸", Match{"range", "keyword", ""}},
		{"append‸", Match{"append", "function", "func(slice []Type, elems ...Type) []Type"}},
		{"float64‸", Match{"float64", "type", "float64"}},
		{"func f(alpha []Circle) { alpha‸", Match{"alpha", "variable", "[]Circle"}},
		{"import \"math/big‸\"", Match{"math/big", "package", ""}},
	}
	for _, tt := range tests {
		source, pos := at(t, tt.src)
		got := s.Complete(source, pos)
		i := slices.IndexFunc(got.Matches, func(m Match) bool { return m.Text == tt.want.Text })
		if i < 0 {
			t.Errorf("%s: %q is not among %q", tt.src, tt.want.Text, texts(got))
		} else if got.Matches[i] != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.src, got.Matches[i], tt.want)
		}
	}
}

// TestCompleteChangesNothing completes and inspects in a cell that declares everything anew.
func TestCompleteChangesNothing(t *testing.T) {
	s := sessionWith(t, earlier...)
	before := fmt.Sprint(s.Names())
	source := "type Point struct{ Z int }\nfunc (p Point) Norm() string { return \"\" }\nfunc (c *Circle) New() {}\nc := 1\nconst limit = 2\nimport fmt \"strings\"\n"
	for _, tail := range []string{"c.", "Point{}.", "fmt.", "li", "func f() { c.", "func (c *Circle) Other() { c."} {
		s.Complete(source+tail, len(source+tail))
		s.Inspect(source+tail, len(source)+1, 1)
	}
	if after := fmt.Sprint(s.Names()); after != before {
		t.Errorf("names before\n%s\nafter\n%s", before, after)
	}
	b, err := s.Execute(context.Background(), Cell{Number: 9, Source: "fmt.Sprintln(c.Norm(), Centre(&c).Norm(), limit)"}, &recorder{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := b.Data["text/plain"], "0 0 10\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// everywhere are texts in which completion and inspection are asked at every offset.
var everywhere = []string{
	strings.Join(earlier, "\n"),
	"import (\r\n\t\"fmt\"\r\n\tm \"math\"\r\n)\r\nx := `a\r\nb` + fmt.Sprint(m.Pi, 'x', 1.5e3)\r\n/* c\r\n*/ c.R++ // end",
	"func f[T any, U Shape](größe T, u ...U) (r []T, err error) {\n\tdefer func() { recover() }()\n\tfor i, é := range u { r = append(r, größe); _ = é.Norm() }\n\treturn\n}",
	"switch x := any(c).(type) {\ncase Circle, *Point: x.\ndefault: goto L\n}\nL: select { case v, ok := <-ch: v.",
	"type T struct { Point; *Circle; f func(a, b int) } ; var t = T{Point{1, 2, \"\"}, &c, nil}; t.Circle.Point.X ++",
	"x := )\n}\n]\n\"abc\n'é\n`raw\n.", ".....", "a.b.c.d(e.f[g.h]).i", "\x00\xff\xfe.\x80", "\uFEFFfmt.\n", "package main; func main() { fmt.Println(c.",
	"if c.R > 0 { } else if points[0].X { go func() { defer c.mu.Lock(",
}

func TestCompleteEverywhere(t *testing.T) {
	s := sessionWith(t, earlier...)
	for _, source := range everywhere {
		for pos := -1; pos <= len(source)+1; pos++ {
			askEverything(t, s, source, pos)
		}
	}
}

// askEverything checks what holds of every answer, whatever the question.
func askEverything(t *testing.T, s *Session, source string, pos int) {
	t.Helper()
	got := s.Complete(source, pos)
	inside := max(0, min(pos, len(source)))
	if got.Start < 0 || got.Start > inside || got.End < inside || got.End > len(source) {
		t.Fatalf("%q at %d: range %d to %d", source, pos, got.Start, got.End)
	}
	typed := strings.ToLower(source[got.Start:max(got.Start, inside)])
	begins, seen := 0, map[string]bool{}
	for _, m := range got.Matches {
		if strings.HasPrefix(strings.ToLower(m.Text), typed) {
			begins++
		} else if _, ok := scattered(typed, m.Text); !ok {
			t.Fatalf("%q at %d: %q has not the letters of %q", source, pos, m.Text, typed)
		}
		if seen[m.Text] {
			t.Fatalf("%q at %d: %q twice", source, pos, m.Text)
		}
		seen[m.Text] = true
		if m.Text == "" || m.Kind == "" || strings.Contains(m.Text, cursorName) || strings.Contains(m.Signature, cursorName) {
			t.Fatalf("%q at %d: match %+v", source, pos, m)
		}
	}
	if begins > 0 && begins < len(got.Matches) {
		t.Fatalf("%q at %d: %d of %q begin with %q", source, pos, begins, texts(got), typed)
	}
	b, found := s.Inspect(source, pos, 1)
	if text, ok := b.Data["text/plain"].(string); found != ok || found && text == "" {
		t.Fatalf("%q at %d: found %v, %q", source, pos, found, text)
	}
	if status, indent := s.IsComplete(source[:inside]); status != Incomplete && indent != "" {
		t.Fatalf("%q at %d: %s, and indentation %q", source, pos, status, indent)
	}
}

// FuzzComplete asks of texts that nobody would write.
func FuzzComplete(f *testing.F) {
	for _, tt := range situations {
		source, pos := at(f, tt.src)
		f.Add(source, pos)
	}
	for _, source := range everywhere {
		f.Add(source, len(source)/2)
		f.Add(source, len(source))
	}
	s := sessionWith(f, earlier...)
	f.Fuzz(func(t *testing.T, source string, pos int) { askEverything(t, s, source, pos) })
}

// TestCompleteWhileRunning asks while a cell defines and uses what is asked for.
func TestCompleteWhileRunning(t *testing.T) {
	s := sessionWith(t, earlier...)
	done := make(chan *Error)
	go func() {
		var err *Error
		for n := 10; n < 30 && err == nil; n++ {
			src := fmt.Sprintf("func (c *Circle) M%d() int { return c.R }\ntype T%d struct{ F Circle }\nv%d := T%d{F: Circle{R: %d}}\nc.Move(1, 1)\nv%d.F.M%d()", n, n, n, n, n, n, n)
			_, err = s.Execute(context.Background(), Cell{Number: n, Source: src}, &recorder{})
		}
		done <- err
	}()
	asked := 0
	for {
		for _, src := range []string{"c.‸", "v12.F.‸", "points[0].N‸", "func (c *Circle) Z() { c.‸", "type Circle struct{}; Circle{}.‸"} {
			source, pos := at(t, src)
			s.Complete(source, pos)
			s.Inspect(source, pos, 1)
			asked++
		}
		s.Names()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			source, pos := at(t, "v12.F.M1‸")
			if got := texts(s.Complete(source, pos)); len(got) != 10 {
				t.Errorf("after %d questions: %q", asked, got)
			}
			return
		default:
		}
	}
}

func TestScattered(t *testing.T) {
	const no = -1
	for _, tt := range []struct {
		typed, name string
		want        int
	}{
		{"", "", 0}, {"", "a", 0}, {"a", "", no}, {"abc", "abc", 0}, {"abc", "ABC", 0}, {"abc", "xaxbxcx", 3}, {"abc", "acb", no},
		{"aa", "a", no}, {"é", "É", 0}, {"éü", "éxü", 1}, {"prntln", "Println", 1}, {"prntln", "Fprintln", 2},
	} {
		got, ok := scattered(tt.typed, tt.name)
		if !ok {
			got = no
		}
		if got != tt.want {
			t.Errorf("%q in %q: got %d, want %d", tt.typed, tt.name, got, tt.want)
		}
	}
}

// BenchmarkComplete completes in a session of 500 names; the target is below 20 ms.
func BenchmarkComplete(b *testing.B) {
	cells := slices.Clone(earlier)
	var src strings.Builder
	for i := range 500 {
		fmt.Fprintf(&src, "name%d := Circle{R: %d}\n", i, i)
	}
	s := sessionWith(b, append(cells, src.String())...)
	for _, bench := range []struct{ name, src string }{
		{"name", "na‸"},
		{"nothing typed", "‸"},
		{"member", "name77.‸"},
		{"type", "var x ‸"},
		{"wanted type", "c = ‸"},
		{"package", "mat.‸"},
		{"import", "import \"‸"},
		{"in a long cell", src.String() + "name499.M‸"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			source, pos := at(b, bench.src)
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if len(s.Complete(source, pos).Matches) == 0 {
					b.Fatal("nothing")
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}
