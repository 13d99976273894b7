package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"orthant/kernel/session/internal/rtype"
)

// To the engine every field of a struct is exported, or it could not assign to it. Functions that print or encode values
// must see what Go's rules let them see: they get the values with the views of their types (rtype.Show).

// shows returns the helper that arguments go through in a call of a compiled function that looks at values of any type, or
// fills them, and keeps none; the empty string for other calls. Those of fmt print what interfaces hold, too.
func (l *lowerer) shows(e *ast.CallExpr) string {
	f := l.callee(e)
	if f == nil || f.Pkg() == nil {
		return ""
	}
	name := f.Name()
	switch f.Pkg().Path() {
	case "fmt":
		switch {
		case name == "Errorf":
			return "PrintedOrError"
		case !strings.Contains(name, "can"):
			return "Printed"
		}
	case "log":
		if strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Panic") || strings.HasPrefix(name, "Fatal") {
			return "Printed"
		}
	case "encoding/json", "encoding/xml":
		return "Show"
	}
	return ""
}

// shown passes an argument of such a function on through the helper. rest is set for a list of variadic arguments.
func (l *lowerer) shown(helper string, e ast.Expr, x ast.Expr, rest bool) ast.Expr {
	t := l.typeOf(e)
	if rest {
		if s, ok := t.Underlying().(*types.Slice); ok && types.IsInterface(s.Elem()) {
			return l.call(e.Pos(), l.helper(e.Pos(), helper+"All"), x)
		}
		return x
	}
	if l.info.Types[e].IsNil() || t == nil {
		return x
	}
	if _, several := t.(*types.Tuple); several {
		return x
	}
	show := l.call(e.Pos(), l.helper(e.Pos(), helper), x)
	if types.IsInterface(t) {
		return show
	}
	rt, err := l.w.Reflect(t)
	if err != nil || rtype.View(rt) == rt && (helper == "Show" || !rtype.HoldsInterface(rt)) {
		return x
	}
	return show
}
