package session

import (
	"go/ast"
	"go/token"
	"strconv"

	"orthant/kernel/session/internal/split"
)

// A spot is a place in the text of a cell. The zero value is none.
type spot struct{ cell, line, column int }

// spot returns the place of a position.
func (s *Session) spot(pos token.Pos) spot {
	p := s.files.Position(pos)
	if number, ok := split.FileNumber(p.Filename); ok || p.Filename == CellName(0) {
		return spot{number, p.Line, p.Column}
	}
	return spot{}
}

// before reports whether a place comes before another of the same cell.
func (p spot) before(q spot) bool { return p.line < q.line || p.line == q.line && p.column < q.column }

// A function is a function of a cell: a declared one, or a literal.
type function struct {
	full       string // as Go names it: f, T.m, (*T).m, f.func1, f.func1.2; func1 among the statements of the cell
	start, end spot
	literal    bool
	literals   int // how many it has, not counting those inside one another
}

// name returns the name of a function, none for nil.
func (f *function) name() string {
	if f == nil {
		return ""
	}
	return f.full
}

// functions are the functions of a cell; each comes before those inside it.
type functions []*function

// functionsOf finds the functions in a cell's text. A text that cannot be parsed has none.
func functionsOf(number int, text string) functions {
	files := token.NewFileSet()
	c, errs := split.Parse(files, number, text)
	if len(errs) > 0 {
		return nil
	}
	var out functions
	place := func(pos token.Pos) spot {
		p := files.Position(pos)
		return spot{number, p.Line, p.Column}
	}
	top := &function{}
	var walk func(n ast.Node, around *function)
	walk = func(n ast.Node, around *function) {
		ast.Inspect(n, func(n ast.Node) bool {
			var f *function
			var body ast.Node
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body == nil {
					return false
				}
				f, body = &function{full: declaredName(n)}, n.Body
			case *ast.FuncLit:
				around.literals++
				f, body = &function{full: literalName(around), literal: true}, n.Body
			default:
				return true
			}
			f.start, f.end = place(n.Pos()), place(n.End())
			out = append(out, f)
			walk(body, f)
			return false
		})
	}
	for n := range c.Nodes() {
		walk(n, top)
	}
	return out
}

// declaredName is how Go names a function or method in a traceback, without the package.
func declaredName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	recv := split.ReceiverName(f)
	if _, pointer := ast.Unparen(f.Recv.List[0].Type).(*ast.StarExpr); pointer {
		recv = "(*" + recv + ")"
	}
	return recv + "." + f.Name.Name
}

// literalName is how Go names the last literal of a function.
func literalName(around *function) string {
	number := strconv.Itoa(around.literals)
	switch {
	case around.full == "":
		return "func" + number
	case around.literal:
		return around.full + "." + number
	}
	return around.full + ".func" + number
}

// at returns the function that begins at a place; nil where none does.
func (list functions) at(p spot) *function {
	for _, f := range list {
		if f.start == p {
			return f
		}
	}
	return nil
}

// around returns the innermost function that a place is in; nil where it is in none. Where a function begins is outside: it is
// the place of its call.
func (list functions) around(p spot) *function {
	var found *function
	for _, f := range list {
		if f.start.before(p) && p.before(f.end) {
			found = f
		}
	}
	return found
}
