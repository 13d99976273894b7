package split

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
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
}

// The two heads have the same length, so that one offset means the same place in every copy of the cell.
const (
	fileHead = "package p;          "
	bodyHead = "package p;func _() {"
	bodyTail = "\n}"
)

// Parse parses a cell. The errors are go/parser's, sorted by position, one a line at most.
func Parse(fset *token.FileSet, number int, src string) (*Cell, scanner.ErrorList) {
	toks := scan(src)
	c := &Cell{Number: number, Source: src}
	if open, stray := unbalanced(toks); len(open) > 0 && stray == nil {
		// The body's own closing brace would close the cell's open one; say at the cell's end what is missing.
		return nil, unclosed(number, src, open[len(open)-1])
	}
	pieces := chunks(src, toks)
	c.Muted = muted(toks)
	var errs scanner.ErrorList
	parse := func(head, tail string, k kind) *ast.File {
		text, found := blank(src, pieces, k)
		if !found {
			return nil
		}
		// The line directive sets file, line and column of what follows it.
		directive := "/*line " + FileName(number) + ":1:1*/"
		f, err := parser.ParseFile(fset, FileName(number), head+directive+text+tail, parser.ParseComments|parser.SkipObjectResolution)
		if list, ok := err.(scanner.ErrorList); ok {
			errs = append(errs, list...)
		} else if err != nil {
			errs.Add(token.Position{Filename: FileName(number), Line: 1, Column: 1}, err.Error())
		}
		return f
	}
	if f := parse(fileHead, "", imports); f != nil {
		c.Imports = f.Imports
	}
	if f := parse(fileHead, "", declaration); f != nil {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				c.Decls = append(c.Decls, d)
			case *ast.FuncDecl:
				c.Funcs = append(c.Funcs, d)
			}
		}
	}
	if f := parse(bodyHead, bodyTail, statement); f != nil && len(errs) == 0 {
		c.Body = f.Decls[0].(*ast.FuncDecl).Body.List
		for _, d := range f.Decls[1:] { // a stray closing brace ended the body early
			errs.Add(fset.Position(d.Pos()), "syntax error: non-declaration statement outside function body")
		}
	}
	for _, p := range pieces {
		c.WasFile = c.WasFile || p.kind == clause
	}
	errs.RemoveMultiples()
	if len(errs) > 0 {
		return nil, errs
	}
	return c, nil
}

// muted reports whether the cell's last token is a written semicolon.
func muted(toks []lexeme) bool {
	if len(toks) == 0 {
		return false
	}
	last := toks[len(toks)-1]
	return last.tok == token.SEMICOLON && last.lit == ";"
}

// blank returns src with everything but the chunks of one kind replaced by spaces; newlines stay, so lines stay.
func blank(src string, pieces []chunk, k kind) (text string, found bool) {
	var b strings.Builder
	at := 0
	hide := func(to int) {
		for ; at < to; at++ {
			if src[at] == '\n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
	}
	for i, p := range pieces {
		if p.kind != k {
			continue
		}
		found = true
		start := p.start
		if k == declaration { // keep the doc comment in front
			start = 0
			if i > 0 {
				start = pieces[i-1].end
			}
		}
		hide(start)
		b.WriteString(src[start:p.end])
		at = p.end
	}
	hide(len(src))
	return b.String(), found
}

// unclosed is the error of a cell that ends before a bracket is closed, in go/parser's words.
func unclosed(number int, src string, open Open) scanner.ErrorList {
	file := token.NewFileSet().AddFile(FileName(number), -1, len(src))
	file.SetLinesForContent([]byte(src))
	var errs scanner.ErrorList
	end := file.Position(file.Pos(len(src)))
	errs.Add(end, "expected '"+closer(open.Token)+"', found 'EOF' (the '"+open.Token.String()+"' of line "+
		strconv.Itoa(file.Line(file.Pos(open.Offset)))+" is not closed)")
	return errs
}

// Text returns the cell's own text of a node that Parse made.
func (c *Cell) Text(fset *token.FileSet, n ast.Node) string {
	offset := func(p token.Pos) int {
		at := fset.Position(p)
		lines := strings.SplitAfter(c.Source, "\n")
		o := at.Column - 1
		for i := 0; i < at.Line-1 && i < len(lines); i++ {
			o += len(lines[i])
		}
		return min(o, len(c.Source))
	}
	start, end := offset(n.Pos()), offset(n.End())
	if start > end {
		return ""
	}
	return c.Source[start:end]
}
