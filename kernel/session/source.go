package session

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/split"
)

// sourceOf returns the source and the doc comment of what a cell declared. They are empty where the cell of that number
// has another text by now.
func (s *Session) sourceOf(obj types.Object, number int) (source, doc string) {
	text := s.texts.of(number).source
	at := s.files.Position(obj.Pos())
	files := token.NewFileSet()
	cell, errs := split.Parse(files, number, text)
	if len(errs) > 0 {
		return "", ""
	}
	var pos token.Pos
	for n := range cell.Nodes() {
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == obj.Name() {
				if p := files.Position(id.Pos()); p.Line == at.Line && p.Column == at.Column {
					pos = id.Pos()
				}
			}
			return true
		})
	}
	return declared(files, cell, pos)
}

// declared returns the source and the doc comment of the declaration that the name at pos belongs to: of a function, a
// type, a constant, or the comment of a field; of a variable the statement that defines it.
func declared(files *token.FileSet, cell *split.Cell, pos token.Pos) (source, doc string) {
	if !pos.IsValid() {
		return "", ""
	}
	for _, f := range cell.Funcs {
		if f.Name.Pos() == pos {
			return cell.Text(files, f), f.Doc.Text()
		}
	}
	for _, d := range cell.Decls {
		for _, spec := range d.Specs {
			if spec.Pos() > pos || pos >= spec.End() {
				continue
			}
			doc, line := d.Doc, (*ast.CommentGroup)(nil)
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if pos != spec.Name.Pos() {
					return "", fieldDoc(spec.Type, pos)
				}
				line = spec.Comment
				doc = cmp.Or(spec.Doc, doc)
			case *ast.ValueSpec:
				line = spec.Comment
				doc = cmp.Or(spec.Doc, doc)
			}
			return d.Tok.String() + " " + cell.Text(files, spec), firstText(doc, line)
		}
	}
	for _, st := range cell.Body {
		if st.Pos() <= pos && pos < st.End() {
			return cell.Text(files, st), statementDoc(st, pos)
		}
	}
	return "", ""
}

// statementDoc returns the comment of the variable at pos, where a var declares it.
func statementDoc(st ast.Stmt, pos token.Pos) string {
	d, ok := st.(*ast.DeclStmt)
	if !ok {
		return ""
	}
	g, ok := d.Decl.(*ast.GenDecl)
	if !ok {
		return ""
	}
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && v.Pos() <= pos && pos < v.End() {
			return firstText(v.Doc, g.Doc, v.Comment)
		}
	}
	return ""
}

// fieldDoc returns the comment of the struct field or interface method whose name is at pos.
func fieldDoc(t ast.Expr, pos token.Pos) (doc string) {
	ast.Inspect(t, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			for _, name := range f.Names {
				if name.Pos() == pos {
					doc = firstText(f.Doc, f.Comment)
				}
			}
		}
		return true
	})
	return doc
}

// firstText returns the text of the first comment that has one.
func firstText(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := g.Text(); text != "" {
			return text
		}
	}
	return ""
}
