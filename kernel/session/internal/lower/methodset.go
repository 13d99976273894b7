package lower

import (
	"fmt"
	"go/types"
	"reflect"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/rtype"
	"orthant/stdlib/rt"
)

// The methods that compiled code finds in a type (engine.md 2c): what the engine declares has none for it.

// methodSet lists the methods of a type, promoted ones included. It leaves out those that neither a cell nor an interface
// can mean: methods of an embedded compiled type that are not exported and deal in types that nothing leads to, like some
// of time.Time.
func (w *World) methodSet(t types.Type) []*types.Selection {
	var list []*types.Selection
	for sel := range types.NewMethodSet(t).Methods() {
		if f := sel.Obj(); f.Exported() || inSession(f) || w.within(f.Type()) {
			list = append(list, sel)
		}
	}
	return list
}

// within reports whether the compiled packages' types that a type mentions all have a form at run time.
func (w *World) within(t types.Type) bool {
	all := true
	check.Each(t, func(u types.Type) {
		n, ok := u.(*types.Named)
		if !ok || n.Obj().Pkg() == nil || inSession(n.Obj()) || n.TypeArgs() != nil {
			return
		}
		tn := n.Obj()
		if _, ok := w.Natives[tn.Pkg().Path()+"/"+tn.Pkg().Name()][tn.Name()]; !ok && w.unexported(tn) == nil {
			all = false
		}
	})
	return all
}

// methods gives a declared type its methods, as compiled code calls them: each calls the function in the method's slot, so
// that a later cell may change its body.
func (m *maker) methods(known *Type, t *types.Named, value, pointer []*types.Selection) error {
	for i := range t.NumMethods() {
		if !inSession(t.Obj()) {
			break // package rt has the bodies
		}
		if err := m.methodSlot(known, t, t.Method(i)); err != nil {
			return err
		}
	}
	return m.fillMethods(known, value, pointer)
}

// fillMethods makes the method sets of a type and of the pointer to it.
func (m *maker) fillMethods(known *Type, value, pointer []*types.Selection) error {
	sets := make([][]rtype.Method, 2)
	for i, set := range [][]*types.Selection{value, pointer} {
		for _, sel := range set {
			sig, err := m.typ(withoutReceiver(sel.Type().(*types.Signature)))
			if err != nil {
				return err
			}
			call, err := m.caller(sel, sig)
			if err != nil {
				return err
			}
			method := rtype.Method{Name: sel.Obj().Name(), Type: sig, Call: call}
			if !inSession(sel.Obj()) {
				method.PkgPath = sel.Obj().Pkg().Path()
			}
			sets[i] = append(sets[i], method)
		}
	}
	return known.made.SetMethods(sets[0], sets[1])
}

// genericMethod returns the body of a method of a compiled package's generic type, which reflection does not know; nil for
// other methods. typ is the method's type without the receiver.
func genericMethod(f *types.Func, typ reflect.Type) func([]reflect.Value) []reflect.Value {
	recv := types.Unalias(f.Signature().Recv().Type())
	if p, ok := recv.(*types.Pointer); ok {
		recv = types.Unalias(p.Elem())
	}
	n, ok := recv.(*types.Named)
	if !ok || n.TypeArgs() == nil || inSession(n.Obj()) {
		return nil
	}
	if body, ok := rt.GenericMethod(genericType(n.Obj()), f.Name(), typ); ok {
		return body
	}
	return nil
}

// methodSlot makes the storage of the body of a method of the declared type owner.
func (m *maker) methodSlot(known *Type, owner *types.Named, f *types.Func) error {
	if known.Methods[f.Name()] != nil {
		return nil
	}
	sig := methodFunc(f)
	typ, err := m.typ(sig)
	if err != nil {
		return err
	}
	if old := m.w.former(owner); old != nil && old.Methods[f.Name()] != nil {
		known.Methods[f.Name()] = old.Methods[f.Name()].as(sig, typ) // one body for the values of both types
		return nil
	}
	known.Methods[f.Name()] = m.w.NewSlot(sig, typ)
	return nil
}

// caller returns a function that calls a selected method: args[0] is the operand of the selection.
func (m *maker) caller(sel *types.Selection, typ reflect.Type) (func([]reflect.Value) []reflect.Value, error) {
	f := sel.Obj().(*types.Func)
	sig := f.Signature()
	call := reflect.Value.Call
	if sig.Variadic() {
		call = reflect.Value.CallSlice
	}
	path := sel.Index()[:len(sel.Index())-1]
	name := f.Name()
	recv := sig.Recv().Type()
	hidden := types.IsInterface(recv) && inSession(f) && !f.Exported()
	body := genericMethod(f, typ)
	if readsFile(f) {
		read := reflect.ValueOf(m.w.Stdin).MethodByName("File" + name)
		return func(args []reflect.Value) []reflect.Value {
			args[0] = embedded(args[0], path)
			return call(read, args)
		}, nil
	}
	if types.IsInterface(recv) || !inSession(f) && body == nil {
		return func(args []reflect.Value) []reflect.Value {
			v := embedded(args[0], path)
			if hidden {
				return rtype.Call(v.Elem(), name, "", args[1:])
			}
			method := v.MethodByName(name)
			if !method.IsValid() && v.CanAddr() {
				method = v.Addr().MethodByName(name)
			}
			return call(method, args[1:])
		}, nil
	}
	p, wantsPointer := recv.(*types.Pointer)
	if wantsPointer {
		recv = p.Elem()
	}
	n := types.Unalias(recv).(*types.Named)
	owner, err := m.declared(n)
	if err != nil {
		return nil, err
	}
	if body == nil {
		if err := m.methodSlot(owner, n, f); err != nil {
			return nil, err
		}
		slot := owner.Methods[name]
		body = func(args []reflect.Value) []reflect.Value { return call(slot.Value(), args) }
	}
	return func(args []reflect.Value) []reflect.Value {
		v := embedded(args[0], path)
		switch isPointer := v.Kind() == reflect.Pointer && v.Type().Elem() == owner.made.Reflect(); {
		case wantsPointer && !isPointer:
			v = v.Addr()
		case !wantsPointer && isPointer:
			if v.IsNil() {
				panic(fmt.Errorf("value method %s.%s.%s called using nil *%s pointer", n.Obj().Pkg().Path(), n.Obj().Name(), name, n.Obj().Name()))
			}
			v = v.Elem()
		}
		args[0] = v
		return body(args)
	}, nil
}

// embedded returns the embedded field that a path of indices leads to.
func embedded(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}
