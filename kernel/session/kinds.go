package session

import (
	"go/ast"
	"go/types"
)

func isComposite(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Map, *types.Slice, *types.Array:
		return true
	}
	return false
}

// isGeneric reports whether a type lacks its type arguments.
func isGeneric(t types.Type) bool {
	named, ok := t.(interface {
		TypeParams() *types.TypeParamList
		TypeArgs() *types.TypeList
	})
	return ok && named.TypeParams().Len() > named.TypeArgs().Len()
}

// isKnown reports whether the checker has found out a type.
func isKnown(t types.Type) bool { return t != nil && t != types.Typ[types.Invalid] }

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// assignableTo is types.AssignableTo; every type fits where t is not known.
func assignableTo(t types.Type) kind {
	return func(v types.Type) bool { return !isKnown(t) || types.AssignableTo(v, t) }
}

func convertibleTo(t types.Type) kind {
	return func(v types.Type) bool { return types.ConvertibleTo(v, t) }
}

// pointedTo is the kind of what pointers of a kind point to.
func pointedTo(pointers kind) kind {
	return func(t types.Type) bool { return pointers(types.NewPointer(t)) }
}

// core returns what a type is made as: its underlying type, for a type parameter that of all its type arguments, which may
// differ: then nil.
func core(t types.Type) types.Type {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return underlying(t)
	}
	constraint := p.Constraint().Underlying().(*types.Interface)
	if constraint.NumEmbeddeds() != 1 {
		return nil
	}
	union, ok := constraint.EmbeddedType(0).(*types.Union)
	if !ok || union.Len() != 1 {
		return nil
	}
	return union.Term(0).Type().Underlying()
}

// made is the kind of the types whose core is a T: made[*types.Slice].
func made[T types.Type](t types.Type) bool {
	_, ok := core(t).(T)
	return ok
}

// hasElements is a slice, a map, an array or a pointer to one.
func hasElements(t types.Type) bool {
	return made[*types.Slice](t) || made[*types.Map](t) || made[*types.Array](deref(t))
}

// isBasic is the kind of the basic types of some of types.BasicInfo's flags.
func isBasic(flags types.BasicInfo) kind {
	return func(t types.Type) bool {
		b, ok := core(t).(*types.Basic)
		return ok && b.Info()&flags != 0
	}
}

// rangeable is what a range clause takes, for two variables or for fewer.
func rangeable(two bool) kind {
	return func(t types.Type) bool {
		if f, ok := core(t).(*types.Signature); ok {
			return isIterator(f, two)
		}
		one := made[*types.Chan](t) || isBasic(types.IsInteger)(t)
		return hasElements(t) || isBasic(types.IsString)(t) || one && !two
	}
}

// isIterator reports whether a range clause takes a function.
func isIterator(f *types.Signature, two bool) bool {
	if f.Params().Len() != 1 || f.Results().Len() != 0 {
		return false
	}
	yield, ok := core(f.Params().At(0).Type()).(*types.Signature)
	return ok && yield.Results().Len() == 1 && (yield.Params().Len() == 2 || yield.Params().Len() == 1 && !two)
}

// firstArguments has what the builtin functions take first, where that is not any type.
var firstArguments = map[string]kind{
	"append": made[*types.Slice],
	"cap":    func(t types.Type) bool { return made[*types.Chan](t) || hasElements(t) && !made[*types.Map](t) },
	"clear":  func(t types.Type) bool { return made[*types.Slice](t) || made[*types.Map](t) },
	"close":  made[*types.Chan],
	"copy":   made[*types.Slice],
	"delete": made[*types.Map],
	"len":    func(t types.Type) bool { return hasElements(t) || made[*types.Chan](t) || isBasic(types.IsString)(t) },
	"max":    isBasic(types.IsOrdered),
	"min":    isBasic(types.IsOrdered),
}

// argumentKind returns what the i-th argument must be of a builtin, a conversion or a generic function; nil where one type is
// wanted, or any.
func (a *analysis) argumentKind(n *ast.CallExpr, i int) kind {
	tv := a.info.Types[n.Fun]
	switch {
	case tv.IsBuiltin():
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && i == 0 {
			return firstArguments[id.Name]
		}
	case tv.IsType() && i == 0:
		return convertibleTo(tv.Type)
	}
	sig, ok := underlying(tv.Type).(*types.Signature)
	if !ok || sig.TypeParams() == nil || i < 0 {
		return nil
	}
	switch core(parameter(sig, i)).(type) { // type arguments are not known while an argument is missing
	case *types.Slice:
		return made[*types.Slice]
	case *types.Map:
		return made[*types.Map]
	case *types.Chan:
		return made[*types.Chan]
	}
	return nil
}
