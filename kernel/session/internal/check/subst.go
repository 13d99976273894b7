package check

import "go/types"

// Rebuild copies objects of a session so that the given types lack the given methods, and returns a function that maps an
// object to its copy. Types that mention a copied type are copied too; an object that mentions none stays as it is.
func Rebuild(drop map[*types.TypeName][]string) (copied func(types.Object) types.Object, replaced map[*types.TypeName]*types.TypeName) {
	s := newSubst(map[*types.TypeName]*types.TypeName{})
	s.drop = drop
	return s.object, s.to
}

// A subst replaces named types in types. It copies what mentions a replaced type, and only that.
type subst struct {
	to    map[*types.TypeName]*types.TypeName // replaced types; grows as dependants are copied
	drop  map[*types.TypeName][]string        // types to copy without some methods
	needs map[*types.TypeName]bool            // memo of mentions for named types
	done  map[types.Object]types.Object
}

func newSubst(to map[*types.TypeName]*types.TypeName) *subst {
	return &subst{to: to, needs: map[*types.TypeName]bool{}, done: map[types.Object]types.Object{}}
}

// object returns the copy of a variable, function, constant or type name, or the object itself.
func (s *subst) object(o types.Object) types.Object {
	if c, ok := s.done[o]; ok {
		return c
	}
	t := s.typ(o.Type())
	c := o
	switch o := o.(type) {
	case *types.TypeName:
		if o.IsAlias() {
			if t != o.Type() {
				c = types.NewTypeName(o.Pos(), o.Pkg(), o.Name(), t)
			}
		} else if n, ok := t.(*types.Named); ok {
			c = n.Obj()
		}
	case *types.Var:
		if t != o.Type() {
			c = types.NewVar(o.Pos(), o.Pkg(), o.Name(), t)
		}
	case *types.Const:
		if t != o.Type() {
			c = types.NewConst(o.Pos(), o.Pkg(), o.Name(), t, o.Val())
		}
	case *types.Func:
		if t != o.Type() {
			c = types.NewFunc(o.Pos(), o.Pkg(), o.Name(), t.(*types.Signature))
		}
	}
	s.done[o] = c
	return c
}

// typ returns t with every replaced type replaced. It returns t itself where nothing changes.
func (s *subst) typ(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Alias:
		if u := s.typ(types.Unalias(t)); u != types.Unalias(t) {
			return u
		}
		return t
	case *types.Named:
		return s.named(t)
	case *types.Pointer:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewArray(e, t.Len())
		}
	case *types.Chan:
		if e := s.typ(t.Elem()); e != t.Elem() {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Map:
		k, e := s.typ(t.Key()), s.typ(t.Elem())
		if k != t.Key() || e != t.Elem() {
			return types.NewMap(k, e)
		}
	case *types.Tuple:
		if u, changed := s.tuple(t); changed {
			return u
		}
	case *types.Signature:
		return s.signature(t, t.Recv())
	case *types.Struct:
		return s.structure(t)
	case *types.Interface:
		return s.iface(t)
	}
	return t
}

func (s *subst) tuple(t *types.Tuple) (*types.Tuple, bool) {
	changed := false
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		v := t.At(i)
		u := s.typ(v.Type())
		if u != v.Type() {
			changed = true
			v = types.NewParam(v.Pos(), v.Pkg(), v.Name(), u)
		}
		vars[i] = v
	}
	if !changed {
		return t, false
	}
	return types.NewTuple(vars...), true
}

// signature copies a signature with a receiver. Signatures with type parameters stay: a generic function's constraints
// would have to be copied with it.
func (s *subst) signature(t *types.Signature, recv *types.Var) types.Type {
	if t.TypeParams() != nil || t.RecvTypeParams() != nil {
		return t
	}
	params, a := s.tuple(t.Params())
	results, b := s.tuple(t.Results())
	if !a && !b && recv == t.Recv() {
		return t
	}
	return types.NewSignatureType(recv, nil, nil, params, results, t.Variadic())
}

