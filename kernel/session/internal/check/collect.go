package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// collectVars gathers the variables that the statements define outside any block.
func (c *checker) collectVars() {
	c.tops = map[token.Pos]bool{}
	add := func(id *ast.Ident, stmt int) {
		v, ok := c.cell.Info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" {
			return
		}
		twin := types.NewVar(v.Pos(), c.env.Package, v.Name(), v.Type())
		c.cell.Vars = append(c.cell.Vars, &Var{Local: v, Object: twin, Stmt: stmt})
		c.tops[v.Pos()] = true
	}
	for i, s := range c.body {
		for l, ok := s.(*ast.LabeledStmt); ok; l, ok = s.(*ast.LabeledStmt) {
			s = l.Stmt
		}
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				for _, e := range s.Lhs {
					if id, ok := e.(*ast.Ident); ok {
						add(id, i)
					}
				}
			}
		case *ast.DeclStmt:
			if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						add(id, i)
					}
				}
			}
		}
	}
}

// collectDeclared gathers what pass 1 declared, and gives older types their new methods. signatures has these as functions.
func (c *checker) collectDeclared(signatures map[*ast.FuncDecl]*types.Signature) {
	for _, d := range c.cell.Decls {
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if c.kept[s.Name.Name] != nil {
					continue // it stays the older type
				}
				if tn, ok := c.cell.Info.Defs[s.Name].(*types.TypeName); ok && s.Name.Name != "_" {
					c.cell.Types = append(c.cell.Types, tn)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if k, ok := c.cell.Info.Defs[n].(*types.Const); ok && n.Name != "_" {
						c.cell.Consts = append(c.cell.Consts, k)
					}
				}
			}
		}
	}
	for _, f := range c.cell.Cell.Funcs {
		fn := &Func{Decl: f, Recv: c.late[f]}
		if sig := signatures[f]; sig != nil {
			fn.Object = c.addMethod(f, c.late[f], sig)
		} else if fn.Object, _ = c.cell.Info.Defs[f.Name].(*types.Func); fn.Object == nil {
			continue // blank
		}
		sig := fn.Object.Signature()
		fn.Generic = sig.TypeParams() != nil || sig.RecvTypeParams() != nil
		if recv := sig.Recv(); recv != nil {
			t := types.Unalias(recv.Type())
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if named, ok := t.(*types.Named); ok && fn.Recv == nil {
				fn.Recv = named.Origin().Obj()
			}
		}
		c.cell.Funcs = append(c.cell.Funcs, fn)
	}
}

// addMethod gives an older type a method whose signature was checked as that of a function.
func (c *checker) addMethod(f *ast.FuncDecl, tn *types.TypeName, sig *types.Signature) *types.Func {
	named := tn.Type().(*types.Named)
	// The signature mentions the type parameters of the type, but a method has its own.
	s := newSubst(nil)
	list := s.typeParams(named.TypeParams())
	var params []*types.Var
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		params = append(params, types.NewParam(v.Pos(), v.Pkg(), v.Name(), s.typ(v.Type())))
	}
	results, _ := s.tuple(sig.Results())
	m := types.NewFunc(f.Name.Pos(), c.env.Package, f.Name.Name,
		types.NewSignatureType(params[0], list, nil, types.NewTuple(params[1:]...), results, sig.Variadic()))
	if obj, _, _ := types.LookupFieldOrMethod(named, true, c.env.Package, m.Name()); obj != nil {
		if v, ok := obj.(*types.Var); ok && v.IsField() && directField(named, v) {
			c.errs = append(c.errs, types.Error{Fset: c.env.Files, Pos: f.Name.Pos(),
				Msg: "field and method with the same name " + m.Name()})
			return m
		}
	}
	named.AddMethod(m)
	return m
}

// directField reports whether v is a field that the struct type declares itself.
func directField(named *types.Named, v *types.Var) bool {
	s, ok := named.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if s.Field(i) == v {
			return true
		}
	}
	return false
}
