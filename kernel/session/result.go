package session

import (
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"orthant/kernel/session/internal/rtype"
	"orthant/stdlib/display"
)

// result renders the value of the cell's last expression. Several values are shown side by side; if the last of them is a
// non-nil error, the cell fails with it.
func (s *Session) result(r *run, p *program) (*display.Bundle, *Error) {
	slots := p.low.Results()
	t := p.low.ResultType()
	switch {
	case t == nil, r.left():
		return nil, nil
	case p.cell.Nil:
		b := display.Text("<nil>")
		return &b, nil
	case len(slots) == 0: // a value of a type that has no exported name
		b := display.Of(r.loose)
		return &b, nil
	case len(slots) == 1:
		b := bundle(slots[0].Value(), slots[0].Type)
		slots[0].Value().SetZero()
		return &b, nil
	}
	last := slots[len(slots)-1]
	if types.Identical(last.Type, types.Universe.Lookup("error").Type()) && !last.Value().IsNil() {
		err := last.Value().Interface().(error)
		return nil, runError(fmt.Sprintf("%T", err), err.Error(), r.number, r.typed, r.lines[len(r.lines)-1])
	}
	// The first value comes with all its representations, so that a call that returns a matrix and nil shows the matrix.
	b := bundle(slots[0].Value(), slots[0].Type)
	text := fmt.Sprint(b.Data["text/plain"])
	between := " "
	if strings.Contains(text, "\n") {
		between = "\n"
	}
	for _, slot := range slots[1:] {
		text += between + fmt.Sprintf("%v", rtype.Printed(slot.Value().Interface()))
	}
	for _, slot := range slots {
		slot.Value().SetZero()
	}
	b.Data["text/plain"] = text
	return &b, nil
}

// bundle renders one value.
func bundle(v reflect.Value, t types.Type) display.Bundle {
	if _, ok := types.Unalias(t).Underlying().(*types.Signature); ok && !v.IsNil() {
		if n, named := types.Unalias(t).(*types.Named); !named || n.NumMethods() == 0 {
			return display.Text(typeString(t))
		}
	}
	return display.Of(rtype.Printed(v.Interface()))
}
