package session

import (
	"context"
	"go/scanner"
	"go/token"

	"orthant/kernel/session/internal/split"
	"orthant/stdlib/display"
)

// A Part is Go in a cell that is not Go throughout, and runs by itself; see package magic. Its text stands where it stands in
// the cell: what is in front of it is blanked out, byte for byte, so that its places are the cell's.
type Part struct {
	Cell
	// Whole is all Go of the cell, likewise, the part at its place in it. Tracebacks find functions in it, help declarations.
	Whole string
	// Typed is the cell as typed, which errors quote.
	Typed string
}

// whole returns the only part of a cell that is Go throughout.
func whole(c Cell) Part { return Part{c, c.Source, c.Source} }

// later returns the names that occur in the cell behind the part; nil where nothing follows it.
func (p Part) later() map[string]bool {
	if len(p.Whole) <= len(p.Source) {
		return nil
	}
	names := map[string]bool{}
	rest := []byte(p.Whole[len(p.Source):])
	file := token.NewFileSet().AddFile("", -1, len(rest))
	var s scanner.Scanner
	s.Init(file, rest, nil, 0)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case token.EOF:
			return names
		case token.IDENT:
			names[lit] = true
		}
	}
}

// ExecutePart is Execute for a part of a cell. Go's rules hold for the part: it is checked when it is its turn, and what it
// declares can be used in it and behind it; what it defers is called at its end. left reports that a return came before that:
// one outside of all functions, which ends the cell.
func (s *Session) ExecutePart(ctx context.Context, p Part, out display.Sink) (b *display.Bundle, left bool, failure *Error) {
	return s.execute(ctx, p, out, keep)
}

// Try is ExecutePart for what is to leave no names: those that the text defines, imports included, end with it.
func (s *Session) Try(ctx context.Context, p Part, out display.Sink) (*display.Bundle, *Error) {
	b, _, failure := s.execute(ctx, p, out, forget)
	return b, failure
}

// CheckSyntax says what is wrong with a part by Go's grammar alone, in the words that Execute would use; nil for nothing.
func (s *Session) CheckSyntax(p Part) *Error {
	if _, errs := split.Parse(token.NewFileSet(), p.Number, p.Source); len(errs) > 0 {
		return compileErrors(p.Typed, syntaxErrors(errs))
	}
	return nil
}

// Check says what is wrong with a part as Go, judged against what the session knows now, in the words that Execute would
// use; nil for nothing. It runs nothing and changes nothing.
func (s *Session) Check(p Part) *Error {
	r := s.newRun(context.Background(), p, nil)
	defer r.cancel()
	s.checking.Lock()
	defer s.checking.Unlock()
	defer s.texts.removeSince(s.files.Base())
	syntax, errs := split.Parse(s.files, r.number, r.source)
	if len(errs) > 0 {
		return compileErrors(r.typed, syntaxErrors(errs))
	}
	checked, failure := s.check(r, &program{names: s.names}, syntax)
	if failure == nil {
		checked.Undo()
	}
	return failure
}