func (s *subst) structure(t *types.Struct) types.Type {
	changed := false
	fields := make([]*types.Var, t.NumFields())
	tags := make([]string, t.NumFields())
	for i := range fields {
		f := t.Field(i)
		u := s.typ(f.Type())
		if u != f.Type() {
			changed = true
			f = types.NewField(f.Pos(), f.Pkg(), f.Name(), u, f.Embedded())
		}
		fields[i], tags[i] = f, t.Tag(i)
	}
	if !changed {
		return t
	}
	return types.NewStruct(fields, tags)
}

func (s *subst) iface(t *types.Interface) types.Type {
	changed := false
	var methods []*types.Func
	for m := range t.ExplicitMethods() {
		u := s.signature(m.Signature(), m.Signature().Recv())
		if u != m.Type() {
			changed = true
			sig := u.(*types.Signature)
			m = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
		}
		methods = append(methods, m)
	}
	var embedded []types.Type
	for e := range t.EmbeddedTypes() {
		u := s.typ(e)
		changed = changed || u != e
		embedded = append(embedded, u)
	}
	if !changed {
		return t
	}
	return types.NewInterfaceType(methods, embedded).Complete()
}

// named replaces a named type, copying it where it mentions a replaced one.
func (s *subst) named(t *types.Named) types.Type {
	if args := t.TypeArgs(); args != nil {
		changed := false
		list := make([]types.Type, args.Len())
		for i := range list {
			list[i] = s.typ(args.At(i))
			changed = changed || list[i] != args.At(i)
		}
		if !changed {
			return t
		}
		u, err := types.Instantiate(nil, t.Origin(), list, false)
		if err != nil {
			return t
		}
		return u
	}
	tn := t.Obj()
	if fresh, ok := s.to[tn]; ok {
		return fresh.Type()
	}
	if tn.Pkg() == nil || tn.Pkg().Path() != Path || t.TypeParams() != nil || !s.mentions(tn) {
		return t
	}
	fresh := types.NewTypeName(tn.Pos(), tn.Pkg(), tn.Name(), nil)
	u := types.NewNamed(fresh, nil, nil)
	s.to[tn] = fresh
	u.SetUnderlying(s.typ(t.Underlying()))
	dropped := map[string]bool{}
	for _, name := range s.drop[tn] {
		dropped[name] = true
	}
	for m := range t.Methods() {
		if dropped[m.Name()] {
			continue
		}
		recv := m.Signature().Recv()
		recv = types.NewParam(recv.Pos(), recv.Pkg(), recv.Name(), s.typ(recv.Type()))
		u.AddMethod(types.NewFunc(m.Pos(), m.Pkg(), m.Name(), s.signature(m.Signature(), recv).(*types.Signature)))
	}
	return u
}

// mentions reports whether a named type is to lose methods or reaches one that is replaced.
func (s *subst) mentions(tn *types.TypeName) bool {
	if need, ok := s.needs[tn]; ok {
		return need
	}
	seen := map[*types.TypeName]bool{}
	var reach func(t types.Type) bool
	reach = func(t types.Type) bool {
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				if reach(a) {
					return true
				}
			}
			tn := t.Obj()
			if s.to[tn] != nil || s.drop[tn] != nil {
				return true
			}
			if seen[tn] || tn.Pkg() == nil || tn.Pkg().Path() != Path {
				return false
			}
			seen[tn] = true
			for m := range t.Methods() {
				if reach(m.Type()) {
					return true
				}
			}
			return reach(t.Underlying())
		case interface{ Elem() types.Type }: // pointer, slice, array, channel, map
			if m, ok := t.(*types.Map); ok && reach(m.Key()) {
				return true
			}
			return reach(t.Elem())
		case *types.Tuple:
			for v := range t.Variables() {
				if reach(v.Type()) {
					return true
				}
			}
		case *types.Signature:
			return reach(t.Params()) || reach(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				if reach(f.Type()) {
					return true
				}
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				if reach(m.Type()) {
					return true
				}
			}
			for e := range t.EmbeddedTypes() {
				if reach(e) {
					return true
				}
			}
		}
		return false
	}
	need := reach(tn.Type())
	s.needs[tn] = need
	return need
}
