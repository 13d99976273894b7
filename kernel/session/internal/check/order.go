package check

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/split"
)

// In a file of Go a variable is initialised after those that its value depends on, through functions too, wherever they are
// declared. So it is in a cell, within a row of var declarations; where another statement stands between two of them, the
// statements run as they are written.

// ordered returns a cell whose rows of var declarations are in the order of initialisation. Most cells stay as they are.
func ordered(env Env, syntax *split.Cell) *split.Cell {
	var body []ast.Stmt
	changed := false
	for i := 0; i < len(syntax.Body); {
		row := varRow(syntax.Body[i:])
		if len(row) == 0 {
			body = append(body, syntax.Body[i])
			i++
			continue
		}
		if inOrder := orderRow(env, syntax, row); inOrder != nil {
			body, changed = append(body, inOrder...), true
		} else {
			body = append(body, syntax.Body[i:i+len(row)]...)
		}
		i += len(row)
	}
	if !changed {
		return syntax
	}
	copied := *syntax
	copied.Body = body
	return &copied
}

// varRow returns the var declarations that a list of statements begins with.
func varRow(list []ast.Stmt) []*ast.GenDecl {
	var row []*ast.GenDecl
	for _, s := range list {
		d, ok := s.(*ast.DeclStmt)
		if !ok || d.Decl.(*ast.GenDecl).Tok != token.VAR {
			break
		}
		row = append(row, d.Decl.(*ast.GenDecl))
	}
	return row
}

// orderRow returns the declarations of a row in the order of initialisation, one value each; nil where they are in order,
// or wrong, which the passes report.
func orderRow(env Env, syntax *split.Cell, row []*ast.GenDecl) []ast.Stmt {
	if !looksAhead(syntax, row) {
		return nil
	}
	c := newChecker(env, syntax)
	pkg := env.Package
	rescope(pkg)
	c.explicitImports()
	declared := map[string]bool{}
	for _, d := range row {
		for _, s := range d.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				declared[n.Name] = true
			}
		}
	}
	for name := range c.names {
		if b, ok := env.Lookup(name); ok && b.Object != nil && !c.own[name] && !declared[name] && c.cell.Imports[name] == "" {
			pkg.Scope().Insert(b.Object)
		}
	}
	file := c.file(declared)
	for _, d := range syntax.Decls {
		file.Decls = append(file.Decls, parenthesized(d))
	}
	for _, d := range row {
		file.Decls = append(file.Decls, d)
	}
	for _, f := range syntax.Funcs {
		file.Decls = append(file.Decls, f)
	}
	wrong := false
	info := newInfo()
	config := c.config(func(err types.Error) { wrong = wrong || !err.Soft })
	types.NewChecker(config, env.Files, pkg, info).Files([]*ast.File{file})
	if wrong {
		return nil
	}
	return initialised(row, info.InitOrder)
}

// initialised takes the declarations of a row apart, and puts them together in an order of initialisation. Variables
// without a value come first.
func initialised(row []*ast.GenDecl, order []*types.Initializer) []ast.Stmt {
	var out []ast.Stmt
	byValue := map[ast.Expr]ast.Stmt{}
	declare := func(d *ast.GenDecl, spec ast.ValueSpec) ast.Stmt {
		return &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: spec.Names[0].Pos(), Tok: d.Tok, Specs: []ast.Spec{&spec}}}
	}
	for _, d := range row {
		for _, s := range d.Specs {
			spec := s.(*ast.ValueSpec)
			switch {
			case len(spec.Values) == 0:
				out = append(out, declare(d, *spec))
			case len(spec.Values) < len(spec.Names):
				byValue[spec.Values[0]] = declare(d, *spec)
			default:
				for i, n := range spec.Names {
					byValue[spec.Values[i]] = declare(d, ast.ValueSpec{Names: []*ast.Ident{n}, Type: spec.Type, Values: spec.Values[i : i+1]})
				}
			}
		}
	}
	for _, i := range order {
		if s := byValue[i.Rhs]; s != nil {
			out = append(out, s)
			delete(byValue, i.Rhs)
		}
	}
	if len(byValue) > 0 {
		return nil // go/types left one out: it is wrong
	}
	return out
}

// looksAhead reports whether a value of a row mentions a variable that is declared behind it, by name, or a function of the
// cell that may.
func looksAhead(syntax *split.Cell, row []*ast.GenDecl) bool {
	position := map[string]int{}
	at := 0
	for _, d := range row {
		for _, s := range d.Specs {
			for _, n := range s.(*ast.ValueSpec).Names {
				position[n.Name] = at
				at++
			}
		}
	}
	if at < 2 {
		return false
	}
	bodies := map[string][]ast.Node{} // of the cell's functions and methods, by name
	for _, f := range syntax.Funcs {
		if f.Body != nil {
			bodies[f.Name.Name] = append(bodies[f.Name.Name], f.Body)
		}
	}
	furthest := func(n ast.Node) int { // the last variable that a node may lead to
		last := -1
		seen := map[string]bool{}
		var visit func(n ast.Node)
		visit = func(n ast.Node) {
			ast.Inspect(n, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok || seen[id.Name] {
					return true
				}
				seen[id.Name] = true
				if p, ok := position[id.Name]; ok {
					last = max(last, p)
				}
				for _, b := range bodies[id.Name] {
					visit(b)
				}
				return true
			})
		}
		visit(n)
		return last
	}
	at = 0
	for _, d := range row {
		for _, s := range d.Specs {
			spec := s.(*ast.ValueSpec)
			for i, v := range spec.Values {
				if furthest(v) > at+i {
					return true
				}
			}
			at += len(spec.Names)
		}
	}
	return false
}
