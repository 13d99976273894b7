package lower

import (
	"go/token"
	"go/types"

	"orthant/kernel/session/internal/check"
)

// An ask is a slot that waits for the engine to say how it represents the slot's type.
type ask struct {
	typ types.Type
	set func(*Slot)
}

// makeSlots gives each variable, function, method and result its storage: the present one of its name where the type is
// the same, so that functions which use it see the new value; new storage otherwise.
func (c *Cell) makeSlots() {
	l := c.l
	for _, v := range l.c.Vars {
		if v.Object.Name() == ContextName { // lasts for the cell only
			c.newSlot(v.Object, v.Object.Type(), func(s *Slot) { l.slots[v.Local], l.slots[v.Object] = s, s })
			continue
		}
		c.slotFor(v.Object, func(s *Slot) {
			l.slots[v.Local], l.slots[v.Object] = s, s
			l.w.Slots[v.Object] = s
		})
	}
	for _, f := range l.c.Funcs {
		switch {
		case f.Generic:
		case f.Recv != nil:
			t := c.receiver(f)
			if t == nil || t.Methods[f.Object.Name()] != nil {
				continue
			}
			c.newSlot(f.Object, methodFunc(f.Object), func(s *Slot) { t.Methods[f.Object.Name()] = s })
			c.undo = append(c.undo, func() { delete(t.Methods, f.Object.Name()) })
		case f.Object.Name() != "init":
			c.slotFor(f.Object, func(s *Slot) { l.w.Slots[f.Object] = s })
		}
	}
	for _, i := range l.c.Instances {
		c.instanceSlot(i)
	}
	c.nativeSlots()
	t := c.ResultType()
	tuple, ok := t.(*types.Tuple)
	switch {
	case t == nil, l.c.Nil:
		return
	case !ok:
		tuple = types.NewTuple(types.NewVar(token.NoPos, nil, "", types.Default(t)))
	}
	c.results = make([]*Slot, tuple.Len())
	for i := range c.results {
		if _, _, err := l.w.Native(tuple.At(i).Type()); err != nil && tuple.Len() == 1 {
			c.loose = true
			c.results = nil
			return
		}
		c.newSlot(nil, tuple.At(i).Type(), func(s *Slot) { c.results[i] = s })
	}
}

// instanceSlot makes the slot of an instance: for a function that replaces an older one the older one's.
func (c *Cell) instanceSlot(i *check.Instance) {
	w := c.l.w
	if i.Recv != nil {
		t := c.receiver(&i.Func)
		c.newSlot(i.Object, methodFunc(i.Object), func(s *Slot) { t.Methods[i.Object.Name()] = s })
		return
	}
	set := func(s *Slot) {
		w.funcs = append(w.funcs, funcInstance{i.Origin, i.Args, s})
		w.Slots[i.Object] = s
	}
	if old := c.l.c.Replaces[i.Origin]; old != nil {
		if s := w.Func(old, i.Args); s != nil {
			set(s)
			return
		}
	}
	c.newSlot(i.Object, i.Object.Type(), set)
}

// slotFor finds or makes the slot of a name.
func (c *Cell) slotFor(obj types.Object, set func(*Slot)) {
	if b, ok := c.l.c.Env.Lookup(obj.Name()); ok && b.Object != nil {
		// A function may take the place of a variable, and the other way round: both are slots.
		if s := c.l.w.Slots[b.Object]; s != nil && types.Identical(b.Object.Type(), obj.Type()) {
			set(s)
			return
		}
	}
	c.newSlot(obj, obj.Type(), set)
}

// newSlot makes a slot, at once where the type is native, after the engine's answer otherwise.
func (c *Cell) newSlot(obj types.Object, t types.Type, set func(*Slot)) {
	rt, ok, err := c.l.w.Native(t)
	switch {
	case err != nil:
		pos := c.l.pos
		name := "the value"
		if obj != nil {
			pos, name = obj.Pos(), obj.Name()
		}
		c.l.fail(pos, "cannot keep %s: %v; assign it to a variable of an interface type", name, err)
	case ok:
		set(c.l.w.NewSlot(t, rt, composite(t)))
	default:
		c.asks = append(c.asks, ask{t, set})
	}
}
