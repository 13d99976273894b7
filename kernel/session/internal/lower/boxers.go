package lower

import (
	"fmt"
	"go/types"
	"slices"

	"orthant/kernel/session/internal/split"
)

// Functions that put values of a type into interfaces go on doing so with the type as it was when the type grows (see
// copies.go). What holds values against each other for cells takes the two for one (rt.Succeed); a map whose keys are interfaces
// cannot, and compiled functions do not know. So it is kept who does.

// A boxer is a function that puts values into interfaces.
type boxer struct {
	title string
	run   string                // of the cell that declares it
	types map[types.Object]bool // the declared types of these values, as they were first declared
}

// box notes that a value of type from is put into a place of type to.
func (l *lowerer) box(from, to types.Type) {
	if from == nil || to == nil || !types.IsInterface(to) || types.IsInterface(from) {
		return
	}
	switch t := types.Unalias(from).(type) {
	case *types.Named:
		if inSession(t.Obj()) && l.depth > 0 {
			l.boxes[l.w.first(t.Origin().Obj())] = true
		}
	case interface{ Elem() types.Type }: // a pointer, slice, array, channel or map
		l.box(t.Elem(), to)
	}
}

// boxed says which function has put into interfaces what was noted; the empty name stands for the function literals among
// the cell's statements.
func (l *lowerer) boxed(name string) {
	cell := split.FileName(l.c.Number)
	key, title := name, fmt.Sprintf("%s (%s)", name, cell)
	if name == "" {
		key, title = cell, fmt.Sprintf("a function literal (%s)", cell)
	}
	delete(l.w.boxers, key)
	if len(l.boxes) > 0 {
		l.w.boxers[key] = boxer{title, l.path, l.boxes}
	}
	l.boxes = map[types.Object]bool{}
}

// Boxers returns the functions of earlier cells that put values into interfaces whose types have grown, sorted. It is for a
// cell that was checked against copies.
func (c *Cell) Boxers() []string {
	w := c.l.w
	grown := map[types.Object]bool{}
	for copied, original := range w.latest.original {
		if _, isType := copied.(*types.TypeName); isType && w.copies[copied].grown() {
			grown[w.first(original)] = true
		}
	}
	var out []string
	for _, b := range w.boxers {
		for t := range b.types {
			if grown[t] && b.run != c.l.path {
				out = append(out, b.title)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}
