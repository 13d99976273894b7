package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A demand is what the expression at the cursor must be by what is around it. The zero value demands nothing.
type demand struct {
	values  []kind       // what the types of its values must be: of one, or of all that a call returns
	address bool         // its address is taken
	home    string       // the path of the package that declares the type; empty where it has none
	itself  types.Object // what it is compared with, and so hardly is; nil for nothing
}

// A kind reports whether a type is one of those that an operation takes.
type kind func(t types.Type) bool

// demanded returns what the expression x must be by what is around it, outermost first.
func (a *analysis) demanded(x ast.Expr, around []ast.Node) demand {
	if len(around) == 0 {
		return demand{}
	}
	d := demand{values: a.operands(x, around), itself: a.opposite(x, around)}
	if n, ok := around[len(around)-1].(*ast.UnaryExpr); ok {
		d.address = n.Op == token.AND
	}
	if d.values != nil {
		return d
	}
	if t := a.expected(x, around); isKnown(t) && !isAny(t) {
		d.values, d.home = []kind{assignableTo(t)}, home(t)
	}
	return d
}

// operands returns the kinds of what x must yield where no one type is expected; nil elsewhere.
func (a *analysis) operands(x ast.Expr, around []ast.Node) []kind {
	rest := around[:len(around)-1]
	switch n := around[len(around)-1].(type) {
	case *ast.UnaryExpr:
		switch n.Op {
		case token.AND:
			return []kind{pointedTo(assignableTo(a.expected(n, rest)))}
		case token.ARROW:
			return []kind{made[*types.Chan]}
		}
	case *ast.StarExpr:
		return []kind{made[*types.Pointer]}
	case *ast.RangeStmt:
		if n.X == x {
			return []kind{rangeable(n.Value != nil)}
		}
	case *ast.AssignStmt:
		if len(n.Lhs) > 1 && len(n.Rhs) == 1 && n.Rhs[0] == x {
			return a.variables(n.Lhs)
		}
	case *ast.CallExpr:
		if n.Fun == x { // behind defer and go; what stands behind the cursor is cut off
			return []kind{made[*types.Signature]}
		}
		if k := a.argumentKind(n, slices.Index(n.Args, x)); k != nil {
			return []kind{k}
		}
	}
	return nil
}

// variables returns the kinds of what is assigned to variables together.
func (a *analysis) variables(list []ast.Expr) []kind {
	var out []kind
	for _, x := range list {
		out = append(out, assignableTo(a.typeOf(x)))
	}
	return out
}

// home returns the path of the package that declares a type, or what it points to; empty where none does.
func home(t types.Type) string {
	named, ok := deref(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path()
}

// opposite returns the variable that x is compared with, nil for none.
func (a *analysis) opposite(x ast.Expr, around []ast.Node) types.Object {
	var other ast.Expr
	switch n := around[len(around)-1].(type) {
	case *ast.BinaryExpr:
		if comparison(n.Op) {
			other = otherThan(n, x)
		}
	case *ast.CaseClause:
		if s := switchAround(around[:len(around)-1]); s != nil {
			other = s.Tag
		}
	}
	id, ok := other.(*ast.Ident)
	if !ok {
		return nil
	}
	return a.info.ObjectOf(id)
}

// wanted marks the candidates that are what is demanded.
func wanted(all []candidate, d demand) []candidate {
	if d.values == nil {
		return all
	}
	for i, c := range all {
		all[i].want = d.fitness(c.obj)
		if c.path != "" && c.path == d.home {
			all[i].want = points
		}
	}
	return all
}

// fitness says how well an object fits.
func (d demand) fitness(obj types.Object) int {
	switch obj := obj.(type) {
	case *types.TypeName:
		switch t := obj.Type(); {
		case !isComposite(t) || isGeneric(t):
		case d.met(t) || len(d.values) > 1 && d.metByMethod(t): // our methods are structs: Gaussian{}.Of(x)
			return gives // T{}
		case d.met(types.NewPointer(t)):
			return points
		}
	case *types.Var, *types.Const, *types.Nil, *types.Func:
		_, variable := obj.(*types.Var)
		if obj != d.itself && (variable || !d.address) && d.met(obj.Type()) {
			return fits
		}
		sig, ok := obj.Type().(*types.Signature)
		if ok && !d.address && sig.TypeParams() == nil && d.met(resultsOf(sig)...) {
			return gives
		}
	}
	return either
}

// met reports whether the types of one or several values are as demanded.
func (d demand) met(ts ...types.Type) bool {
	if len(ts) != len(d.values) {
		return false
	}
	for i, is := range d.values {
		if !isKnown(ts[i]) || !is(ts[i]) {
			return false
		}
	}
	return true
}

// metByMethod reports whether a method of a type returns what is demanded.
func (d demand) metByMethod(t types.Type) bool {
	for m := range types.NewMethodSet(t).Methods() {
		if m.Obj().Exported() && d.met(resultsOf(m.Type().(*types.Signature))...) {
			return true
		}
	}
	return false
}

func resultsOf(sig *types.Signature) []types.Type {
	var out []types.Type
	for v := range sig.Results().Variables() {
		out = append(out, v.Type())
	}
	return out
}
