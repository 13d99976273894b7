package session

import (
	"slices"
	"strings"
	"testing"
)

// world is what the session of the situations has run besides: what completion must choose from.
var world = []string{`
import (
	"io"
	"os"
	"time"
	str "strings"
	"bufio"
)

// A Pair has two sides.
type Pair[A, B any] struct {
	First  A
	Second B
}

func (p *Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.Second, p.First} }

func MakePair[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }

type Number interface{ ~int | ~float64 }

func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return s
}`, `
type Base struct{ ID int }

func (b *Base) SetID(id int) { b.ID = id }
func (b Base) Describe() string { return "" }

type Middle struct {
	*Base
	Level int
}

type Top struct {
	Middle
	io.Reader
	Name  string
	Inner struct{ Deep, Deeper float64 }
	Next  *Top
	When  time.Time
	Call  func(int) *Top
}

type Option struct {
	Retries int
	Timeout time.Duration
	Verbose bool
	Nested  Config
	List    []Config
	ByName  map[string]Config
	Point   *Config
}

type Config struct {
	Host string
	Port int
}

type Colour int

const (
	Red Colour = iota
	Green
	Blue
)

func (c Colour) String() string { return "" }`, `
top := Top{}
option := Option{}
colour := Red
text := "a"
texts := []string{"a"}
number := 1
half := 0.5
ok := true
boxes := map[Colour][]*Top{}
pipe := make(chan Config, 1)
pairs := MakePair("a", top)
makeTop := func() *Top { return nil }
var reader io.Reader
var handler func(w io.Writer, c Config) error
func load(c Config, tries int) (Top, error) { return Top{}, nil }
func parse(text string) int { return 0 }
func port() int { return 0 }`,
}

