package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
)

// typeExpr writes a type as the engine knows it: what is written out of other types as such, all else by a name that it imports
// (engine.md 7, goroot.md 4.9).
func (l *lowerer) typeExpr(pos token.Pos, t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return l.native(pos, types.Unsafe, "Pointer")
		}
		return l.ident(pos, types.Default(t).(*types.Basic).Name())
	case *types.Named:
		tn := t.Obj()
		switch {
		case tn.Pkg() == nil:
			return l.ident(pos, tn.Name())
		case !inSession(tn) && tn.Exported() && t.TypeArgs() == nil:
			return l.native(pos, tn.Pkg(), tn.Name())
		}
		return l.imported(pos, t)
	case *types.Pointer:
		return &ast.StarExpr{Star: pos, X: l.typeExpr(pos, t.Elem())}
	case *types.Slice:
		return &ast.ArrayType{Lbrack: pos, Elt: l.typeExpr(pos, t.Elem())}
	case *types.Array:
		return &ast.ArrayType{Lbrack: pos, Len: l.intLit(pos, int(t.Len())), Elt: l.typeExpr(pos, t.Elem())}
	case *types.Map:
		return &ast.MapType{Map: pos, Key: l.typeExpr(pos, t.Key()), Value: l.typeExpr(pos, t.Elem())}
	case *types.Chan:
		dir := map[types.ChanDir]ast.ChanDir{types.SendRecv: ast.SEND | ast.RECV, types.SendOnly: ast.SEND, types.RecvOnly: ast.RECV}
		return &ast.ChanType{Begin: pos, Arrow: pos, Dir: dir[t.Dir()], Value: l.typeExpr(pos, t.Elem())}
	case *types.Signature:
		return l.funcType(pos, t, nil)
	case *types.Interface:
		if t.NumMethods() == 0 {
			return &ast.InterfaceType{Interface: pos, Methods: &ast.FieldList{Opening: pos, Closing: pos}}
		}
	}
	return l.imported(pos, t)
}

// imported writes a type that the engine imports as a native one: it has no type declarations of its own.
func (l *lowerer) imported(pos token.Pos, t types.Type) ast.Expr {
	rt, err := l.w.Reflect(t)
	if err != nil {
		l.fail(pos, "%v", err)
		return l.ident(pos, "int")
	}
	name, ok := l.w.names[rt]
	if !ok {
		name = l.w.fresh("T" + mark)
		l.w.names[rt] = name
	}
	return l.export(pos, name, reflect.Zero(reflect.PointerTo(rt)))
}

// funcType writes a signature. Where names are given they become the parameters' names.
func (l *lowerer) funcType(pos token.Pos, sig *types.Signature, names []string) *ast.FuncType {
	f := &ast.FuncType{Func: pos, Params: &ast.FieldList{Opening: pos, Closing: pos}}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		field := &ast.Field{}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			field.Type = &ast.Ellipsis{Ellipsis: pos, Elt: l.typeExpr(pos, t.(*types.Slice).Elem())}
		} else {
			field.Type = l.typeExpr(pos, t)
		}
		if names != nil {
			field.Names = []*ast.Ident{l.ident(pos, names[i])}
		}
		f.Params.List = append(f.Params.List, field)
	}
	if sig.Results().Len() > 0 {
		f.Results = &ast.FieldList{Opening: pos, Closing: pos}
		for v := range sig.Results().Variables() {
			f.Results.List = append(f.Results.List, &ast.Field{Type: l.typeExpr(pos, v.Type())})
		}
	}
	return f
}

// typ lowers a type as it is written in the cell.
func (l *lowerer) typ(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	return l.typeExpr(e.Pos(), l.typeOf(e))
}

// funcTypeOf lowers the type of a function of the cell, with the names of its parameters and results.
func (l *lowerer) funcTypeOf(e *ast.FuncType) *ast.FuncType {
	return &ast.FuncType{Func: e.Func, Params: l.fields(e.Params), Results: l.fields(e.Results)}
}

// fields lowers parameters or results.
func (l *lowerer) fields(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	out := &ast.FieldList{Opening: list.Opening, Closing: list.Closing}
	for _, f := range list.List {
		g := &ast.Field{}
		if rest, variadic := f.Type.(*ast.Ellipsis); variadic {
			g.Type = &ast.Ellipsis{Ellipsis: rest.Ellipsis, Elt: l.typ(rest.Elt)}
		} else {
			g.Type = l.typ(f.Type)
		}
		for _, n := range f.Names {
			g.Names = append(g.Names, l.ident(n.Pos(), n.Name))
		}
		out.List = append(out.List, g)
	}
	return out
}
