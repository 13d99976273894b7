package check

import (
	"go/ast"
	"slices"
	"strconv"

	"orthant/kernel/session/internal/split"
)

// asFunction turns a function or method into a function: the receiver becomes the first parameter.
func asFunction(f *ast.FuncDecl, name *ast.Ident, body *ast.BlockStmt) *ast.FuncDecl {
	t := *f.Type
	if f.Recv != nil {
		params := &ast.FieldList{Opening: f.Type.Params.Opening, Closing: f.Type.Params.Closing}
		params.List = append(params.List, withNames(f.Recv).List...)
		if len(f.Recv.List[0].Names) == 0 && len(f.Type.Params.List) > 0 && len(f.Type.Params.List[0].Names) > 0 {
			// Parameters are all named or all unnamed.
			recv := *params.List[0]
			recv.Names = []*ast.Ident{{NamePos: recv.Type.Pos(), Name: "_"}}
			params.List[0] = &recv
		}
		rest := f.Type.Params.List
		if len(f.Recv.List[0].Names) > 0 {
			rest = named(rest)
		}
		params.List = append(params.List, rest...)
		t.Params = params
	}
	return &ast.FuncDecl{Name: name, Type: &t, Body: body}
}

// named gives unnamed parameters the blank name.
func named(list []*ast.Field) []*ast.Field {
	out := slices.Clone(list)
	for i, f := range out {
		if len(f.Names) == 0 {
			g := *f
			g.Names = []*ast.Ident{{NamePos: f.Type.Pos(), Name: "_"}}
			out[i] = &g
		}
	}
	return out
}

// receiver returns the name of a method's base type and the receiver's names of its type parameters, a blank one's being
// that of withNames.
func receiver(f *ast.FuncDecl) (base string, args []*ast.Ident) {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return "", nil
	}
	e, indices := split.ReceiverType(f.Recv.List[0].Type)
	for i, x := range indices {
		if id, ok := x.(*ast.Ident); ok {
			args = append(args, paramName(id, i))
		}
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name, args
	}
	return "", args
}

// paramName gives the type parameter of a receiver a name where it has none: elsewhere the type could not be written.
func paramName(id *ast.Ident, i int) *ast.Ident {
	if id.Name != "_" {
		return id
	}
	return &ast.Ident{NamePos: id.NamePos, Name: "·" + strconv.Itoa(i)}
}

// withNames returns a receiver whose type parameters all have names.
func withNames(recv *ast.FieldList) *ast.FieldList {
	if recv == nil || len(recv.List) == 0 {
		return recv
	}
	base, params := split.ReceiverType(recv.List[0].Type)
	blank := false
	list := make([]ast.Expr, len(params))
	for i, x := range params {
		list[i] = x
		if id, ok := x.(*ast.Ident); ok {
			list[i] = paramName(id, i)
			blank = blank || id.Name == "_"
		}
	}
	if !blank {
		return recv
	}
	field := *recv.List[0]
	_, isPointer := ast.Unparen(field.Type).(*ast.StarExpr)
	pos := field.Type.Pos()
	field.Type = &ast.IndexListExpr{X: base, Lbrack: base.End(), Indices: list, Rbrack: field.Type.End()}
	if isPointer {
		field.Type = &ast.StarExpr{Star: pos, X: field.Type}
	}
	return &ast.FieldList{Opening: recv.Opening, List: []*ast.Field{&field}, Closing: recv.Closing}
}
