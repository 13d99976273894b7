package lower

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"orthant/kernel/session/internal/rtype"
)

// To the engine every field of a struct is exported, or it could not assign to it. Functions that print or encode values
// must see what Go's rules let them see: they get the values with the views of their types (rtype.Show).

// showing returns the helper that arguments go through in calls of a compiled function that looks at values of any type, or
// fills them, and keeps none; the empty string for other functions. Those of fmt print what interfaces hold, too.
func showing(f *types.Func) string {
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
	case "encoding/json", "encoding/xml", "orthant/stdlib/comm":
		return "Show"
	}
	return ""
}

// shows is showing for the function that a call names.
func (l *lowerer) shows(e *ast.CallExpr) string { return showing(l.callee(e)) }

// showingValue makes a function of a compiled one that shows its arguments: x, where it is not called but a value.
func (l *lowerer) showingValue(obj types.Object, x ast.Expr) ast.Expr {
	f, ok := obj.(*types.Func)
	if !ok || showing(f) == "" {
		return x
	}
	return l.forward(x.Pos(), withoutReceiver(f.Signature()), func(args []ast.Expr) ast.Expr {
		return l.call(x.Pos(), x, l.shownParams(f, args, f.Signature().Variadic())...)
	})
}

// shownParams passes variables that have the types of a function's parameters on through its helper, if it has one. rest is set
// where the last one is the list of the variadic arguments.
func (l *lowerer) shownParams(f *types.Func, params []ast.Expr, rest bool) []ast.Expr {
	helper := showing(f)
	if helper == "" {
		return params
	}
	out := slices.Clone(params)
	for i, x := range params {
		t := ParamType(f.Signature(), i, false)
		if p, ok := t.Underlying().(*types.Interface); !ok || !p.Empty() {
			continue
		}
		name := helper
		if rest && i == len(params)-1 {
			name += "All"
		}
		out[i] = l.call(x.Pos(), l.helper(x.Pos(), name), x)
	}
	return out
}

// shownArgument passes the lowered i-th argument of a call on through the helper, if there is one.
func (l *lowerer) shownArgument(e *ast.CallExpr, i int, x ast.Expr) ast.Expr {
	helper := l.shows(e)
	sig, ok := l.typeOf(e.Fun).Underlying().(*types.Signature)
	if helper == "" || !ok {
		return x
	}
	if p, ok := ParamType(sig, i, false).Underlying().(*types.Interface); !ok || !p.Empty() {
		return x
	}
	return l.shown(helper, e.Args[i], x, e.Ellipsis.IsValid() && i == len(e.Args)-1)
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