// Each situation is a cell with a cursor, as one writes Go.
var situations = []struct {
	name, src string
	first     string // the first matches, in this order
	has       string // also these
	not       string // none of these
	none      bool   // nothing at all
}{
	// Members.
	{name: "promoted through two levels", src: "top.‸", first: "Call Inner Middle Name Next Reader When", has: "Base Level ID SetID Describe Read"},
	{name: "promoted pointer method", src: "top.Set‸", first: "SetID"},
	{name: "embedded interface", src: "top.Rea‸", first: "Reader Read"},
	{name: "nested anonymous struct", src: "top.Inner.‸", first: "Deep Deeper"},
	{name: "recursive pointer", src: "top.Next.Next.Na‸", first: "Name"},
	{name: "result of a field that is a function", src: "top.Call(1).Le‸", first: "Level"},
	{name: "result of a function variable", src: "makeTop().In‸", first: "Inner"},
	{name: "element of a map of slices", src: "boxes[Red][0].Wh‸", first: "When"},
	{name: "method of std on a field", src: "top.When.Form‸", first: "Format"},
	{name: "chain of std methods", src: "time.Now().Add(time.Second).UT‸", first: "UTC"},
	{name: "received value", src: "(<-pipe).Ho‸", first: "Host"},
	{name: "type assertion on an interface", src: "reader.(*os.File).Na‸", first: "Name"},
	{name: "constant with methods", src: "Red.‸", first: "String"},
	{name: "dereference", src: "(*top.Next).Na‸", first: "Name"},
	{name: "slice of a slice", src: "boxes[Red][1:][0].Na‸", first: "Name"},
	{name: "generic instance's fields", src: "pairs.‸", first: "First Second Swap"},
	{name: "field of a generic instance", src: "pairs.Second.Na‸", first: "Name"},
	{name: "method of a generic instance", src: "pairs.Swap().First.Na‸", first: "Name"},
	{name: "explicit instance", src: "Pair[string, Config]{}.Second.Po‸", first: "Port"},
	{name: "inferred instance", src: "MakePair(1, option).Second.Re‸", first: "Retries"},
	{name: "conversion", src: "Colour(1).Str‸", first: "String"},
	{name: "composite literal", src: "(&Config{}).Ho‸", first: "Host"},
	{name: "method expression", src: "(*Base).‸", first: "Describe SetID", not: "ID"},
	{name: "error in an if", src: "if _, err := load(option.Nested, 1); err != nil {\n\terr.‸", first: "Error"},
	{name: "no unexported fields of std", src: "top.When.‸", has: "Unix Year", not: "wall ext loc"},
	{name: "alias of an import", src: "str.Fiel‸", first: "Fields FieldsFunc FieldsFuncSeq FieldsSeq"},
	{name: "not the aliased name", src: "strings.Fiel‸", none: true},
	{name: "method value's result type", src: "f := top.Next.Call\nf(2).Na‸", first: "Name"},
	{name: "interface with a method set", src: "var w io.ReadWriteCloser\nw.‸", first: "Close Read Write"},
	{name: "anonymous struct of the cell", src: "rows := []struct{ Key, Value int }{}\nfor _, row := range rows {\n\trow.‸\n}", first: "Key Value"},
	{name: "two values of a call", src: "t, err := load(option.Nested, 1)\nt.Na‸", first: "Name"},
	{name: "value of a map with ok", src: "v, found := option.ByName[text]\nv.Po‸", first: "Port"},
	{name: "select case's value", src: "select {\ncase c := <-pipe:\n\tc.Ho‸", first: "Host"},
	{name: "range over a map", src: "for k, v := range boxes {\n\tv[0].Na‸", first: "Name"},
	{name: "range over a function", src: "for line := range str.Lines(text) {\n\tline.‸", none: true},
	{name: "range over integers", src: "for i := range 10 {\n\ti.‸", none: true},
	{name: "literal that is called", src: "func(c Config) Config { return c }(option.Nested).Ho‸", first: "Host"},
	{name: "goroutine's parameter", src: "go func(c *Config) {\n\tc.Ho‸\n}(nil)", first: "Host"},

	// Type parameters.
	{name: "constraint's methods", src: "type Named interface{ GetName() string }\nfunc show[T Named](v T) {\n\tv.‸", first: "GetName"},
	{name: "constraint of two interfaces", src: "func show[T interface{ io.Reader; io.Closer }](v T) {\n\tv.‸", first: "Close Read"},
	{name: "pointer of a type parameter", src: "func mend[T any, P interface{ *T; Mend() }](v T) {\n\tP(&v).‸", first: "Mend"},
	{name: "type parameter as a type", src: "func keep[Value any](v Val‸", first: "Value"},
	{name: "constraint", src: "func add[T Num‸", first: "Number"},
	{name: "field of a generic receiver", src: "func (p Pair[A, B]) Head() A {\n\treturn p.Fi‸", first: "First"},

	// Unfinished and wrong surroundings.
	{name: "in an open call", src: "fmt.Println(top.Na‸", first: "Name"},
	{name: "in two open calls", src: "fmt.Println(str.Repeat(top.Na‸", first: "Name"},
	{name: "behind an open call", src: "fmt.Println(\ntop.Na‸", first: "Name"},
	{name: "behind an operator", src: "x := 1 +\ntop.Na‸", first: "Name"},
	{name: "behind an open definition", src: "x :=\ntop.Na‸", first: "Name"},
	{name: "behind an unfinished selector", src: "top.\nnum‸"},
	{name: "behind a wrong line", src: "a b c\ntop.Na‸", first: "Name"},
	{name: "behind a stray bracket", src: "x := 1)\ntop.Na‸", first: "Name"},
	{name: "behind a stray brace", src: "x := 1\n}\ntop.Na‸", first: "Name"},
	{name: "behind an open string", src: "x := \"abc\ntop.Na‸", first: "Name"},
	{name: "behind an if without a block", src: "if ok\ntop.Na‸", first: "Name"},
	{name: "variable behind a wrong line", src: "a b c\nmine := top\nmine.Na‸", first: "Name"},
	{name: "variable in front of a wrong line", src: "mine := top\na b c\nmine.Na‸", first: "Name"},
	{name: "variable of a wrong call", src: "mine, err := load(1, 2, 3)\nmine.Na‸", first: "Name"},
	{name: "unknown name in front", src: "x := unknown(1)\ntop.Na‸", first: "Name"},
	{name: "open function below", src: "top.Na‸\n\nfunc g() {", first: "Name"},
	{name: "wrong lines below", src: "top.Na‸\n)))\nif {", first: "Name"},
	{name: "open string below", src: "top.Na‸\nx := \"", first: "Name"},
	{name: "open comment below", src: "top.Na‸\n/* x", first: "Name"},
	{name: "declaration behind a wrong one below", src: "var d Later\nd.‸\n\nfunc wrong( {\n}\n\ntype Later struct{ Late int }", first: "Late"},
	{name: "in a function between others", src: "func a() {}\nfunc b(t Top) {\n\tt.Na‸\n}\nfunc c() {}", first: "Name"},
	{name: "in front of a bracket", src: "fmt.Println(top.Na‸)", first: "Name"},
	{name: "in an index", src: "texts[num‸]", first: "number"},
	{name: "in an else", src: "if ok {\n} else {\n\ttop.Na‸", first: "Name"},
	{name: "in a literal's value", src: "x := Config{Host: top.Na‸", first: "Name"},
	{name: "with a package clause", src: "package main\n\nfunc main() {\n\ttop.Na‸", first: "Name"},
	{name: "in Windows' lines", src: "x := 1\r\nif ok {\r\n\ttop.Na‸\r\n}\r\n", first: "Name"},

	{name: "in an if's definition", src: "if x := top.Na‸", first: "Name"},
	{name: "in an if's definition, a name", src: "if x, err := lo‸", first: "load"},
	{name: "in a for's definition", src: "for i := num‸", first: "number"},
	{name: "in a switch's definition", src: "switch x := top.Na‸", first: "Name"},
	{name: "second on the left", src: "func f(first, second int) {\n\tfirst, sec‸", first: "second"},
	{name: "index on the left", src: "func f(list []int, index int) {\n\tlist[0], list[ind‸", first: "index"},
	{name: "in a post statement's list", src: "for i, j := 0, 9; i < j; i, j‸", first: "j"},
	{name: "in a case", src: "func f(value int) {\n\tswitch {\n\tcase 0 <= val‸", first: "value"},
	{name: "in a case above the function", src: "switch {\ncase bel‸\n}\n\nfunc below() bool { return true }", first: "below"},

	// Literals.
	{name: "fields", src: "Config{‸", first: "Host Port", has: "text"},
	{name: "fields that are left", src: "Option{Retries: 1, ‸", first: "ByName List Nested Point Timeout Verbose", not: "Retries number"},
	{name: "fields that are given below", src: "Option{\n\t‸\n\tRetries: 1,\n\tVerbose: true,\n}", has: "Timeout Nested", not: "Retries Verbose"},
	{name: "only fields in front of a colon", src: "Config{‸: 1}", first: "Host Port", not: "text number"},
	{name: "nested literal", src: "Option{Nested: Config{Po‸", first: "Port port"},
	{name: "elided in a slice", src: "Option{List: []Config{{Ho‸", first: "Host"},
	{name: "elided, second element", src: "[]Config{{Host: \"a\"}, {‸", first: "Host Port"},
	{name: "elided in a map", src: "map[string]Config{\"a\": {Po‸", first: "Port port"},
	{name: "elided pointer", src: "[]*Config{{Ho‸", first: "Host"},
	{name: "over lines", src: "x := &Option{\n\tRetries: 2,\n\tTime‸", first: "Timeout"},
	{name: "anonymous struct's fields", src: "struct{ Left, Right int }{Le‸", first: "Left"},
	{name: "generic literal", src: "Pair[int, int]{Fir‸", first: "First"},
	{name: "no fields behind values", src: "Config{\"a\", ‸", not: "Host Port", first: "number"},
	{name: "std fields", src: "bufio.ReadWriter{‸", first: "Reader Writer"},
	{name: "literal in a call", src: "load(Config{Ho‸", first: "Host"},

	// The type that is wanted comes first.
	{name: "argument", src: "parse(te‸", first: "text texts"},
	{name: "argument by type", src: "parse(‸", first: "text"},
	{name: "second argument", src: "load(option.Nested, ‸", first: "number"},
	{name: "function that gives it", src: "load(option.Nested, po‸", first: "port"},
	{name: "assignment", src: "number = p‸", first: "parse port"},
	{name: "field's value", src: "Config{Host: te‸", first: "text texts"},
	{name: "comparison", src: "if colour == ‸", first: "Blue Green Red", has: "colour"},
	{name: "comparison, not with itself", src: "func f(err error) {\n\tif err != ‸", first: "nil", has: "err"},
	{name: "comparison of a field with its like", src: "if boxes[Red][0].When == top.‸", first: "When"},
	{name: "case of a switch", src: "switch colour {\ncase ‸", first: "Blue Green Red", has: "colour"},
	{name: "condition", src: "if o‸", first: "ok option"},
	{name: "negation", src: "if !‸", first: "ok"},
	{name: "return", src: "func f(width int, title string) string {\n\treturn ‸", first: "title text"},
	{name: "index of a map", src: "boxes[‸", first: "Blue Green Red colour"},
	{name: "append", src: "texts = append(texts, ‸", first: "text"},
	{name: "sent value", src: "var conf Config\npipe <- ‸", first: "conf"},
	{name: "variable with a type", src: "var s string = te‸", first: "text texts"},
	{name: "pointer", src: "var base Base\ntop.Base = &‸", first: "base"},
	{name: "member by type", src: "parse(top.‸", first: "Name"},
	{name: "package's constants by type", src: "option.Timeout = time.‸", has: "Second", not: "unitMap"},
	{name: "package's constants by type, begun", src: "option.Timeout = time.Se‸", first: "Second"},
	{name: "std function's flags", src: "os.OpenFile(text, os.O‸", first: "O_APPEND O_CREATE O_EXCL O_RDONLY O_RDWR O_SYNC O_TRUNC O_WRONLY"},

	{name: "bound of a slice", src: "texts[number:‸]", first: "number"},
	{name: "smallest of", src: "min(half, ‸", first: "half"},
	{name: "received from", src: "x := <-‸", first: "pipe"},
	{name: "received into a variable", src: "var c Config\nc = <-‸", first: "pipe"},
	{name: "pointed to", src: "func f(p *Config, c Config) {\n\tx := *‸", first: "p"},
	{name: "deferred", src: "func f(cancel func(), c Config) {\n\tdefer c‸", first: "cancel c"},
	{name: "range", src: "for _, x := range ‸", first: "boxes text texts"},
	{name: "range of one variable", src: "for x := range ‸", first: "Blue Green Red boxes colour number pipe text texts"},
	{name: "range of a member", src: "for _, x := range option.‸ {\n}", first: "ByName List"},
	{name: "range over a function", src: "for x := range str.Fi‸", first: "Fields"},
	{name: "range over what a type parameter stands for", src: "func f[S ~[]E, E any](number int, items S) {\n\tfor range ‸", first: "items number"},
	{name: "length", src: "len(‸", first: "boxes pipe text texts"},
	{name: "appended to", src: "x := append(‸", first: "texts"},
	{name: "closed", src: "close(‸", first: "pipe"},
	{name: "deleted from", src: "delete(‸", first: "boxes"},
	{name: "copied from", src: "copy(texts, ‸", first: "texts nil"},
	{name: "conversion's operand", src: "float64(‸", first: "Blue Green Red colour half number"},
	{name: "slice for a type parameter", src: "import \"slices\"\nslices.Sort(‸", first: "texts"},
	{name: "map for a type parameter", src: "import \"maps\"\nmaps.Keys(option.‸", first: "ByName"},
	{name: "slice of a type parameter", src: "func each[T any](xs []T, f func(T)) {}\neach(te‸", first: "texts text"},
	{name: "address of a variable", src: "func f(b []byte, x any) {}\nf(nil, &‸", first: "boxes colour", has: "Red parse"},
	{name: "address of a literal", src: "f := &Con‸", first: "Config"},
	{name: "function of two results", src: "x, err := ‸", first: "load Top"},
	{name: "method of two results", src: "a, b := bufio.NewReader(nil).‸", first: "Discard Peek Read ReadByte"},
	{name: "type whose method gives two results", src: "w, err := affinity.‸", first: "CLR CLRInitial Cosine Gaussian KNN Linear NewAnchored"},
	{name: "type whose method gives what variables take", src: "var err error\nvar w *mat.Dense\nw, err = affinity.‸", first: "Cosine Gaussian Linear"},
	{name: "function for two variables", src: "var f *os.File\nvar err error\nf, err = os.Create‸", first: "Create CreateTemp"},
	{name: "method for variables of other types", src: "text, number = bufio.NewReader(nil).Re‸", first: "Read ReadByte"},
	{name: "type that implements an interface", src: "import \"sort\"\nsort.Sort(sort.‸", first: "Float64Slice IntSlice Reverse StringSlice"},
	{name: "functions before types whose pointer does", src: "reader = bufio.‸", first: "NewReadWriter NewReader NewReaderSize ReadWriter Reader"},
	{name: "type whose pointer does", src: "reader = &bufio.‸", first: "ReadWriter Reader"},
	{name: "package of the type", src: "option.Timeout = ‸", first: "time"},
	{name: "package of the parameter's type", src: "clustering.SNMFNcut{}.Fit(ctx, nil, ‸", first: "clustering"},
	{name: "package of the type behind what fits", src: "import \"math/big\"\nvar a, b *big.Int\na.Abs(‸", first: "a b nil big"},
	{name: "iota in constants only", src: "x := texts[‸", not: "iota"},
	{name: "iota in a constant", src: "const (\n\tA = io‸", first: "io iota"},

	// Names.
	{name: "values before types", src: "fmt.Println(‸", first: "Blue Green MakePair Red Sum boxes colour", has: "Config"},
	{name: "locals before the session's", src: "func f(nothing int) {\n\tn‸", first: "nothing number"},
	{name: "keywords behind names", src: "f‸", first: "figure fmt false float32 float64 for func", not: "fallthrough"},
	{name: "exact case first", src: "p‸", has: "Pair", first: "pairs parse pipe port"},
	{name: "exact case first, capital", src: "P‸", first: "Pair pairs"},
	{name: "named result", src: "func f() (answer int, err error) {\n\tans‸", first: "answer"},
	{name: "variadic parameter", src: "func f(values ...int) {\n\tval‸", first: "values"},
	{name: "closure sees the outer", src: "func f(outer int) {\n\tg := func(inner int) {\n\t\tout‸", first: "outer"},
	{name: "not what is declared below in the block", src: "func f() {\n\tlat‸\n\tlater := 1\n}", not: "later"},
	{name: "not the other branch's", src: "if ok {\n\tbranch := 1\n} else {\n\tbran‸", none: true},
	{name: "if's own variable", src: "if value := number; val‸", first: "value"},
	{name: "else sees the if's variable", src: "if value := number; value > 0 {\n} else {\n\tval‸", first: "value"},
	{name: "for's variable", src: "for index := 0; ind‸", first: "index"},
	{name: "for's variable in the post statement", src: "for index := 0; index < 3; ind‸", first: "index"},
	{name: "function calls itself", src: "func recurse() {\n\trecu‸", first: "recurse"},
	{name: "local constant", src: "func f() {\n\tconst local = 1\n\tloc‸", first: "local"},
	{name: "local type", src: "func f() {\n\ttype local struct{}\n\tvar x loc‸", first: "local"},
	{name: "fuzzy", src: "mkPr‸", first: "MakePair"},
	{name: "fuzzy, the closest first", src: "str.hspr‸", first: "HasPrefix"},
	{name: "fuzzy only where nothing begins so", src: "num‸", first: "number Number"},
	{name: "no keyword for letters in it", src: "nrfc‸", none: true},
	{name: "behind an emoji", src: "x := \"😀世界\"; te‸", first: "text texts"},
	{name: "CJK name", src: "世界 := 1\n世‸", first: "世界"},

	// Types.
	{name: "variable's type", src: "var x Co‸", first: "Colour Config", not: "copy const colour"},
	{name: "parameter's type", src: "func f(c Co‸", first: "Colour Config", not: "colour"},
	{name: "second parameter's type", src: "func f(a, b int, c Co‸", first: "Colour Config", not: "colour"},
	{name: "result's type", src: "func f() Co‸", first: "Colour Config", not: "colour"},
	{name: "results' types", src: "func f(a int) (x Co‸", first: "Colour Config", not: "colour"},
	{name: "receiver's type", src: "func (c *Co‸", first: "Colour Config", not: "colour"},
	{name: "field's type", src: "type T struct {\n\tC Co‸", first: "Colour Config", not: "colour"},
	{name: "pointer type", src: "var p *Co‸", first: "Colour Config", not: "colour"},
	{name: "element's type", src: "var p []Co‸", first: "Colour Config", not: "colour"},
	{name: "key's type", src: "var p map[Co‸", first: "Colour Config", not: "colour"},
	{name: "value's type", src: "p := map[string]Co‸", first: "Colour Config", not: "colour"},
	{name: "channel's type", src: "var p chan Co‸", first: "Colour Config", not: "colour"},
	{name: "make", src: "p := make(map‸", first: "map"},
	{name: "made type", src: "p := make([]Co‸", first: "Colour Config", not: "colour"},
	{name: "asserted type", src: "any(1).(Co‸", first: "Colour Config", not: "colour"},
	{name: "type switch's case", src: "switch any(1).(type) {\ncase Co‸", first: "Colour Config", not: "colour"},
	{name: "type switch's second case", src: "switch any(1).(type) {\ncase int, Co‸", first: "Colour Config", not: "colour"},
	{name: "new type", src: "type T Co‸", first: "Colour Config", not: "colour"},
	{name: "alias", src: "type T = Co‸", first: "Colour Config", not: "colour"},
	{name: "group's variable", src: "var (\n\ta int\n\tb Co‸", first: "Colour Config", not: "colour"},
	{name: "package's types only", src: "var w io.‸", has: "Writer Reader", not: "Copy EOF"},
	{name: "package's types in a parameter", src: "func f(r io.Rea‸", first: "ReadCloser ReadSeekCloser ReadSeeker", not: "ReadAll ReadFull"},
	{name: "conversion or call", src: "x := Co‸", first: "Colour Config colour"},
	{name: "function literal's parameter", src: "x := func(c Co‸", first: "Colour Config", not: "colour"},
	{name: "no keywords of statements in types", src: "var x ‸", has: "map chan func struct interface int", not: "for if number"},
	{name: "length of an array", src: "var x [num‸", first: "number"},
	{name: "multiplication is no pointer", src: "number * num‸", first: "number"},

	// Keywords.
	{name: "else", src: "if ok {\n} el‸", first: "else"},
	{name: "else if", src: "if ok {\n} else i‸", first: "if"},
	{name: "nothing but else", src: "if ok {\n} ‸", first: "else", not: "number for"},
	{name: "case and default only", src: "switch number {\n‸", first: "case default", not: "number for"},
	{name: "case", src: "switch number {\ncase 1:\n\tfmt.Println()\nca‸", has: "case"},
	{name: "fallthrough not in a type switch", src: "switch any(1).(type) {\ncase int:\n\tfallth‸", none: true},
	{name: "break and continue in a loop", src: "for {\n\t‸", has: "break continue", not: "case import func_"},
	{name: "neither outside", src: "‸", has: "import func var type", not: "break continue case default else range fallthrough"},
	{name: "neither in a function in a loop", src: "for {\n\tf := func() {\n\t\t‸", not: "break continue import"},
	{name: "break in a select", src: "select {\ncase <-pipe:\n\tbr‸", first: "break"},
	{name: "range", src: "for _, x := ra‸", first: "range"},
	{name: "range alone", src: "for ra‸", first: "range"},
	{name: "range only there", src: "x := ra‸", not: "range"},
	{name: "no keyword in an expression", src: "x := number + ‸", not: "for if return var", has: "func"},
	{name: "in a header", src: "for i := 0; ‸", not: "var return for"},
	{name: "type in an assertion", src: "switch x := any(1).(ty‸", first: "type"},
	{name: "package at the beginning", src: "pack‸", first: "package"},
	{name: "package only there", src: "x := 1\npack‸", not: "package"},

	// Labels.
	{name: "break's label", src: "outer:\nfor {\n\tfor {\n\t\tbreak ‸", first: "outer", not: "number"},
	{name: "continue's label", src: "outer:\n\tfor range 3 {\n\t\tcontinue o‸", first: "outer", not: "ok"},
	{name: "no label of a switch for continue", src: "which:\nswitch {\ncase ok:\n\tcontinue ‸", none: true},
	{name: "break's label of a switch", src: "which:\nswitch {\ncase ok:\n\tfor {\n\t\tbreak ‸", first: "which"},
	{name: "no label that is not around", src: "first:\nfor {\n}\nfor {\n\tbreak ‸", none: true},
	{name: "goto's label below", src: "func f() {\n\tgoto ‸\nend:\n\tprintln()\n}", first: "end"},
	{name: "goto's labels, not keys", src: "func f() {\nstart:\n\tx := map[string]int{text: 1}\n\tgoto ‸", first: "start", not: "text"},
	{name: "not another function's labels", src: "func f() {\nthere:\n\tprintln()\n}\nfunc g() {\n\tgoto ‸", none: true},

	// Names that are being defined.
	{name: "variable", src: "var num‸", none: true},
	{name: "function", src: "func num‸", none: true},
	{name: "type", src: "type Con‸", none: true},
	{name: "constant", src: "const num‸", none: true},
	{name: "method", src: "func (c Config) num‸", none: true},
	{name: "import's name", src: "import num‸", none: true},
	{name: "second variable", src: "var a, num‸", none: true},
	{name: "group's name", src: "const (\n\tnum‸", none: true},
	{name: "behind an operand", src: "number num‸", none: true},
	{name: "behind a call", src: "parse(text) num‸", none: true},
	{name: "behind a number", src: "1 num‸", none: true},

	// Imports.
	{name: "import path", src: "import \"net/h‸", first: "net/http", has: "net/http/httptest"},
	{name: "import path in a group with others", src: "import (\n\t\"fmt\"\n\tm \"mat‸\n\t\"os\"\n)", first: "math math/big math/bits"},
	{name: "blank import", src: "import _ \"image/p‸\"", first: "image/png"},
	{name: "import of the same line", src: "import \"fmt\"; import \"strc‸", first: "strconv"},
	{name: "import in the cell, used below", src: "import \"sort\"\n\nsort.Int‸", first: "IntSlice Interface Ints IntsAreSorted"},
	{name: "import in a group, used below", src: "import (\n\t\"sort\"\n\tb64 \"encoding/base64\"\n)\nb64.StdEn‸", first: "StdEncoding"},
	{name: "dot import", src: "import . \"math\"\nSqr‸", first: "Sqrt"},
}

func TestSituations(t *testing.T) {
	s := sessionWith(t, world...)
	for _, tt := range situations {
		t.Run(tt.name, func(t *testing.T) {
			source, pos := at(t, tt.src)
			got := s.Complete(source, pos)
			all := texts(got)
			if tt.none != (len(all) == 0) && tt.first+tt.has != "" || tt.none && len(all) > 0 {
				t.Fatalf("got %q", all)
			}
			for i, want := range strings.Fields(tt.first) {
				if i >= len(all) || all[i] != want {
					t.Errorf("got %q, want %s first", all, tt.first)
					break
				}
			}
			for _, want := range strings.Fields(tt.has) {
				if !slices.Contains(all, want) {
					t.Errorf("%s is not among %q", want, all)
				}
			}
			for _, bad := range strings.Fields(tt.not) {
				if slices.Contains(all, bad) {
					t.Errorf("%s is among %q", bad, all)
				}
			}
			if len(slices.Compact(slices.Sorted(slices.Values(all)))) != len(all) {
				t.Errorf("twice: %q", all)
			}
		})
	}
}
