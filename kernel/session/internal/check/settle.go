package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// settleTypes decides which of the types that the cell declares are new, and which methods go to older types. It reports
// whether the declarations are sound enough to go on.
//
// A type that is declared again with an identical underlying type stays the type it was, unless one of its methods
// changes its signature, which values of the old type could not follow.
func (c *checker) settleTypes() bool {
	older := map[string]*types.TypeName{}
	for _, d := range c.cell.Decls {
		for _, s := range d.Specs {
			if spec, ok := s.(*ast.TypeSpec); ok && !spec.Assign.IsValid() {
				if tn := c.sessionType(spec.Name.Name); tn != nil {
					older[spec.Name.Name] = tn
				}
			}
		}
	}
	if len(older) > 0 {
		c.probe(older)
	}
	drop := map[*types.TypeName][]string{}
	for _, f := range c.cell.Cell.Funcs {
		base, _ := receiver(f)
		if f.Recv == nil || base == "" {
			continue
		}
		tn := c.kept[base]
		if tn == nil && !c.own[base] {
			tn = c.sessionType(base)
		}
		if tn == nil {
			continue // its type is new, or pass 1 says what is wrong
		}
		c.late[f] = tn
		drop[tn] = append(drop[tn], f.Name.Name)
	}
	if len(drop) == 0 {
		return true
	}
	before := c.env.Lookup
	c.env.Lookup, c.cell.Rebuilt = c.env.Without(drop)
	c.env.Generics = maps.Clone(c.env.Generics)
	maps.Copy(c.env.Generics, c.cell.Rebuilt)
	c.cell.Env = c.env
	for name := range c.kept {
		c.kept[name] = c.sessionType(name)
	}
	for f, tn := range c.late {
		old := tn.Type().(*types.Named)
		c.late[f] = c.sessionType(tn.Name())
		if c.kept[tn.Name()] == nil && !c.sameSignature(f, old, before) {
			c.typeError(f.Name.Pos(), "method "+tn.Name()+"."+f.Name.Name+
				" has another signature already; declare type "+tn.Name()+" again with its methods to change it")
			return false
		}
	}
	return true
}

// supersede names the types that the cell replaces after their cells, so that messages tell them from the new ones. The
// returned function gives them their names back.
func (c *checker) supersede() (undo func()) {
	var undos []func()
	for name := range c.own {
		tn := c.sessionType(name)
		if tn == nil || c.kept[name] != nil {
			continue
		}
		b, _ := c.env.Lookup(name)
		before := *tn
		*tn = *types.NewTypeName(tn.Pos(), tn.Pkg(), fmt.Sprintf("%s of cell %d", name, b.Cell), tn.Type())
		undos = append(undos, func() { *tn = before })
	}
	return func() {
		for _, f := range undos {
			f()
		}
	}
}

// sessionType returns the type that a name means in the session, if a cell declared it.
func (c *checker) sessionType(name string) *types.TypeName {
	b, ok := c.env.Lookup(name)
	if !ok {
		return nil
	}
	tn, ok := b.Object.(*types.TypeName)
	if !ok || tn.IsAlias() || tn.Pkg() == nil || tn.Pkg().Path() != Path {
		return nil
	}
	if _, ok := tn.Type().(*types.Named); !ok {
		return nil
	}
	return tn
}

// probe checks the cell's types and method signatures alone and fills c.kept with those of the older types that stay.
func (c *checker) probe(older map[string]*types.TypeName) {
	trial := newChecker(c.env, c.cell.Cell)
	if !trial.declare() {
		return // the real pass reports the errors
	}
	kept := map[string]*types.TypeName{}
	to := map[*types.TypeName]*types.TypeName{}
	for name, tn := range older {
		if fresh, ok := c.env.Package.Scope().Lookup(name).(*types.TypeName); ok && !fresh.IsAlias() {
			kept[name] = tn
			to[tn] = fresh
		}
	}
	// All pairs are taken for the same type at first; one that turns out to differ may make others differ.
	for again := true; again; {
		again = false
		for name, tn := range kept {
			if !c.sameType(tn, to) {
				delete(kept, name)
				delete(to, tn)
				again = true
			}
		}
	}
	c.kept = kept
}

