package main

import (
	"go/ast"
	"go/types"
	"strings"
)

// documentation returns the comments of a package's exported declarations,
// by name: "" is the package, "F" a function, type, constant or variable,
// "T.M" a method, "T.F" a field and "T.F.G" one of a struct that has no name
// but the field's. What exists on some platforms only is taken from the first
// of them.
func documentation(w *world, path string) map[string]string {
	d := newDocs()
	for _, prog := range w.platforms {
		d.addPackage(prog.Lookup(path).Files)
	}
	return d.texts
}

// newDocs returns an empty collection of exported names.
func newDocs() docs { return docs{texts: map[string]string{}, keep: ast.IsExported} }

// predeclared returns the comments of package builtin, whose names are those
// of the universe.
func predeclared(files []*ast.File) map[string]string {
	d := docs{texts: map[string]string{}, keep: func(name string) bool { return types.Universe.Lookup(name) != nil }}
	d.addPackage(files)
	return d.texts
}

// docs collects the comments of the declarations whose name is to be kept.
type docs struct {
	texts map[string]string
	keep  func(name string) bool
}

// add stores the first non-empty text of the comments under the name, unless
// an earlier platform gave one.
func (d docs) add(name string, comments ...*ast.CommentGroup) {
	if d.texts[name] != "" {
		return
	}
	for _, c := range comments {
		if text := strings.TrimSpace(c.Text()); text != "" {
			d.texts[name] = text
			return
		}
	}
}

func (d docs) addPackage(files []*ast.File) {
	for _, f := range files {
		d.add("", f.Doc)
	}
	for _, f := range files {
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				d.addFunc(decl)
			case *ast.GenDecl:
				d.addGroup(decl)
			}
		}
	}
}

func (d docs) addFunc(decl *ast.FuncDecl) {
	if !d.keep(decl.Name.Name) {
		return
	}
	if decl.Recv == nil {
		d.add(decl.Name.Name, decl.Doc)
		return
	}
	// Methods of unexported types are kept: they are reached through the
	// exported types that embed them.
	d.add(receiver(decl.Recv.List[0].Type)+"."+decl.Name.Name, decl.Doc)
}

// receiver returns the name of the type in a receiver: T, *T, T[K].
func receiver(expr ast.Expr) string {
	for {
		switch x := expr.(type) {
		case *ast.StarExpr:
			expr = x.X
		case *ast.ParenExpr:
			expr = x.X
		case *ast.IndexExpr:
			expr = x.X
		case *ast.IndexListExpr:
			expr = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// addGroup adds a declaration of constants, variables or types. A name
// without a comment of its own gets that of its group. What stands behind
// a declaration in its line counts less than what stands before it.
func (d docs) addGroup(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			comments := []*ast.CommentGroup{spec.Doc, spec.Comment, decl.Doc}
			if !decl.Lparen.IsValid() { // no group: the comment before it is its own
				comments = []*ast.CommentGroup{decl.Doc, spec.Comment}
			}
			for _, id := range spec.Names {
				if d.keep(id.Name) {
					d.add(id.Name, comments...)
				}
			}
		case *ast.TypeSpec:
			if d.keep(spec.Name.Name) {
				d.add(spec.Name.Name, spec.Doc, decl.Doc, spec.Comment)
			}
			d.addMembers(spec)
		}
	}
}

// addMembers adds the fields of a struct and the methods of an interface.
func (d docs) addMembers(spec *ast.TypeSpec) {
	if t, ok := spec.Type.(*ast.InterfaceType); ok {
		d.addFields(spec.Name.Name, t.Methods)
	} else if t := structIn(spec.Type); t != nil {
		d.addFields(spec.Name.Name, t.Fields)
	}
}

// addFields adds fields or methods of what has the given name, and the fields
// of those that are structs without a name of their own.
func (d docs) addFields(owner string, list *ast.FieldList) {
	for _, field := range list.List {
		for _, id := range field.Names {
			if !d.keep(id.Name) {
				continue
			}
			name := owner + "." + id.Name
			d.add(name, field.Doc, field.Comment)
			if t := structIn(field.Type); t != nil {
				d.addFields(name, t.Fields)
			}
		}
	}
}

// structIn returns the struct that a type is written as, or the elements of
// which, nil where there is none.
func structIn(expr ast.Expr) *ast.StructType {
	switch x := expr.(type) {
	case *ast.StructType:
		return x
	case *ast.StarExpr:
		return structIn(x.X)
	case *ast.ArrayType:
		return structIn(x.Elt)
	case *ast.MapType:
		return structIn(x.Value)
	}
	return nil
}
