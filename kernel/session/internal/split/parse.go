package split

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"iter"
	"path"
	"strconv"
	"strings"
)

// A Cell is a parsed cell. Every node's position, seen through the file set, is line and column of the cell's own text.
type Cell struct {
	Number  int
	Source  string
	Imports []*ast.ImportSpec
	Decls   []*ast.GenDecl  // const and type, in source order
	Funcs   []*ast.FuncDecl // functions and methods, in source order
	Body    []ast.Stmt      // the statements, in source order
	Muted   bool            // the text ends in a semicolon, which hides the result
	WasFile bool            // the text begins with a package clause

	head int // the length of what stands in front of the text in the files that were parsed
}

// Parse parses a cell. The errors are go/parser's, sorted by position, one a line at most.
func Parse(fset *token.FileSet, number int, src string) (*Cell, scanner.ErrorList) {
	return scan(src).cell(fset, number)
}

// ParseFor parses a cell's text anew for another cell, the user, which is to have functions of it. Their positions are those
// in the text; but the last element of their file's name is the user's, by which the engine knows a file.
func ParseFor(fset *token.FileSet, number int, src string, user int) (*Cell, scanner.ErrorList) {
	t := scan(src)
	t.user = FileName(user)
	return t.cell(fset, number)
}

// cell parses a text, of which nothing may be wrong.
func (t *text) cell(fset *token.FileSet, number int) (*Cell, scanner.ErrorList) {
	c, failures := t.parse(fset, number)
	if len(failures) == 0 {
		return c, nil
	}
	var errs scanner.ErrorList
	for _, f := range failures {
		errs.Add(t.position(number, f.offset), f.msg)
	}
	errs.RemoveMultiples()
	return nil, errs
}

// Recover parses what it can of a cell that may be wrong: what the parser cannot read is left out or replaced by
// ast.BadExpr and its like. See Mend for cells that are unfinished.
func Recover(fset *token.FileSet, number int, src string) *Cell {
	c, _ := scan(src).files(fset, number, parser.AllErrors, "")
	return c
}

// parse parses the text and says what is wrong.
func (t *text) parse(fset *token.FileSet, number int) (*Cell, []failure) {
	if len(t.lexical) > 0 {
		return nil, t.lexical // what else there is to say may be a consequence
	}
	c, failures := t.files(fset, number, 0, t.brackets.closing())
	last, _ := t.last()
	if stray := t.brackets.stray; stray != nil {
		last = *stray
	}
	// What the parser says of the end, and of our closing brackets, follows from what it has said before.
	if real := upTo(failures, last.offset); len(real) > 0 {
		return nil, real
	}
	switch {
	case t.brackets.stray != nil:
		failures = []failure{{last.offset, "expected statement, found '" + last.tok.String() + "'"}}
	case len(t.brackets.open) > 0:
		failures = []failure{t.unclosed()}
	}
	return c, failures
}

// upTo returns the failures at or before an offset.
func upTo(failures []failure, offset int) []failure {
	var out []failure
	for _, f := range failures {
		if f.offset <= offset {
			out = append(out, f)
		}
	}
	return out
}

// unclosed is the failure of a text that ends before its last open bracket is closed, in go/parser's words.
func (t *text) unclosed() failure {
	b := t.brackets.open[len(t.brackets.open)-1]
	line := t.position(0, b.offset).Line
	return failure{t.end(), "expected '" + closers[b.tok].String() + "', found 'EOF' (the '" + b.tok.String() + "' of line " +
		strconv.Itoa(line) + " is not closed)"}
}

// end returns the end of the last written token.
func (t *text) end() int {
	last, _ := t.last()
	return last.end()
}

// The heads have the same length, so that one offset means the same place in every copy of the cell.
var heads = map[kind]string{
	clause:      "                    ", // the text brings its own package clause
	imports:     "package p;          ",
	declaration: "package p;          ",
	statement:   "package p;func _() {",
}

const bodyTail = "\n}"

