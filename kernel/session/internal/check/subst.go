package check

import "go/types"

// A Rebuilt is a copy of objects of a session in which some types lack some methods. Types that mention a copied type are
// copied too; an object that mentions none stays as it is.
type Rebuilt struct{ s *subst }

// Rebuild returns a copy in which the given types lack the given methods.
func Rebuild(drop map[*types.TypeName][]string) Rebuilt {
	s := newSubst(map[*types.TypeName]*types.TypeName{})
	s.drop = drop
	return Rebuilt{s}
}

// Object returns the copy of an object, or the object itself.
func (r Rebuilt) Object(o types.Object) types.Object { return r.s.object(o) }

// Generics returns what of generic functions and methods is another in the copy.
func (r Rebuilt) Generics(all map[*types.Func]*Generic) map[*types.Func]*Generic {
	out := map[*types.Func]*Generic{}
	for f, g := range all {
		// A method is copied with its type.
		if recv := f.Signature().Recv(); recv != nil {
			r.s.typ(recv.Type())
		}
		copied := r.Object(f).(*types.Func)
		names, changed := map[string]types.Object{}, copied != f
		for name, obj := range g.names {
			names[name] = r.Object(obj)
			changed = changed || names[name] != obj
		}
		if changed {
			fresh := *g
			fresh.names = names
			out[copied] = &fresh
		}
	}
	return out
}

// Originals returns the original of each copy that was made.
func (r Rebuilt) Originals() map[types.Object]types.Object {
	out := map[types.Object]types.Object{}
	for old, copied := range r.s.done {
		if copied != old {
			out[copied] = old
		}
	}
	for old, copied := range r.s.to {
		out[copied] = old
	}
	return out
}

// A subst replaces named types in types. It copies what mentions a replaced type, and only that.
type subst struct {
	to    map[*types.TypeName]*types.TypeName // replaced types; grows as dependants are copied
	drop  map[*types.TypeName][]string        // types to copy without some methods
	needs map[*types.TypeName]bool            // memo of mentions for named types
	done  map[types.Object]types.Object

	params map[*types.TypeParam]*types.TypeParam // of copied generic types and functions
}

func newSubst(to map[*types.TypeName]*types.TypeName) *subst {
	return &subst{to: to, needs: map[*types.TypeName]bool{}, done: map[types.Object]types.Object{},
		params: map[*types.TypeParam]*types.TypeParam{}}
}

