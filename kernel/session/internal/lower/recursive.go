package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/check"
)

// Structs that refer to each other (a list and its elements, nodes and edges) have wrong field types in the engine, or end
// the process while they are compiled. So in a group of types that reach each other a field through which one struct
// reaches another is an any to the engine, read through a function that gives it its type back (goroot.md 4.9). A struct
// that refers to itself alone is left as it is: the engine has that right.

// An erasure is a field that is an any to the engine.
type erasure struct {
	typ    types.Type // the field's own
	access string     // the engine's function that reads it
}

// eraseCycles marks the fields to erase in a cell's new types, and refuses the recursive types that stay beyond the engine.
func (c *Cell) eraseCycles() {
	l := c.l
	var group []*types.Named
	for _, tn := range l.c.Types {
		if n, ok := tn.Type().(*types.Named); ok && !tn.IsAlias() && n.TypeParams() == nil {
			group = append(group, n)
		}
	}
	group = append(group, l.c.Instantiated...)
	reach := reachability(group)
	for i, n := range group {
		s, isStruct := n.Underlying().(*types.Struct)
		if !isStruct {
			if reach[i][i] && !types.IsInterface(n) && !throughStruct(group, reach, i) {
				l.fail(n.Obj().Pos(), "type %s refers to itself without a struct between, which does not work in cells yet", n.Obj().Name())
			}
			continue
		}
		for f := range s.Fields() {
			for j, other := range group {
				if j == i || !reach[j][i] || !mentioned(f.Type(), other) || containsByValue(f.Type(), other) {
					continue
				}
				if f.Embedded() {
					l.fail(f.Pos(), "types that refer to each other through an embedded pointer do not work in cells yet: name the field %s", f.Name())
					break
				}
				l.w.Of(n).erased[f.Name()] = &erasure{f.Type(), l.w.fresh("get" + mark)}
				break
			}
		}
	}
}

// reachability says for each pair of types whether the first reaches the second by what it is written with.
func reachability(group []*types.Named) [][]bool {
	reach := make([][]bool, len(group))
	for i, n := range group {
		reach[i] = make([]bool, len(group))
		for j, other := range group {
			reach[i][j] = mentioned(n.Underlying(), other)
		}
	}
	for k := range group { // Warshall
		for i := range group {
			for j := range group {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}

// throughStruct reports whether the types that group[i] reaches itself through have a struct among them.
func throughStruct(group []*types.Named, reach [][]bool, i int) bool {
	for j, n := range group {
		if _, ok := n.Underlying().(*types.Struct); ok && reach[i][j] && reach[j][i] {
			return true
		}
	}
	return false
}

// mentioned reports whether a type is written with a declared type.
func mentioned(t types.Type, n *types.Named) bool {
	found := false
	check.Each(t, func(u types.Type) { found = found || types.Identical(u, n) })
	return found
}

// containsByValue reports whether a value of type t has values of the declared type inside itself.
func containsByValue(t types.Type, n *types.Named) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		return types.Identical(u, n)
	case *types.Array:
		return containsByValue(u.Elem(), n)
	}
	return false
}

// erased returns the erasure of the field that e selects, nil for a field that is what it is.
func (l *lowerer) erasedField(e *ast.SelectorExpr) *erasure {
	sel := l.info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal {
		return nil
	}
	t := sel.Recv()
	for i, at := range sel.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		f := s.Field(at)
		if i == len(sel.Index())-1 {
			n, ok := types.Unalias(t).(*types.Named)
			if !ok {
				return nil
			}
			known := l.w.Of(n)
			if known == nil {
				return nil
			}
			return known.erased[f.Name()]
		}
		t = f.Type()
	}
	return nil
}

// eraseFields gives the erased fields of a lowered struct the type any.
func eraseFields(s *ast.StructType, erased map[string]*erasure) {
	for _, f := range s.Fields.List {
		if len(f.Names) > 0 && erased[f.Names[0].Name] != nil {
			f.Type = &ast.InterfaceType{Interface: f.Pos(), Methods: &ast.FieldList{}}
		}
	}
}

// accessors declares the functions that read erased fields.
func (l *lowerer) accessors(pos token.Pos, erased map[string]*erasure) []ast.Decl {
	var out []ast.Decl
	for _, name := range sortedKeys(erased) {
		e := erased[name]
		x, r := l.ident(pos, "x"), l.ident(pos, "r")
		t := func() ast.Expr { return l.typeExpr(pos, e.typ) }
		out = append(out, &ast.FuncDecl{
			Name: l.ident(pos, e.access),
			Type: &ast.FuncType{Func: pos,
				Params:  &ast.FieldList{List: []*ast.Field{{Names: []*ast.Ident{x}, Type: l.ident(pos, "any")}}},
				Results: &ast.FieldList{List: []*ast.Field{{Type: t()}}}},
			Body: l.block(pos,
				l.define(pos, &ast.TypeAssertExpr{X: x, Type: t()}, "r", "_"),
				&ast.ReturnStmt{Return: pos, Results: []ast.Expr{r}}),
		})
	}
	return out
}