// files parses the text, each kind of chunk as a file of its own. The filler stands behind the last chunk.
func (t *text) files(fset *token.FileSet, number int, mode parser.Mode, filler string) (*Cell, []failure) {
	// The line directive sets file, line and column of what follows it. It has a line of its own, and not the form /*line*/,
	// because a doc comment must begin a line, and go/ast drops //line from its text.
	directive := "\n//line " + path.Join(FileName(number), t.user) + ":1:1\n"
	c := &Cell{Number: number, Source: t.src, Muted: t.muted(), head: len(heads[statement]) + len(directive)}
	pieces := t.chunks()
	plain := t.plain()
	var failures []failure
	parse := func(k kind, mode parser.Mode) *ast.File {
		only, found := blank(plain, pieces, k)
		if !found {
			return nil
		}
		if pieces[len(pieces)-1].kind == k {
			only += filler
		}
		if k == statement {
			only += bodyTail
		}
		f, err := parser.ParseFile(fset, FileName(number), heads[k]+directive+only, mode|parser.ParseComments|parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			for _, e := range list {
				failures = append(failures, t.locate(e, c.head))
			}
		}
		return f
	}
	if f := parse(clause, mode|parser.PackageClauseOnly); f != nil {
		c.WasFile = true
	}
	if f := parse(imports, mode); f != nil {
		c.Imports = f.Imports
	}
	if f := parse(declaration, mode); f != nil {
		c.declare(f.Decls)
	}
	if f := parse(statement, mode); f != nil {
		for _, d := range f.Decls { // more than one only where a stray brace ended the body
			if body, ok := d.(*ast.FuncDecl); ok && body.Body != nil {
				c.Body = append(c.Body, body.Body.List...)
			}
		}
	}
	return c, failures
}

// declare sorts declarations into the cell.
func (c *Cell) declare(decls []ast.Decl) {
	for _, d := range decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			c.Decls = append(c.Decls, d)
		case *ast.FuncDecl:
			c.Funcs = append(c.Funcs, d)
		}
	}
}

// locate makes a failure of an error of go/parser. What is wrong with our own text behind the cell is told as of the
// cell's end.
func (t *text) locate(e *scanner.Error, head int) failure {
	offset := max(0, e.Pos.Offset-head)
	if offset > len(t.src) {
		return failure{t.end(), strings.Replace(e.Msg, "found '}'", "found 'EOF'", 1)}
	}
	return failure{min(offset, t.end()), e.Msg}
}

// blank returns a text with everything but the chunks of one kind replaced by spaces; newlines stay, so lines stay.
func blank(src string, pieces []chunk, k kind) (only string, found bool) {
	b := []byte(src)
	hide := func(from, to int) {
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	at := 0
	for _, p := range pieces {
		if p.kind == k {
			found = true
			hide(at, p.start)
			at = p.end
		}
	}
	hide(at, len(b))
	return string(b), found
}

// Nodes yields the parts of the cell: imports, declarations, functions, statements.
func (c *Cell) Nodes() iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		_ = each(c.Imports, yield) && each(c.Decls, yield) && each(c.Funcs, yield) && each(c.Body, yield)
	}
}

func each[N ast.Node](list []N, yield func(ast.Node) bool) bool {
	for _, n := range list {
		if !yield(n) {
			return false
		}
	}
	return true
}

// Offset returns the byte offset in the cell's text of a position that Parse or Recover made; false where it lies outside,
// in what Recover has put behind the text.
func (c *Cell) Offset(fset *token.FileSet, pos token.Pos) (offset int, ok bool) {
	file := fset.File(pos)
	if file == nil || file.Name() != FileName(c.Number) {
		return 0, false
	}
	offset = file.Offset(pos) - c.head
	return offset, offset >= 0 && offset <= len(c.Source)
}

// Text returns the cell's own text of a node that Parse or Recover made; what lies behind the text is left out.
func (c *Cell) Text(fset *token.FileSet, n ast.Node) string {
	start, ok := c.Offset(fset, n.Pos())
	if !ok {
		return ""
	}
	end, ok := c.Offset(fset, n.End())
	if !ok || end < start {
		end = len(c.Source)
	}
	return c.Source[start:end]
}