// object returns the copy of a variable, function, constant or type name, or the object itself.
func (s *subst) object(o types.Object) types.Object {
	if c, ok := s.done[o]; ok {
		return c
	}
	if a, ok := o.Type().(*types.Alias); ok && a.TypeParams().Len() > 0 && a.Obj() == o {
		c := s.alias(a)
		s.done[o] = c
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

// alias copies an alias with type parameters.
func (s *subst) alias(a *types.Alias) *types.TypeName {
	if !s.reaches(a.Rhs()) {
		return a.Obj()
	}
	list := s.typeParams(a.TypeParams())
	tn := types.NewTypeName(a.Obj().Pos(), a.Obj().Pkg(), a.Obj().Name(), nil)
	types.NewAlias(tn, s.typ(a.Rhs())).SetTypeParams(list)
	return tn
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
	case *types.TypeParam:
		if p := s.params[t]; p != nil {
			return p
		}
	case *types.Union:
		return s.union(t)
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

// signature copies a signature with a receiver.
func (s *subst) signature(t *types.Signature, recv *types.Var) types.Type {
	if t.TypeParams() != nil {
		if !s.reaches(t) {
			return t
		}
		list := s.typeParams(t.TypeParams())
		params, _ := s.tuple(t.Params())
		results, _ := s.tuple(t.Results())
		return types.NewSignatureType(nil, nil, list, params, results, t.Variadic())
	}
	params, a := s.tuple(t.Params())
	results, b := s.tuple(t.Results())
	if !a && !b && recv == t.Recv() {
		return t
	}
	return types.NewSignatureType(recv, nil, nil, params, results, t.Variadic())
}

// method copies the signature of a method of a declared type.
func (s *subst) method(t *types.Signature) *types.Signature {
	list := s.typeParams(t.RecvTypeParams())
	recv := types.NewParam(t.Recv().Pos(), t.Recv().Pkg(), t.Recv().Name(), s.typ(t.Recv().Type()))
	params, _ := s.tuple(t.Params())
	results, _ := s.tuple(t.Results())
	return types.NewSignatureType(recv, list, nil, params, results, t.Variadic())
}

// typeParams copies type parameters.
func (s *subst) typeParams(list *types.TypeParamList) []*types.TypeParam {
	out := make([]*types.TypeParam, list.Len())
	for i := range out {
		tn := list.At(i).Obj()
		out[i] = types.NewTypeParam(types.NewTypeName(tn.Pos(), tn.Pkg(), tn.Name(), nil), nil)
		s.params[list.At(i)] = out[i]
	}
	for i, p := range out {
		p.SetConstraint(s.typ(list.At(i).Constraint()))
	}
	return out
}

// pair makes one list of type parameters stand for another, and reports whether it may: their constraints are the same.
func (s *subst) pair(from, to *types.TypeParamList) bool {
	if from.Len() != to.Len() {
		return false
	}
	for i := range from.Len() {
		s.params[from.At(i)] = to.At(i)
	}
	for i := range from.Len() {
		if !types.Identical(s.typ(from.At(i).Constraint()), to.At(i).Constraint()) {
			return false
		}
	}
	return true
}

func (s *subst) union(t *types.Union) types.Type {
	changed := false
	terms := make([]*types.Term, t.Len())
	for i := range terms {
		u := s.typ(t.Term(i).Type())
		changed = changed || u != t.Term(i).Type()
		terms[i] = types.NewTerm(t.Term(i).Tilde(), u)
	}
	if !changed {
		return t
	}
	return types.NewUnion(terms)
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
		origin := s.named(t.Origin()).(*types.Named)
		changed := origin != t.Origin()
		list := make([]types.Type, args.Len())
		for i := range list {
			list[i] = s.typ(args.At(i))
			changed = changed || list[i] != args.At(i)
		}
		if !changed {
			return t
		}
		u, err := types.Instantiate(nil, origin, list, false)
		if err != nil {
			return t
		}
		return u
	}
	tn := t.Obj()
	if fresh, ok := s.to[tn]; ok {
		return fresh.Type()
	}
	if tn.Pkg() == nil || tn.Pkg().Path() != Path || !s.mentions(tn) {
		return t
	}
	fresh := types.NewTypeName(tn.Pos(), tn.Pkg(), tn.Name(), nil)
	u := types.NewNamed(fresh, nil, nil)
	s.to[tn] = fresh
	if t.TypeParams() != nil {
		u.SetTypeParams(s.typeParams(t.TypeParams()))
	}
	u.SetUnderlying(s.typ(t.Underlying()))
	dropped := map[string]bool{}
	for _, name := range s.drop[tn] {
		dropped[name] = true
	}
	for m := range t.Methods() {
		if dropped[m.Name()] {
			continue
		}
		copied := types.NewFunc(m.Pos(), m.Pkg(), m.Name(), s.method(m.Signature()))
		s.done[m] = copied
		u.AddMethod(copied)
	}
	return u
}

// mentions reports whether a named type is to lose methods or reaches one that is replaced.
func (s *subst) mentions(tn *types.TypeName) bool {
	if need, ok := s.needs[tn]; ok {
		return need
	}
	need := s.reaches(tn.Type())
	s.needs[tn] = need
	return need
}

// reaches reports whether a type is made of one that is replaced or is to lose methods.
func (s *subst) reaches(t types.Type) bool {
	r := reach{s: s, seen: map[types.Object]bool{}}
	return r.typ(t)
}

// A reach is one search.
type reach struct {
	s    *subst
	seen map[types.Object]bool
}

func (r reach) typ(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if r.typ(a) {
				return true
			}
		}
		return r.declared(t.Origin())
	case *types.TypeParam:
		return r.once(t.Obj()) && r.typ(t.Constraint())
	case *types.Map:
		return r.typ(t.Key()) || r.typ(t.Elem())
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		return r.typ(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if r.typ(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return r.params(t.TypeParams()) || r.typ(t.Params()) || r.typ(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if r.typ(f.Type()) {
				return true
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if r.typ(m.Type()) {
				return true
			}
		}
		for e := range t.EmbeddedTypes() {
			if r.typ(e) {
				return true
			}
		}
	case *types.Union:
		for term := range t.Terms() {
			if r.typ(term.Type()) {
				return true
			}
		}
	}
	return false
}

// declared looks at a declared type.
func (r reach) declared(t *types.Named) bool {
	tn := t.Obj()
	if r.s.to[tn] != nil || r.s.drop[tn] != nil {
		return true
	}
	if tn.Pkg() == nil || tn.Pkg().Path() != Path || !r.once(tn) {
		return false
	}
	for m := range t.Methods() {
		if r.typ(m.Type()) {
			return true
		}
	}
	return r.params(t.TypeParams()) || r.typ(t.Underlying())
}

func (r reach) params(list *types.TypeParamList) bool {
	for p := range list.TypeParams() {
		if r.typ(p) {
			return true
		}
	}
	return false
}

// once reports whether an object is met for the first time.
func (r reach) once(o types.Object) bool {
	before := r.seen[o]
	r.seen[o] = true
	return !before
}