// sameType reports whether an older type and its new declaration have identical underlying types, and no method of the
// new one has another signature than the older one's, when each older type is replaced by its new declaration.
func (c *checker) sameType(tn *types.TypeName, to map[*types.TypeName]*types.TypeName) bool {
	s := newSubst(to)
	old, fresh := tn.Type().(*types.Named), to[tn].Type().(*types.Named)
	if !s.pair(old.TypeParams(), fresh.TypeParams()) || !types.Identical(s.typ(old.Underlying()), fresh.Underlying()) {
		return false
	}
	for i := range old.NumMethods() {
		for j := range fresh.NumMethods() {
			m, n := old.Method(i), fresh.Method(j)
			if m.Name() == n.Name() && (pointerReceiver(m) != pointerReceiver(n) ||
				!s.pair(m.Signature().RecvTypeParams(), n.Signature().RecvTypeParams()) || !types.Identical(plain(s, m), plain(s, n))) {
				return false
			}
		}
	}
	return true
}

// plain is the type of a method without its receiver, with some types replaced.
func plain(s *subst, m *types.Func) types.Type {
	sig := m.Signature()
	params, _ := s.tuple(sig.Params())
	results, _ := s.tuple(sig.Results())
	return types.NewSignatureType(nil, nil, nil, params, results, sig.Variadic())
}

// sameSignature reports whether a method that a cell declares for an older type is new there or has the signature that
// it had. The signature is checked alone; where that fails, the real pass says why.
func (c *checker) sameSignature(f *ast.FuncDecl, old *types.Named, lookup func(string) (Binding, bool)) bool {
	var had *types.Func
	for i := range old.NumMethods() {
		if old.Method(i).Name() == f.Name.Name {
			had = old.Method(i)
		}
	}
	if had == nil {
		return true
	}
	env := c.env
	env.Lookup = lookup
	trial := newChecker(env, c.cell.Cell)
	trial.cell.Info = newInfo()
	pkg := env.Package
	rescope(pkg)
	insertParams(pkg, f, old)
	for name := range trial.names {
		if b, ok := lookup(name); ok && b.Object != nil {
			pkg.Scope().Insert(b.Object)
		}
	}
	name := &ast.Ident{NamePos: f.Name.Pos(), Name: "·" + f.Name.Name}
	file := trial.file(nil)
	file.Decls = append(file.Decls, asFunction(f, name, nil))
	types.NewChecker(trial.config(trial.report), env.Files, pkg, trial.cell.Info).Files([]*ast.File{file})
	fn, ok := pkg.Scope().Lookup(name.Name).(*types.Func)
	if !ok || len(trial.errs) > 0 {
		return true
	}
	s := newSubst(nil)
	list := had.Signature().RecvTypeParams()
	for i := range list.Len() {
		s.params[list.At(i)] = old.TypeParams().At(i)
	}
	sig := fn.Signature()
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	now := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	_, pointer := sig.Params().At(0).Type().(*types.Pointer)
	return types.Identical(now, plain(s, had)) && pointer == pointerReceiver(had)
}

func pointerReceiver(m *types.Func) bool {
	_, ok := m.Signature().Recv().Type().(*types.Pointer)
	return ok
}

// withoutKept returns a declaration without the types that stay what they were; nil where nothing is left.
func (c *checker) withoutKept(d *ast.GenDecl) *ast.GenDecl {
	if d.Tok != token.TYPE || len(c.kept) == 0 {
		return d
	}
	e := *d
	e.Specs = nil
	for _, s := range d.Specs {
		if c.kept[s.(*ast.TypeSpec).Name.Name] == nil {
			e.Specs = append(e.Specs, s)
		}
	}
	if len(e.Specs) == 0 {
		return nil
	}
	return &e
}
