package lower

import (
	"go/token"
	"go/types"
	"reflect"

	"orthant/kernel/session/internal/check"
)

// A Slot is the storage of a session variable or function (engine.md 7b).
type Slot struct {
	Name string        // its name in the packages that the engine imports
	Ptr  reflect.Value // pointer to the value
	Type types.Type    // of the value
	*Storage
}

// A Storage is what the views of one slot share.
type Storage struct {
	Held   bool    // a function, a closure or a pointer may refer to it: its value must stay when the name gets another slot
	direct *Direct // the declared function that the slot holds
}

// Value returns the present value.
func (s *Slot) Value() reflect.Value { return s.Ptr.Elem() }

// NewSlot makes storage for a value of type t, whose reflect type is rt.
func (w *World) NewSlot(t types.Type, rt reflect.Type) *Slot {
	return &Slot{Name: w.fresh("V"), Ptr: reflect.New(rt), Type: t, Storage: &Storage{}}
}

// compiledVar returns a compiled package's variable as a slot; nil for other objects. The engine loses what is assigned to
// one by its name, where that is the result of a call, and takes one that is set already for a constant.
func (w *World) compiledVar(obj types.Object) *Slot {
	v, ok := obj.(*types.Var)
	if !ok || v.Pkg() == nil || inSession(v) || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	value := w.Natives[v.Pkg().Path()+"/"+v.Pkg().Name()][v.Name()]
	if !value.CanAddr() {
		return nil
	}
	s := &Slot{Name: w.fresh("V"), Ptr: value.Addr(), Type: v.Type(), Storage: &Storage{Held: true}}
	w.slots[v] = s
	return s
}

// makeSlots gives each variable, function, method and result its storage: the present one of its name where the type is
// the same, so that functions which use it see the new value; new storage otherwise.
func (c *Cell) makeSlots() {
	l := c.l
	for _, v := range l.c.Vars {
		var s *Slot
		if v.Object.Name() == ContextName { // lasts for the cell only
			s = c.newSlot(v.Object, v.Object.Type())
		} else if s = c.slotFor(v.Object); s != nil {
			l.w.slots[v.Object] = s
		}
		if s != nil {
			l.slots[v.Local], l.slots[v.Object] = s, s
		}
	}
	for _, f := range l.c.Funcs {
		if f.Generic || f.Recv != nil || f.Object.Name() == "init" {
			continue
		}
		if s := c.slotFor(f.Object); s != nil {
			l.w.slots[f.Object] = s
		}
	}
	for _, i := range l.c.Instances {
		c.instanceSlot(i)
	}
	c.nativeSlots()
	c.resultSlots()
}

// resultSlots makes the storage of the cell's result.
func (c *Cell) resultSlots() {
	t := c.ResultType()
	tuple, ok := t.(*types.Tuple)
	switch {
	case t == nil, c.l.c.Nil:
		return
	case !ok:
		tuple = types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Default(t)))
		if _, err := c.l.w.Reflect(tuple.At(0).Type()); err != nil {
			c.loose = true
			return
		}
	}
	for v := range tuple.Variables() {
		s := c.newSlot(nil, v.Type())
		if s == nil {
			return
		}
		c.results = append(c.results, s)
	}
}

// instanceSlot makes the slot of an instance: for a function that replaces an older one the older one's.
func (c *Cell) instanceSlot(i *check.Instance) {
	w := c.l.w
	if i.Recv != nil {
		return // its type's methods have slots
	}
	var s *Slot
	if old := c.l.c.Replaces[i.Origin]; old != nil {
		s = w.Func(old, i.Args)
	}
	if s == nil {
		s = c.newSlot(i.Object, i.Object.Type())
	}
	if s != nil {
		w.funcs = append(w.funcs, funcInstance{i.Origin, i.Args, s})
		w.slots[i.Object] = s
	}
}

// slotFor finds or makes the slot of a name; nil where it cannot be kept.
func (c *Cell) slotFor(obj types.Object) *Slot {
	if b, ok := c.l.c.Env.Lookup(obj.Name()); ok && b.Object != nil {
		// A function may take the place of a variable, and the other way round: both are slots.
		if s := c.l.w.Slot(b.Object); s != nil && c.l.w.identical(b.Object.Type(), obj.Type()) {
			return s
		}
	}
	return c.newSlot(obj, obj.Type())
}

// newSlot makes a slot; nil, and an error of the cell, for a type that has no form at run time.
func (c *Cell) newSlot(obj types.Object, t types.Type) *Slot {
	rt, err := c.l.w.Reflect(t)
	if err == nil {
		return c.l.w.NewSlot(t, rt)
	}
	pos, name := c.l.pos, "the value"
	if obj != nil {
		pos, name = obj.Pos(), obj.Name()
	}
	c.l.fail(pos, "cannot keep %s: %v; assign it to a variable of an interface type", name, err)
	return nil
}
