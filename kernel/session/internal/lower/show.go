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
