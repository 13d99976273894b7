package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// expected returns the type that the expression x should have by what is around it, outermost first; nil where anything may
// stand.
func (a *analysis) expected(x ast.Expr, around []ast.Node) types.Type {
	if len(around) == 0 {
		return nil
	}
	outer, rest := around[len(around)-1], around[:len(around)-1]
	switch n := outer.(type) {
	case *ast.ParenExpr:
		return a.expected(n, rest)
	case *ast.UnaryExpr:
		return a.operand(n, rest)
	case *ast.BinaryExpr:
		return a.otherOperand(n, x, rest)
	case *ast.CallExpr:
		return a.argument(n, x)
	case *ast.AssignStmt:
		if i := slices.Index(n.Rhs, x); i >= 0 && len(n.Lhs) == len(n.Rhs) && n.Tok != token.DEFINE {
			return a.typeOf(n.Lhs[i])
		}
	case *ast.ValueSpec:
		if n.Type != nil && slices.Index(n.Values, x) >= 0 {
			return a.info.TypeOf(n.Type)
		}
	case *ast.ReturnStmt:
		return a.result(slices.Index(n.Results, x), rest)
	case *ast.SendStmt:
		if ch, ok := underlying(a.info.TypeOf(n.Chan)).(*types.Chan); ok && n.Value == x {
			return ch.Elem()
		}
	case *ast.IndexExpr:
		return a.indexType(n, x)
	case *ast.SliceExpr:
		if n.X != x {
			return types.Typ[types.Int]
		}
	case *ast.IfStmt:
		if n.Cond == x {
			return types.Typ[types.Bool]
		}
	case *ast.ForStmt:
		if n.Cond == x {
			return types.Typ[types.Bool]
		}
	case *ast.CaseClause:
		return a.tag(rest)
	case *ast.CompositeLit:
		return a.element(n, x)
	case *ast.KeyValueExpr:
		return a.keyOrValue(n, x, rest)
	}
	return nil
}

// typeOf returns the type of an expression, also of a variable that is assigned to, for which go/types records none.
func (a *analysis) typeOf(x ast.Expr) types.Type {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok {
		if obj := a.info.ObjectOf(id); obj != nil {
			return obj.Type()
		}
	}
	return a.info.TypeOf(x)
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// operand is expected for the operand of a unary operator.
func (a *analysis) operand(n *ast.UnaryExpr, around []ast.Node) types.Type {
	switch n.Op {
	case token.NOT:
		return types.Typ[types.Bool]
	case token.AND:
		if p, ok := underlying(a.expected(n, around)).(*types.Pointer); ok {
			return p.Elem()
		}
		return nil
	}
	return a.expected(n, around)
}

// otherOperand is expected for one of two operands: the type of the other.
func (a *analysis) otherOperand(n *ast.BinaryExpr, x ast.Expr, around []ast.Node) types.Type {
	switch n.Op {
	case token.LAND, token.LOR:
		return types.Typ[types.Bool]
	case token.SHL, token.SHR:
		return nil
	}
	t := a.info.TypeOf(otherThan(n, x))
	if b, ok := t.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
		if comparison(n.Op) {
			return types.Default(t)
		}
		return a.expected(n, around)
	}
	return t
}

// otherThan returns the other operand.
func otherThan(n *ast.BinaryExpr, x ast.Expr) ast.Expr {
	if n.X == x {
		return n.Y
	}
	return n.X
}

func comparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// argument is expected for an argument: the parameter's type, or the first argument's elements' for append.
func (a *analysis) argument(n *ast.CallExpr, x ast.Expr) types.Type {
	i := slices.Index(n.Args, x)
	if i < 0 {
		return nil
	}
	if tv := a.info.Types[n.Fun]; tv.IsBuiltin() {
		return a.builtinArgument(n, i)
	}
	sig, ok := underlying(a.info.TypeOf(n.Fun)).(*types.Signature)
	if !ok {
		return nil
	}
	t := parameter(sig, i)
	if _, ok := t.(*types.TypeParam); ok {
		return nil
	}
	return t
}

