package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"orthant/kernel/session/internal/check"
)

// typeExpr writes a type as the engine knows it.
func (l *lowerer) typeExpr(pos token.Pos, t types.Type) ast.Expr {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return l.native(pos, types.Unsafe, "Pointer")
		}
		return l.ident(pos, types.Default(t).(*types.Basic).Name())
	case *types.Named:
		if t.TypeArgs() == nil {
			return l.typeName(pos, t.Obj())
		}
		if known := l.w.Of(t); known != nil {
			return l.ident(pos, known.Engine)
		}
		if _, isFunc := t.Underlying().(*types.Signature); isFunc { // iter.Seq[T]
			return l.typeExpr(pos, t.Underlying())
		}
		l.fail(pos, "the generic type %s does not work in cells yet", types.TypeString(t, (*types.Package).Name))
		return l.ident(pos, "int")
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
	case *types.Struct:
		s := &ast.StructType{Struct: pos, Fields: &ast.FieldList{Opening: pos, Closing: pos}}
		for i := range t.NumFields() {
			f := &ast.Field{Type: l.typeExpr(pos, t.Field(i).Type())}
			if !t.Field(i).Embedded() {
				f.Names = []*ast.Ident{l.ident(pos, t.Field(i).Name())}
			}
			if t.Tag(i) != "" {
				f.Tag = &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(t.Tag(i))}
			}
			s.Fields.List = append(s.Fields.List, f)
		}
		return s
	case *types.Interface:
		i := &ast.InterfaceType{Interface: pos, Methods: &ast.FieldList{Opening: pos, Closing: pos}}
		for m := range t.ExplicitMethods() {
			i.Methods.List = append(i.Methods.List, &ast.Field{
				Names: []*ast.Ident{l.ident(pos, m.Name())}, Type: l.funcType(pos, m.Signature(), nil)})
		}
		for e := range t.EmbeddedTypes() {
			i.Methods.List = append(i.Methods.List, &ast.Field{Type: l.typeExpr(pos, e)})
		}
		return i
	}
	l.fail(pos, "internal: no form for type %s", t)
	return l.ident(pos, "int")
}

// typeName writes the name of a declared type.
func (l *lowerer) typeName(pos token.Pos, tn *types.TypeName) ast.Expr {
	switch {
	case tn.Pkg() == nil:
		return l.ident(pos, tn.Name())
	case tn.Pkg().Path() != check.Path:
		if !tn.Exported() {
			l.fail(pos, "type %s.%s is not exported, so a cell cannot hold it; assign the value to an interface", tn.Pkg().Name(), tn.Name())
		}
		return l.native(pos, tn.Pkg(), tn.Name())
	}
	if t := l.w.Types[tn]; t != nil {
		return l.ident(pos, t.Engine)
	}
	return l.ident(pos, tn.Name()) // declared inside a function
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

// typ lowers a type as it is written in the cell. Array lengths become literals.
func (l *lowerer) typ(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case nil:
		return nil
	case *ast.ParenExpr:
		return l.typ(e.X)
	case *ast.Ident:
		tn, ok := l.info.Uses[e].(*types.TypeName)
		if !ok {
			return l.ident(e.Pos(), e.Name)
		}
		if tn.IsAlias() && tn.Pkg() != nil {
			return l.typeExpr(e.Pos(), tn.Type())
		}
		return l.typeName(e.Pos(), tn)
	case *ast.SelectorExpr:
		if obj := l.info.Uses[e.Sel]; obj != nil && obj.Pkg() != nil {
			return l.native(e.Pos(), obj.Pkg(), obj.Name())
		}
	case *ast.StarExpr:
		return &ast.StarExpr{Star: e.Star, X: l.typ(e.X)}
	case *ast.ArrayType:
		a := &ast.ArrayType{Lbrack: e.Lbrack, Elt: l.typ(e.Elt)}
		switch n := e.Len.(type) {
		case nil:
		case *ast.Ellipsis:
			a.Len = &ast.Ellipsis{Ellipsis: n.Pos()}
			if t, ok := l.typeOf(e).(*types.Array); ok {
				a.Len = l.intLit(e.Pos(), int(t.Len()))
			}
		default:
			if t, ok := l.typeOf(e).(*types.Array); ok {
				a.Len = l.intLit(e.Pos(), int(t.Len()))
			}
		}
		return a
	case *ast.MapType:
		return &ast.MapType{Map: e.Map, Key: l.typ(e.Key), Value: l.typ(e.Value)}
	case *ast.ChanType:
		return &ast.ChanType{Begin: e.Begin, Arrow: e.Arrow, Dir: e.Dir, Value: l.typ(e.Value)}
	case *ast.FuncType:
		return l.funcTypeOf(e)
	case *ast.StructType:
		return &ast.StructType{Struct: e.Struct, Fields: l.fields(e.Fields)}
	case *ast.InterfaceType:
		return &ast.InterfaceType{Interface: e.Interface, Methods: l.fields(e.Methods)}
	case *ast.Ellipsis:
		return &ast.Ellipsis{Ellipsis: e.Ellipsis, Elt: l.typ(e.Elt)}
	case *ast.IndexExpr, *ast.IndexListExpr: // an instance of a generic type
		return l.typeExpr(e.Pos(), l.typeOf(e))
	}
	l.fail(e.Pos(), "internal: no form for type %T", e)
	return e
}

func (l *lowerer) funcTypeOf(e *ast.FuncType) *ast.FuncType {
	return &ast.FuncType{Func: e.Func, Params: l.fields(e.Params), Results: l.fields(e.Results)}
}

// fields lowers parameters, struct fields and interface elements.
func (l *lowerer) fields(list *ast.FieldList) *ast.FieldList {
	if list == nil {
		return nil
	}
	out := &ast.FieldList{Opening: list.Opening, Closing: list.Closing}
	for _, f := range list.List {
		g := &ast.Field{Type: l.typ(f.Type), Tag: f.Tag}
		for _, n := range f.Names {
			g.Names = append(g.Names, l.ident(n.Pos(), n.Name))
		}
		out.List = append(out.List, g)
	}
	return out
}

// declare writes the declaration of a type, and the functions that read its erased fields. A struct carries its name in
// the tag of its first field, which keeps types of one shape apart where the engine goes by shape: in type switches, map
// keys and comparisons (engine.md 2c).
func (l *lowerer) declare(pos token.Pos, t ast.Expr, known *Type, name string) []ast.Decl {
	if s, ok := t.(*ast.StructType); ok && len(s.Fields.List) > 0 {
		eraseFields(s, known.erased)
		tag := TypeTag + ":" + strconv.Quote("main."+name+"/"+known.Engine)
		first := s.Fields.List[0]
		if first.Tag != nil {
			if old, err := strconv.Unquote(first.Tag.Value); err == nil && old != "" {
				tag = old + " " + tag
			}
		}
		first.Tag = &ast.BasicLit{ValuePos: first.Pos(), Kind: token.STRING, Value: strconv.Quote(tag)}
	}
	decl := &ast.GenDecl{TokPos: pos, Tok: token.TYPE, Specs: []ast.Spec{&ast.TypeSpec{Name: l.ident(pos, known.Engine), Type: t}}}
	return append([]ast.Decl{decl}, l.accessors(pos, known.erased)...)
}

// TypeTag is the key of the struct tag that names a struct type: the value is its name in Go, a slash, and its name in
// the engine.
const TypeTag = "orthant"
