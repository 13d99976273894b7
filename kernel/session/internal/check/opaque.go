package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// In the body of a generic function T(0) and unsafe.Sizeof(x) are no constants where they depend on a type parameter. In an
// instance, which is checked with concrete types, they would be: then 1 << unsafe.Sizeof(x) overflows, the same value
// stands in two cases of a switch, and an index that is never reached is out of bounds. So the calls that are constants in
// the instance only are wrapped in a call of Opaque while it is checked.

// Opaque is the name of the function around what is no constant in a generic function. It returns its argument.
const Opaque = "·opaque"

// opaqueFunc is the object of Opaque. It belongs to no package: it is no generic function of the session.
func opaqueFunc() *types.Func {
	t := types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.Universe.Lookup("any").Type())
	v := types.NewTuple(types.NewParam(token.NoPos, nil, "", t))
	return types.NewFunc(token.NoPos, nil, Opaque, types.NewSignatureType(nil, nil, []*types.TypeParam{t}, v, v, false))
}

// calls lists the calls in a body, in source order.
func calls(body *ast.BlockStmt) []*ast.CallExpr {
	var list []*ast.CallExpr
	if body != nil {
		ast.Inspect(body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				list = append(list, call)
			}
			return true
		})
	}
	return list
}

// opaqueCalls returns the indices of the calls of a generic body that an instance may take for constants.
func opaqueCalls(body *ast.BlockStmt, info *types.Info) map[int]bool {
	out := map[int]bool{}
	for i, call := range calls(body) {
		if info.Types[call].Value != nil || len(call.Args) != 1 {
			continue
		}
		fun, arg := info.Types[call.Fun], info.Types[call.Args[0]]
		switch {
		case fun.IsType():
			out[i] = arg.Value != nil && Parametric(fun.Type)
		case fun.IsBuiltin():
			_, isBasic := info.TypeOf(call).(*types.Basic) // of len, cap, and Sizeof and the like
			_, isUnsafe := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			out[i] = isBasic && (isUnsafe || Parametric(arg.Type))
		}
	}
	return out
}

// wrapOpaque wraps the calls with these indices, in place.
func wrapOpaque(body *ast.BlockStmt, which map[int]bool) {
	for i, call := range calls(body) {
		if which[i] {
			inner := *call
			*call = ast.CallExpr{Fun: &ast.Ident{NamePos: call.Pos(), Name: Opaque}, Lparen: call.Pos(), Args: []ast.Expr{&inner}, Rparen: call.End()}
		}
	}
}
