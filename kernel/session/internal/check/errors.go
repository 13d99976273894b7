package check

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An Error is one message of go/types with its place in the cell.
type Error struct {
	Pos token.Position
	Msg string
}

// maxErrors bounds what one cell reports, as the go command does.
const maxErrors = 10

// diagnostics returns the collected errors in the cell's order, one for each place.
func (c *checker) diagnostics() []Error {
	var out []Error
	for _, e := range c.errs {
		if strings.HasPrefix(e.Msg, "\t") && len(out) > 0 { // go/types reports related places as errors of their own
			continue
		}
		// The last expression is checked as the right side of an assignment that the user has not written.
		msg := strings.Replace(e.Msg, " in assignment to _ identifier", " as the cell's result", 1)
		out = append(out, Error{c.env.Files.Position(e.Pos), msg})
	}
	slices.SortStableFunc(out, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	out = slices.CompactFunc(out, func(a, b Error) bool { return a.Pos == b.Pos })
	if len(out) > maxErrors {
		out = append(out[:maxErrors:maxErrors], Error{out[maxErrors].Pos, "too many errors"})
	}
	return out
}

// typeError makes an error of go/types at a place.
func (c *checker) typeError(pos token.Pos, msg string) {
	c.errs = append(c.errs, types.Error{Fset: c.env.Files, Pos: pos, Msg: msg})
}
