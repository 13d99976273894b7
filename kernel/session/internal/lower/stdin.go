package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A cell's os.Stdin is a file that nobody types into (rt.Stdin). What reads it must reach the reader that asks: its methods are
// called by helpers, and in an interface it is that reader. Compiled functions that take a file itself find the end of it.

// readable reports whether an assignment puts a file into an interface by which it can be read, at once or after an assertion.
func readable(from, t types.Type) bool {
	if from == nil || t == nil || !types.IsInterface(t) {
		return false
	}
	p, ok := types.Unalias(from).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "os" || n.Obj().Name() != "File" {
		return false
	}
	if isEmptyInterface(t) {
		return true
	}
	for m := range t.Underlying().(*types.Interface).Methods() {
		if m.Name() == "Read" || m.Name() == "WriteTo" {
			return true
		}
	}
	return false
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// readFrom converts a lowered file of type from to an interface.
func (l *lowerer) readFrom(pos token.Pos, x ast.Expr, from, to types.Type) ast.Expr {
	f := l.reflect(pos, signature([]types.Type{from}, []types.Type{to}))
	if f == nil {
		return x
	}
	return l.call(pos, l.export(pos, l.w.fresh("In"), l.w.Stdin.Conversion(f)), x)
}

// readsFile reports whether a method is one of *os.File that reads all kinds of files from where they are.
func readsFile(m *types.Func) bool {
	switch m.FullName() {
	case "(*os.File).Read", "(*os.File).WriteTo":
		return true
	}
	return false
}
