package session

import (
	"strings"
	"testing"
)

func TestSuggestions(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import \"strings\"\ntype Matrix struct {\n\tRows, Columns int\n\tlabel         string\n}\nfunc (m Matrix) Transpose() Matrix { return m }\nfunc (m *Matrix) scale(f float64) {}\n"+
		"measure := 1\nmatrix := Matrix{}\nfunc normalize(x float64) float64 { return x }\nvalue1, value2 := 1, 2\nerr := fmt.Errorf(\"x\")")
	for _, test := range []struct {
		name string
		src  string
		want []string // the messages, in order
	}{
		{"a package", "strconv.Itoa(1)", []string{`undefined: strconv; add import "strconv"`}},
		{"a package of a nested path", "x := sha256.New()", []string{`undefined: sha256; add import "crypto/sha256"`}},
		{"two packages of a name", "rand.Intn(1)", []string{`undefined: rand; add import "crypto/rand" or "math/rand" or "math/rand/v2"`}},
		{"in a function", "func f() string { return strconv.Itoa(1) }", []string{`undefined: strconv; add import "strconv"`}},
		{"in a type", "var b *bytes.Buffer", []string{`undefined: bytes; add import "bytes"`}},
		{"a name that is a package's, not used as one", "x := sort + 1", []string{`undefined: sort`}},
		{"a variable", "mesure + 1", []string{`undefined: mesure; did you mean measure?`}},
		{"letters swapped", "maesure + 1", []string{`undefined: maesure; did you mean measure?`}},
		{"a function", "normalise(1)", []string{`undefined: normalise; did you mean normalize?`}},
		{"a type", "var m Matirx", []string{`undefined: Matirx; did you mean Matrix?`}},
		{"a variable or a type", "MATRIX", []string{`undefined: MATRIX`}},
		{"a builtin", "lenn(\"x\")", []string{`undefined: lenn; did you mean len?`}},
		{"a preloaded package", "ftm.Println()", []string{`undefined: ftm; did you mean fmt?`}},
		{"a local variable", "func f() int {\n\tcounter := 1\n\treturn conter + counter\n}", []string{`undefined: conter; did you mean counter?`}},
		{"of this cell", "distance := 1\ndistanse", []string{`undefined: distanse; did you mean distance?`}},
		{"several are as close", "value3", []string{`undefined: value3`}},
		{"nothing is close", "quux", []string{`undefined: quux`}},
		{"short names", "xy", []string{`undefined: xy`}},
		{"a member of a package", "strings.ToUper(\"x\")", []string{`undefined: strings.ToUper; did you mean ToUpper?`}},
		{"in other case", "strings.toUpper(\"x\")", []string{`undefined: strings.toUpper (but have ToUpper)`}},
		{"a field", "matrix.Colums", []string{`matrix.Colums undefined (type Matrix has no field or method Colums); did you mean Columns?`}},
		{"a method", "matrix.Transpos()", []string{`matrix.Transpos undefined (type Matrix has no field or method Transpos); did you mean Transpose?`}},
		{"go/types knows itself", "matrix.rows", []string{`matrix.rows undefined (type Matrix has no field or method rows, but does have field Rows)`}},
		{"a key of a literal", "Matrix{Rowz: 1}", []string{`unknown field Rowz in struct literal of type Matrix; did you mean Rows?`}},
		{"a method of what a call returns", "strings.NewReader(\"x\").ReedByte()", []string{`strings.NewReader("x").ReedByte undefined (type *strings.Reader has no field or method ReedByte); did you mean ReadByte?`}},
		{"a question of IPython's", "strings.ToUpper?", []string{`illegal character U+003F '?'; Shift-Tab at a name shows its documentation`}},
		{"several errors in order", "a := mesure\nb := strconv.Itoa(1)\nc := quux\nvar d int = \"x\"", []string{
			`undefined: mesure; did you mean measure?`, `undefined: strconv; add import "strconv"`, `undefined: quux`,
			`cannot use "x" (untyped string constant) as int value in variable declaration`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, e := s.Execute(t.Context(), Cell{2, test.src}, &recorder{})
			if e == nil {
				t.Fatal("no error")
			}
			var got []string
			for line := range strings.Lines(e.Value) {
				_, msg, _ := strings.Cut(strings.TrimSpace(line), ": ")
				got = append(got, msg)
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
	if got := run1(t, s, 3, "measure"); got != "1" {
		t.Errorf("after the errors: got %s, want 1", got)
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abc", "abcd", 1},
		{"kitten", "sitting", 3}, {"ca", "abc", 3}, {"größe", "grösse", 2},
	} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("%q, %q: got %d, want %d", test.a, test.b, got, test.want)
		}
		if got := distance(test.b, test.a); got != test.want {
			t.Errorf("%q, %q: got %d, want %d", test.b, test.a, got, test.want)
		}
	}
}