// parameter returns the type of the i-th argument; nil where there are too many.
func parameter(sig *types.Signature, i int) types.Type {
	params := sig.Params()
	switch last := params.Len() - 1; {
	case sig.Variadic() && i >= last:
		return params.At(last).Type().(interface{ Elem() types.Type }).Elem()
	case i <= last:
		return params.At(i).Type()
	}
	return nil
}

// builtinArgument is argument for a builtin function.
func (a *analysis) builtinArgument(n *ast.CallExpr, i int) types.Type {
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok || i == 0 {
		return nil
	}
	switch t := underlying(a.info.TypeOf(n.Args[0])).(type) {
	case *types.Slice:
		switch id.Name {
		case "append":
			return t.Elem()
		case "copy":
			return t
		}
	case *types.Map:
		if id.Name == "delete" {
			return t.Key()
		}
	}
	switch id.Name {
	case "make":
		return types.Typ[types.Int]
	case "max", "min":
		return a.info.TypeOf(n.Args[0])
	}
	return nil
}

// result is expected for the i-th result of the innermost function.
func (a *analysis) result(i int, around []ast.Node) types.Type {
	for j := len(around) - 1; j >= 0; j-- {
		var list *ast.FieldList
		switch f := around[j].(type) {
		case *ast.FuncLit:
			list = f.Type.Results
		case *ast.FuncDecl:
			list = f.Type.Results
		default:
			continue
		}
		if list == nil {
			return nil
		}
		for _, f := range list.List {
			if n := max(1, len(f.Names)); i < n {
				return a.info.TypeOf(f.Type)
			} else {
				i -= n
			}
		}
		return nil
	}
	return nil
}

// indexType is expected for an index.
func (a *analysis) indexType(n *ast.IndexExpr, x ast.Expr) types.Type {
	if n.Index != x {
		return nil
	}
	switch t := underlying(a.info.TypeOf(n.X)).(type) {
	case *types.Map:
		return t.Key()
	case *types.Slice, *types.Array, *types.Pointer, *types.Basic:
		return types.Typ[types.Int]
	}
	return nil
}

// tag is expected for an element of a case: the type of what the switch is over.
func (a *analysis) tag(around []ast.Node) types.Type {
	s := switchAround(around)
	if s == nil {
		return nil
	}
	if s.Tag == nil {
		return types.Typ[types.Bool]
	}
	return a.info.TypeOf(s.Tag)
}

// switchAround returns the switch whose case is around, nil where it is none over values.
func switchAround(around []ast.Node) *ast.SwitchStmt {
	if len(around) < 2 {
		return nil
	}
	s, _ := around[len(around)-2].(*ast.SwitchStmt)
	return s
}

// element is expected for an element without a key.
func (a *analysis) element(n *ast.CompositeLit, x ast.Expr) types.Type {
	t := a.info.TypeOf(n)
	if t == nil || n.Type == x {
		return nil
	}
	switch t := deref(t).Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	case *types.Map:
		return t.Key()
	case *types.Struct:
		if i := slices.Index(n.Elts, x); i > 0 && i < t.NumFields() { // the first may be a key
			return t.Field(i).Type()
		}
	}
	return nil
}

// keyOrValue is expected for one side of a colon.
func (a *analysis) keyOrValue(n *ast.KeyValueExpr, x ast.Expr, around []ast.Node) types.Type {
	if len(around) == 0 {
		return nil
	}
	lit, ok := around[len(around)-1].(*ast.CompositeLit)
	if !ok || a.info.TypeOf(lit) == nil {
		return nil
	}
	t := deref(a.info.TypeOf(lit)).Underlying()
	if n.Key == x {
		return nil
	}
	switch t := t.(type) {
	case *types.Struct:
		key, ok := n.Key.(*ast.Ident)
		for f := range t.Fields() {
			if ok && f.Name() == key.Name {
				return f.Type()
			}
		}
	case interface{ Elem() types.Type }:
		return t.Elem()
	}
	return nil
}
