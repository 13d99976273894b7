package split

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outline writes what a cell was split into, one line a part: what it is, and its first line.
func outline(c *Cell, fset *token.FileSet) string {
	var out []string
	add := func(what string, n ast.Node) {
		first, _, _ := strings.Cut(c.Text(fset, n), "\n")
		out = append(out, what+" "+strings.TrimRight(first, "\r"))
	}
	for _, n := range c.Imports {
		add("import", n)
	}
	for _, n := range c.Decls {
		add("decl", n)
	}
	for _, n := range c.Funcs {
		add("func", n)
	}
	for _, n := range c.Body {
		add("stmt", n)
	}
	if c.Muted {
		out = append(out, "muted")
	}
	if c.WasFile {
		out = append(out, "file")
	}
	return strings.Join(out, "\n")
}

func TestHeadsHaveOneLength(t *testing.T) {
	for k, head := range heads {
		if len(head) != len(heads[statement]) {
			t.Errorf("head of kind %d has length %d, want %d", k, len(head), len(heads[statement]))
		}
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, src, want string
	}{
		{"empty", "", ""},
		{"white space", " \n\t\n", ""},
		{"only comments", "// one\n/* two\n three */ // four", ""},
		{"expression", "1 + 2", "stmt 1 + 2"},
		{"statements", "x := 1\nx++\nprintln(x)", "stmt x := 1\nstmt x++\nstmt println(x)"},
		{"statements on one line", "x := 1; x++; println(x)", "stmt x := 1\nstmt x++\nstmt println(x)"},
		{"var is a statement", "var x, y = 1, 2\nvar (\n\tz int\n)", "stmt var x, y = 1, 2\nstmt var ("},
		{"muted", "x := 1\nx;", "stmt x := 1\nstmt x\nmuted"},
		{"muted before a comment", "x; // why", "stmt x\nmuted"},
		{"two semicolons", "x;;", "stmt x\nstmt ;\nmuted"},
		{"a semicolon within does not mute", "x; y", "stmt x\nstmt y"},
		{"a declaration's semicolon mutes", "x\ntype T int;", "decl type T int\nstmt x\nmuted"},
		{"import", `import "fmt"`, `import "fmt"`},
		{"imports", "import (\n\t\"fmt\"\n\tm \"math\" // sums\n)\nimport . \"os\"; import _ \"embed\"",
			"import \"fmt\"\nimport m \"math\"\nimport . \"os\"\nimport _ \"embed\""},
		{"import after its use", "fmt.Println(1)\nimport \"fmt\"", "import \"fmt\"\nstmt fmt.Println(1)"},
		{"constants", "const a = iota\nconst (\n\tb = iota\n\tc\n)", "decl const a = iota\ndecl const ("},
		{"types", "type A int\ntype (\n\tB struct{ x int }\n\tC = B\n)", "decl type A int\ndecl type ("},
		{"generic type", "type P[K comparable, V any] struct {\n\tk K\n\tv V\n}", "decl type P[K comparable, V any] struct {"},
		{"function", "func f(a int) int { return a }\nf(1)", "func func f(a int) int { return a }\nstmt f(1)"},
		{"generic function", "func Map[T, U any](xs []T, f func(T) U) []U { return nil }",
			"func func Map[T, U any](xs []T, f func(T) U) []U { return nil }"},
		{"method", "func (p *P[K, V]) Get(k K) V { return p.v }", "func func (p *P[K, V]) Get(k K) V { return p.v }"},
		{"method without a receiver's name", "func (T) M() {}", "func func (T) M() {}"},
		{"method with an odd receiver", "func (x struct{ f func() }) M() {}", "func func (x struct{ f func() }) M() {}"},
		{"function without a body", "func f()", "func func f()"},
		{"literal that is called", "func() { println(1) }()", "stmt func() { println(1) }()"},
		{"literal with arguments", "func(a, b int) int { return a }(1, 2)", "stmt func(a, b int) int { return a }(1, 2)"},
		{"literal with results", "func() (a int) { return }()", "stmt func() (a int) { return }()"},
		{"literal with a named result type", "func(a int) T { return T{} }(1)", "stmt func(a int) T { return T{} }(1)"},
		{"deferred literal", "defer func() { recover() }()", "stmt defer func() { recover() }()"},
		{"label", "outer:\nfor {\n\tbreak outer\n}", "stmt outer:"},
		{"label and type", "L: type T int", "stmt L: type T int"},
		{"for header", "for i := 0; i < 3; i++ { println(i) }\nx", "stmt for i := 0; i < 3; i++ { println(i) }\nstmt x"},
		{"for header with a literal", "for f := 0; func() bool { return f < 3 }(); f++ { }",
			"stmt for f := 0; func() bool { return f < 3 }(); f++ { }"},
		{"for header over lines", "for i := 0;\ni < 3;\ni++ {\n}", "stmt for i := 0;"},
		{"bare for", "for ;; { break }", "stmt for ;; { break }"},
		{"if header", "if x := f(); x > 0 { } else if y := 1; y > x { } else { }", "stmt if x := f(); x > 0 { } else if y := 1; y > x { } else { }"},
		{"switch header", "switch x := f(); x {\ncase 1: type T int; const c = 1\ndefault:\n}", "stmt switch x := f(); x {"},
		{"type switch", "switch x := v.(type) {\ncase int:\n}", "stmt switch x := v.(type) {"},
		{"select", "select {\ncase x := <-c:\n}", "stmt select {"},
		{"block with declarations", "{ type T int; const c = 1 }", "stmt { type T int; const c = 1 }"},
		{"strings hold anything", "s := \"} ; func f() {\" + `\nimport \"x\"; {\n` + \"//\"\nr := '{'", "stmt s := \"} ; func f() {\" + `\nstmt r := '{'"},
		{"comments hold anything", "x := 1 // ; { func\n/* } import */ y := 2 /* ( */", "stmt x := 1\nstmt y := 2"},
		{"comment that ends a statement", "x := 1 /*\n*/ y := 2", "stmt x := 1\nstmt y := 2"},
		{"comment that ends a declaration", "type T int /*\n*/ y := 2", "decl type T int\nstmt y := 2"},
		{"kinds on one line", "x := 1; type T int; y := T(x); func f() {}; import \"fmt\"; y",
			"import \"fmt\"\ndecl type T int\nfunc func f() {}\nstmt x := 1\nstmt y := T(x)\nstmt y"},
		{"package clause", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println() }",
			"import \"fmt\"\nfunc func main() { fmt.Println() }\nfile"},
		{"package clause behind a comment", "// Package p does.\npackage p; x := 1", "stmt x := 1\nfile"},
		{"carriage returns", "x := 1\r\ntype T int\r\n\r\nfunc f() {\r\n}\r\nx\r\n", "decl type T int\nfunc func f() {\nstmt x := 1\nstmt x"},
		{"carriage returns in a raw string", "s := `a\r\nb\r\n`\r\nx := 1", "stmt s := `a\nstmt x := 1"},
		{"byte order mark", "\uFEFFx := 1\nx", "stmt x := 1\nstmt x"},
		{"unicode", "größe := \"日本\"; π := 3.14\nfunc ƒ() {}\nπ", "func func ƒ() {}\nstmt größe := \"日本\"\nstmt π := 3.14\nstmt π"},
		{"no newline needed at the end", "type T struct{}", "decl type T struct{}"},
		{"composite literal over lines", "x := []int{\n\t1,\n\t2,\n}\nx", "stmt x := []int{\nstmt x"},
		{"chained calls over lines", "a.\n\tb().\n\tc()", "stmt a."},
		{"go and defer", "go f()\ndefer g()", "stmt go f()\nstmt defer g()"},
		{"return", "return", "stmt return"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fset := token.NewFileSet()
			c, errs := Parse(fset, 1, tt.src)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if got := outline(c, fset); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if c.Number != 1 || c.Source != tt.src {
				t.Errorf("number %d, source %q", c.Number, c.Source)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"operand missing", "x := )", []string{"cell 7:1:6: expected operand, found ')'"}},
		{"operand missing at the end", "x :=", []string{"cell 7:1:5: expected operand, found 'EOF'"}},
		{"operand missing at the end, and blank lines", "x := 1 +\n\n", []string{"cell 7:1:9: expected operand, found 'EOF'"}},
		{"two expressions", "a b", []string{"cell 7:1:3: expected ';', found b"}},
		{"one a line", "type 1 2\ntype 3", []string{"cell 7:1:6: expected 'IDENT', found 1", "cell 7:2:6: expected 'IDENT', found 3"}},
		{"what follows from another", "a b\nc d", []string{"cell 7:1:3: expected ';', found b"}},
		{"kinds in source order", "a b\ntype 1\nimport 2\nc d", []string{
			"cell 7:1:3: expected ';', found b",
			"cell 7:2:6: expected 'IDENT', found 1",
			"cell 7:3:8: import path must be a string"}},
		{"columns are bytes", "é ü", []string{"cell 7:1:4: expected ';', found ü"}},
		{"newline in a header", "if x\n{ }", []string{"cell 7:1:5: unexpected newline, expecting { after if clause"}},
		{"type without one", "type T\nx", []string{"cell 7:1:7: expected type, found newline"}},
		{"import of nothing", "import", []string{"cell 7:1:7: missing import path"}},
		{"open brace", "func f() {\n\tx\n", []string{"cell 7:2:3: expected '}', found 'EOF' (the '{' of line 1 is not closed)"}},
		{"open parenthesis", "f(1,\n\n// two\n", []string{"cell 7:1:5: expected ')', found 'EOF' (the '(' of line 1 is not closed)"}},
		{"open bracket", "x[", []string{"cell 7:1:3: expected ']', found 'EOF' (the '[' of line 1 is not closed)"}},
		{"innermost of several", "if x {\n\tf(", []string{"cell 7:2:4: expected ')', found 'EOF' (the '(' of line 2 is not closed)"}},
		{"what is wrong before an open bracket", "a b\nif x {", []string{"cell 7:1:3: expected ';', found b"}},
		{"what is wrong inside an open bracket", "if x {\n\ta b\n", []string{"cell 7:2:4: expected ';', found b"}},
		{"stray brace", "x := 1\n}\ny := 2", []string{"cell 7:2:1: expected statement, found '}'"}},
		{"stray brace behind a statement", "x := 1 }", []string{"cell 7:1:8: expected statement, found '}'"}},
		{"stray brace behind a function", "func f() {}}", []string{"cell 7:1:12: expected declaration, found '}'"}},
		{"stray brace between functions", "func f() {}\n}\nfunc g() {}", []string{"cell 7:2:1: expected statement, found '}'"}},
		{"stray parenthesis", "f())", []string{"cell 7:1:4: expected statement, found ')'"}},
		{"wrong bracket", "f(1]", []string{"cell 7:1:4: missing ',' in argument list"}},
		{"wrong brace", "f(1}", []string{"cell 7:1:4: missing ',' in argument list"}},
		{"what is wrong before a stray brace", "a b\n}", []string{"cell 7:1:3: expected ';', found b"}},
		{"raw string", "x := `abc\n{", []string{"cell 7:1:6: raw string literal not terminated"}},
		{"raw string inside an open bracket", "f(`abc", []string{"cell 7:1:3: raw string literal not terminated"}},
		{"string", "x := \"abc\ny", []string{"cell 7:1:6: string literal not terminated"}},
		{"rune", "x := 'a", []string{"cell 7:1:6: rune literal not terminated"}},
		{"comment", "x := 1 /* abc\n", []string{"cell 7:1:8: comment not terminated"}},
		{"comment behind a declaration", "type T int\n/* abc\n", []string{"cell 7:2:1: comment not terminated"}},
		{"illegal character", "x := 1\ny # 2", []string{"cell 7:2:3: illegal character U+0023 '#'"}},
		{"shell", "ls $HOME", []string{"cell 7:1:4: illegal character U+0024 '$'"}},
		{"package clause too late", "x := 1\npackage main", []string{"cell 7:2:1: expected statement, found 'package'"}},
		{"package clause with two names", "package main foo\nx := 1", []string{"cell 7:1:14: expected ';', found foo"}},
		{"package clause without a name", "package\n", []string{"cell 7:1:8: expected 'IDENT', found 'EOF'"}},
		{"line directives do not count", "//line foo.go:100\na b", []string{"cell 7:2:3: expected ';', found b"}},
		{"line directives within a line do not count", "/*line foo.go:100:5*/a b", []string{"cell 7:1:24: expected ';', found b"}},
		{"byte order mark", "\uFEFFa b", []string{"cell 7:1:6: expected ';', found b"}},
		{"carriage returns", "x := 1\r\na b\r\n", []string{"cell 7:2:3: expected ';', found b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, errs := Parse(token.NewFileSet(), 7, tt.src)
			if c != nil {
				t.Error("a cell beside errors")
			}
			var got []string
			for _, e := range errs {
				got = append(got, e.Error())
			}
			if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

// everything is a cell with all kinds of parts.
const everything = "package main // the clause\n\n" +
	"// Doc of the import.\nimport \"fmt\"\n\n" +
	"é, x := \"日本\", 1 // a comment\n" +
	"// T is a type.\ntype T[P any] struct { // of one field\n\tf P // the field\n}\n" +
	"/* inline */ const c, d = 1, 2; y := x\n" +
	"//line other.go:77\nfor i := 0; i < 3; i++ { y += i }\r\n" +
	"// M is a method.\n//\n// It has two paragraphs.\nfunc (t *T[P]) M(é int) (ü P) {\n\treturn t.f /*line a.go:5:5*/\n}\n" +
	"L:\n\tfor range 3 { continue L }\n" +
	"fmt.Println(é, `raw\nstring`, func() int { return 1 }(),\n\ty)"

// TestPositions compares every identifier's and literal's position with what stands there in the cell.
func TestPositions(t *testing.T) {
	fset := token.NewFileSet()
	c, errs := Parse(fset, 3, everything)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	lines := strings.Split(everything, "\n")
	seen := 0
	for n := range c.Nodes() {
		ast.Inspect(n, func(n ast.Node) bool {
			word := ""
			switch n := n.(type) {
			case *ast.Ident:
				word = n.Name
			case *ast.BasicLit:
				word, _, _ = strings.Cut(n.Value, "\n")
			default:
				return true
			}
			seen++
			at := fset.Position(n.Pos())
			if at.Filename != "cell 3" {
				t.Errorf("%s is in %q", word, at.Filename)
			}
			if !strings.HasPrefix(lines[at.Line-1][at.Column-1:], word) {
				t.Errorf("%q is not at %v", word, at)
			}
			if offset, ok := c.Offset(fset, n.Pos()); !ok || !strings.HasPrefix(everything[offset:], word) {
				t.Errorf("%q is not at offset %d", word, offset)
			}
			return true
		})
	}
	if seen < 40 {
		t.Errorf("only %d words seen", seen)
	}
}

func TestDocComments(t *testing.T) {
	fset := token.NewFileSet()
	c, errs := Parse(fset, 3, everything)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if got, want := c.Decls[0].Doc.Text(), "T is a type.\n"; got != want {
		t.Errorf("doc of T is %q, want %q", got, want)
	}
	field := c.Decls[0].Specs[0].(*ast.TypeSpec).Type.(*ast.StructType).Fields.List[0]
	if got, want := field.Comment.Text(), "the field\n"; got != want {
		t.Errorf("comment of the field is %q, want %q", got, want)
	}
	if got, want := c.Funcs[0].Doc.Text(), "M is a method.\n\nIt has two paragraphs.\n"; got != want {
		t.Errorf("doc of M is %q, want %q", got, want)
	}
	c, errs = Parse(fset, 4, "// F is first.\n// It is.\nfunc F() {}")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if got, want := c.Funcs[0].Doc.Text(), "F is first.\nIt is.\n"; got != want {
		t.Errorf("doc of F is %q, want %q", got, want)
	}
	c, errs = Parse(fset, 4, "type A int // of A\n\n// of B\ntype B int\nconst k = 1 // of k")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	a, b := c.Decls[0].Specs[0].(*ast.TypeSpec), c.Decls[1]
	if a.Comment.Text() != "of A\n" || b.Doc.Text() != "of B\n" || c.Decls[0].Doc.Text() != "" {
		t.Errorf("comment of A is %q, docs of A and B are %q and %q", a.Comment.Text(), c.Decls[0].Doc.Text(), b.Doc.Text())
	}
	if k := c.Decls[2].Specs[0].(*ast.ValueSpec); k.Comment.Text() != "of k\n" {
		t.Errorf("comment of k is %q", k.Comment.Text())
	}
}

func TestText(t *testing.T) {
	fset := token.NewFileSet()
	c, errs := Parse(fset, 2, "x := 1\n// F.\nfunc F(é string) {\r\n\tprintln(é)\r\n}\nx")
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if got, want := c.Text(fset, c.Funcs[0]), "func F(é string) {\r\n\tprintln(é)\r\n}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := c.Text(fset, c.Body[1]), "x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// realFunctions calls f with functions of Go's standard library: the text of each, and that of its body.
func realFunctions(t *testing.T, f func(where, fn, body string)) {
	t.Helper()
	count := 0
	for _, folder := range []string{"fmt", "strconv", "sort", "slices", "maps", "go/scanner", "go/printer", "encoding/json", "text/template", "net/url"} {
		files, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "src", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			text := func(from, to token.Pos) string {
				return string(src[fset.Position(from).Offset:fset.Position(to).Offset])
			}
			for _, d := range file.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					count++
					f(fset.Position(fn.Pos()).String(), text(fn.Pos(), fn.End()), text(fn.Body.Lbrace+1, fn.Body.Rbrace))
				}
			}
		}
	}
	if count < 1000 {
		t.Fatalf("only %d functions found", count)
	}
}

// TestParseReal parses real functions, and their bodies as statements.
func TestParseReal(t *testing.T) {
	realFunctions(t, func(where, fn, body string) {
		c, errs := Parse(token.NewFileSet(), 1, fn)
		if len(errs) > 0 || len(c.Funcs) != 1 || len(c.Body) > 0 {
			t.Fatalf("%s: %v", where, errs)
		}
		c, errs = Parse(token.NewFileSet(), 1, body)
		if len(errs) > 0 || len(c.Funcs) > 0 {
			t.Fatalf("body of %s: %v", where, errs)
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+body+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		statements := 0
		for _, s := range f.Decls[0].(*ast.FuncDecl).Body.List {
			if d, ok := s.(*ast.DeclStmt); ok && d.Decl.(*ast.GenDecl).Tok != token.VAR {
				continue // a constant or type, which is a declaration of the cell
			}
			statements++
		}
		if len(c.Body) != statements {
			t.Fatalf("body of %s: %d statements, want %d", where, len(c.Body), statements)
		}
	})
}

func TestRecover(t *testing.T) {
	tests := []struct {
		name, src, want string
	}{
		{"whole", "x := 1\nfunc f() {}", "func func f() {}\nstmt x := 1"},
		{"open body", "func f(a int) {\n\tb := a\n\tb.c", "func func f(a int) {"},
		{"open call", "x := 1\nf(x, y.z", "stmt x := 1\nstmt f(x, y.z)"},
		{"open header", "x := 1\nif x.y", "stmt x := 1\nstmt if x.y{}"},
		{"open call in a header", "for i := 0; i < len(x.y", "stmt for i := 0; i < len(x.y);{}"},
		{"deferred method", "x := 1\ndefer x.y", "stmt x := 1\nstmt defer x.y()"},
		{"wrong line in front", "x := = 1\nvar y = 2\ny.z", "stmt x := = 1\nstmt var y = 2\nstmt y.z"},
		{"stray brace", "x := 1\n}\ntype T int", "stmt x := 1"},
		{"wrong declaration in front", "type 1\ntype T int\nT", "decl type 1\ndecl type T int\nstmt T"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fset := token.NewFileSet()
			if got := outline(Recover(fset, 1, tt.src+Mend(tt.src)), fset); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestMend(t *testing.T) {
	for src, want := range map[string]string{
		"":                              "",
		"x":                             "",
		"f(x[":                          "])",
		"if x":                          "{}",
		"if x {":                        "}",
		"if f(x":                        "){}",
		"if x {\n} else if y":           "{}",
		"if x {\n}\ny":                  "",
		"for i := 0; i < n":             ";{}",
		"for i := 0; i < n; i, j":       " = _{}",
		"for i := x":                    ";;{}",
		"for i := range x":              "{}",
		"if x := y":                     "; _ {}",
		"if x := y; x":                  "{}",
		"switch x := y":                 ";{}",
		"a, b":                          " = _",
		"a, b := x":                     "",
		"a[i], b[j":                     "] = _",
		"func f() {\n\ta, b":            " = _}",
		"func f() {\n\treturn a, b":     "}",
		"T{a, b":                        "}",
		"x := T{a, {b, c":               "}}",
		"var a, b":                      "",
		"f(a, b":                        ")",
		"type T struct {\n\ta, b":       "}",
		"go func() {\n\ta, b":           " = _}()",
		"for i := range f(func() { g(":  ")}){}",
		"func f() {\n\tswitch x.y":      "{}}",
		"switch x {\ncase y":            ":}",
		"switch x {\ncase y, z":         ":}",
		"switch x {\ncase y:\n\ta, b":   " = _}",
		"go f":                          "()",
		"go f(); x":                     "",
		"func f() {\n\tdefer mu.Unlock": "()}",
		"}":                             "",
		"x := `":                        "",
	} {
		if got := Mend(src); got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}

func TestFileName(t *testing.T) {
	for number, want := range map[int]string{0: "expression", 1: "cell 1", 12: "cell 12"} {
		got := FileName(number)
		if got != want {
			t.Errorf("number %d: got %q, want %q", number, got, want)
		}
		if back, ok := FileNumber(got); ok != (number > 0) || back != number {
			t.Errorf("%q: got %d, %v", got, back, ok)
		}
	}
	if n, ok := FileNumber("cell x"); ok {
		t.Errorf("cell x has number %d", n)
	}
}

// seeds begin the fuzzing.
var seeds = []string{
	"", "x := 1", everything, "func f() {\n", "x := `abc", "/* abc", "}", "f(1]", "\uFEFFx", "a b", "//line x:1\na b",
	"for i := 0; i < 3; i++ {\n}", "package p\nimport (\n", "switch x := y.(type) {\ncase int:\n", "x := []int{\n1,\n", "#", "\x00", "\xff", "`\r\n`;",
}

// FuzzParse checks that every text is parsed or refused with errors inside it, that all positions lie inside it, and that
// nothing that go/parser accepts as the body of a function is refused.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		c, errs := Parse(fset, 5, src)
		lines := strings.Split(src, "\n")
		inside := func(p token.Position) bool {
			return p.Filename == "cell 5" && p.Line >= 1 && p.Line <= len(lines) && p.Column >= 1 && p.Column <= len(lines[p.Line-1])+1
		}
		for _, e := range errs {
			if !inside(e.Pos) {
				t.Errorf("error outside the cell: %v", e)
			}
		}
		if (c == nil) == (len(errs) == 0) {
			t.Errorf("cell %v, errors %v", c, errs)
		}
		if c == nil {
			c = Recover(fset, 5, src+Mend(src)) // its positions may lie behind the text
		} else {
			for n := range c.Nodes() {
				if p := fset.Position(n.Pos()); !inside(p) {
					t.Errorf("%T outside the cell: %v", n, p)
				}
			}
		}
		for n := range c.Nodes() {
			c.Text(fset, n)
		}
		if len(errs) > 0 && isBody(src) {
			t.Errorf("a function body is refused: %v", errs)
		}
	})
}

// isBody reports whether gofmt takes src as statements, and whether it really is the whole inside of a function: gofmt
// also takes what closes the body and opens another function.
func isBody(src string) bool {
	if _, err := format.Source([]byte(src)); err != nil {
		return false
	}
	if strings.HasPrefix(src, byteOrderMark) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+src+"\n\n}", 0)
	return err == nil && len(f.Decls) == 1
}

func ExampleParse() {
	fset := token.NewFileSet()
	c, errs := Parse(fset, 1, "x := double(21)\nfunc double(n int) int { return 2 * n }\nx")
	if len(errs) > 0 {
		fmt.Println(errs)
		return
	}
	for _, s := range c.Body {
		var b strings.Builder
		if err := printer.Fprint(&b, fset, s); err != nil {
			fmt.Println(err)
		}
		fmt.Println(fset.Position(s.Pos()), b.String())
	}
	fmt.Println(fset.Position(c.Funcs[0].Pos()), c.Funcs[0].Name)
	// Output:
	// cell 1:1:1 x := double(21)
	// cell 1:3:1 x
	// cell 1:2:1 double
}
