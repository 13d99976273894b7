package magic

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"orthant/kernel/session"
)

// loopBody returns the statement in a form in which it may be a loop's body: there a value must be assigned to something, and
// a variable must be used.
func (m *measurement) loopBody() (string, *session.Error) {
	plain := m.Check(m.program(m.statement, 1, 1))
	if plain == nil {
		return m.statement, nil
	}
	value := strings.TrimLeft(m.statement, " \t\r\n")
	before := m.statement[:len(m.statement)-len(value)]
	for _, body := range []string{before + "_ = " + value, m.statement + "\n" + uses(m.statement)} {
		if m.Check(m.program(body, 1, 1)) == nil {
			return body, nil
		}
	}
	// Told of the statement as it stands in the cell where that is wrong, too, because there the columns are right.
	if failure := m.Check(m.goPart(m.at, m.at+len(m.statement))); failure != nil && m.setup == "" {
		return "", failure
	}
	return "", &session.Error{Name: plain.Name, Value: plain.Value, Traceback: strings.Split(plain.Value, "\n")}
}

// uses returns statements that use the variables which statements define for those behind them.
func uses(statements string) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+statements+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return "" // Go has said so
	}
	var b strings.Builder
	use := func(e ast.Expr) {
		if name, ok := e.(*ast.Ident); ok && name.Name != "_" {
			b.WriteString("_ = " + name.Name + "; ")
		}
	}
	for _, stmt := range file.Decls[0].(*ast.FuncDecl).Body.List {
		switch s := stmt.(type) {
		case *ast.AssignStmt:
			for _, e := range s.Lhs {
				use(e)
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, name := range v.Names {
						use(name)
					}
				}
			}
		}
	}
	return b.String()
}
