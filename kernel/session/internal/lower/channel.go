package lower

import (
	"go/ast"
	"go/types"
)

// channel lowers an expression of a channel type for an operation on the channel. The engine knows the elements of channels
// whose type is written out only (goroot.md 4.7).
func (l *lowerer) channel(e ast.Expr) ast.Expr {
	t := l.typeOf(e)
	if _, named := types.Unalias(t).(*types.Named); named {
		return l.call(e.Pos(), l.typeExpr(e.Pos(), t.Underlying()), l.expr(e))
	}
	return l.expr(e)
}
