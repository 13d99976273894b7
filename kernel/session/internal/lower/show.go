package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"orthant/kernel/session/internal/rtype"
)

// To the engine every field of a struct is exported, or it could not assign to it. Functions that print or encode values
// must see what Go's rules let them see: they get the values with the views of their types (rtype.Show, rtype.Shown);
// engine.md 2c has what they see otherwise.

// shows returns the helper for the arguments of a compiled function that looks at values of any type, or fills them, and
// keeps none; empty for any other function.
func (l *lowerer) shows(e *ast.CallExpr) string {
	f := l.callee(e)
	if f == nil || f.Pkg() == nil {
		return ""
	}
	name := f.Name()
	switch f.Pkg().Path() {
	case "fmt":
		if name != "Errorf" && !strings.Contains(name, "can") { // Scan and its kind
			return "Shown"
		}
	case "log":
		if strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Panic") || strings.HasPrefix(name, "Fatal") {
			return "Shown"
		}
	case "encoding/json", "encoding/xml":
		return "Show" // has to fill the value itself
	}
	return ""
}

// shown passes an argument of such a function on with the view of its type. rest is set for a list of variadic arguments.
func (l *lowerer) shown(e ast.Expr, x ast.Expr, helper string, rest bool) ast.Expr {
	t := l.typeOf(e)
	if rest {
		if s, ok := t.Underlying().(*types.Slice); ok && types.IsInterface(s.Elem()) {
			return l.call(e.Pos(), l.helper(e.Pos(), "ShownAll"), x)
		}
		return x
	}
	if l.info.Types[e].IsNil() || t == nil {
		return x
	}
	if _, several := t.(*types.Tuple); several {
		return x
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		if i.NumMethods() > 0 {
			return x // it is printed by its methods, mostly
		}
		return l.call(e.Pos(), l.helper(e.Pos(), helper), x)
	}
	rt, err := l.w.Reflect(t)
	if err != nil || rtype.View(rt) == rt && (helper == "Show" || !rtype.HoldsInterfaces(rt)) {
		return x
	}
	return l.call(e.Pos(), l.helper(e.Pos(), helper), x)
}

// showsResults reports whether a call is of a function like fmt.Println with the results of another.
func (l *lowerer) showsResults(e *ast.CallExpr, sig *types.Signature) bool {
	return l.spreads(e) && sig.Variadic() && sig.Params().Len() == 1 && l.compiled(e) && l.shows(e) == "Shown"
}

// shownResults makes one list of the results of a call that are the arguments of a function like fmt.Println, with the views
// of their types.
func (l *lowerer) shownResults(e *ast.CallExpr) ast.Expr {
	pos := e.Pos()
	list := &ast.CompositeLit{Type: l.typeExpr(pos, anySlice), Lbrace: pos, Rbrace: pos}
	var params []types.Type
	var names []string
	for v := range l.typeOf(e.Args[0]).(*types.Tuple).Variables() {
		names = append(names, l.temp())
		params = append(params, v.Type())
		list.Elts = append(list.Elts, &ast.KeyValueExpr{Key: l.intLit(pos, len(names)-1), Colon: pos, Value: l.ident(pos, names[len(names)-1])})
	}
	gather := &ast.FuncLit{Type: l.funcType(pos, signature(params, []types.Type{anySlice}), names),
		Body: l.block(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{list}})}
	return l.call(pos, l.helper(pos, "ShownAll"), l.call(pos, gather, l.expr(e.Args[0])))
}

// anySlice is []any.
var anySlice = types.NewSlice(types.Universe.Lookup("any").Type())
