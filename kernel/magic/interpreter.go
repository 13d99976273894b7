package magic

import (
	"context"
	"go/token"
	"sync"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// Options are an interpreter's settings.
type Options struct {
	// Earlier is what %history -g reads; nil where no history of other sessions is kept.
	Earlier History
}

// A History has the cells of all sessions.
type History interface {
	// Search returns the last n cells, all for 0, whose source matches the pattern, a glob in which * and ? stand for
	// anything, oldest first.
	Search(pattern string, n int) ([]Entry, error)
}

// An Entry is a cell of a history.
type Entry struct {
	Session, Line int // the session's number and the cell's, as session.Cell has it in this session
	Source        string
}

// An Interpreter is a session that knows magics. What it does not define it has from the session. Its methods may be called
// as the session's may.
type Interpreter struct {
	*session.Session
	options Options
	jobs    jobs

	mu      sync.Mutex // guards what follows
	entries []Entry    // the numbered cells of this session
	files   []string   // the files that %run has run; the n-th is the session's cell -n
	folder  string     // the working directory before the last %cd
}

// New returns an interpreter for a session, which it closes.
func New(s *session.Session, o Options) *Interpreter {
	return &Interpreter{Session: s, options: o}
}

// An action is a piece of a cell that is ready to run.
type action func(ctx context.Context) (*display.Bundle, *session.Error)

// Execute runs a cell, see [session.Session.Execute]. What the cell has of magics runs in its place.
func (i *Interpreter) Execute(ctx context.Context, c session.Cell, out display.Sink) (*display.Bundle, *session.Error) {
	i.remember(c)
	o := i.NewOutput(out)
	defer o.End()
	run, failure := i.prepare(c, o)
	if failure != nil {
		return nil, i.named(failure)
	}
	b, failure := run(ctx)
	return b, i.named(failure)
}

// Evaluate returns the value of an expression of Go, see [session.Session.Evaluate]. A magic is none, and is not run.
func (i *Interpreter) Evaluate(ctx context.Context, expr string, out display.Sink) (*display.Bundle, *session.Error) {
	if wrong := noExpression(expr, i.Kind); wrong != nil {
		return nil, misuse(session.Cell{Source: expr}, wrong)
	}
	b, failure := i.Session.Evaluate(ctx, expr, out)
	return b, i.named(failure)
}

// noExpression returns what is wrong with an expression that has magics.
func noExpression(expr string, kind func(string) string) *mistake {
	parts, wrong := split(expr, kind)
	for _, p := range parts {
		switch p.name {
		case "":
		case "!":
			return &mistake{p.line, "a command of the shell has no value; an expression of Go is expected here"}
		default:
			return &mistake{p.line, p.name + ": a magic has no value; an expression of Go is expected here"}
		}
	}
	return wrong
}

// Close ends the commands that cells have left running, and closes the session.
func (i *Interpreter) Close() error {
	i.jobs.end()
	return i.Session.Close()
}

// remember keeps a cell for %history.
func (i *Interpreter) remember(c session.Cell) {
	if c.Number <= 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.entries = append(i.entries, Entry{Line: c.Number, Source: c.Source})
}

// prepare returns what runs a cell, or what is wrong with it.
func (i *Interpreter) prepare(c session.Cell, out *session.Output) (action, *session.Error) {
	parts, wrong := split(c.Source, i.Kind)
	if wrong != nil {
		return nil, misuse(c, wrong)
	}
	if parts == nil {
		return func(ctx context.Context) (*display.Bundle, *session.Error) { return i.Session.Execute(ctx, c, out) }, nil
	}
	whole, left := goOf(c.Source, parts), false
	var actions []action
	for _, p := range parts {
		a, failure := i.preparePart(&call{Interpreter: i, cell: c, whole: whole, part: p, parts: len(parts), left: &left, out: out})
		if failure != nil {
			return nil, failure
		}
		actions = append(actions, a)
	}
	return func(ctx context.Context) (*display.Bundle, *session.Error) {
		var b *display.Bundle
		for n, run := range actions {
			if ctx.Err() != nil {
				return nil, interruptedAt(c, parts[n].line)
			}
			var failure *session.Error
			if b, failure = run(ctx); failure != nil || left {
				return b, failure
			}
		}
		return b, nil
	}, nil
}

// preparePart returns what runs a part of a cell.
func (i *Interpreter) preparePart(c *call) (action, *session.Error) {
	if c.part.name == "" {
		return c.goAction(c.part.start, c.part.end)
	}
	m, err := find(c.part)
	if err != nil {
		return nil, misuse(c.cell, &mistake{c.part.line, err.Error()})
	}
	return m.prepare(c)
}

// A call is one use of a magic.
type call struct {
	*Interpreter
	cell  session.Cell
	whole string // all Go of the cell
	part  part
	parts int   // of the cell
	left  *bool // set when a return of Go ends the cell
	out   *session.Output
}

// args returns what stands behind the magic's name.
func (c *call) args() string { return c.cell.Source[c.part.args:c.part.end] }

// body returns what stands behind the line of a cell magic.
func (c *call) body() string { return c.cell.Source[c.part.end:] }

// onlyGo makes the error of cell[start:end] which is no Go, but has magics or commands; advice stands behind it.
func (c *call) onlyGo(start, end int, advice string) *session.Error {
	cut := cutter{source: c.cell.Source[start:end], kind: c.Kind, mentioned: map[string]bool{}}
	for _, t := range tokens(c.whole[:min(start, len(c.whole))], 0) {
		cut.mention(token.ILLEGAL, t)
	}
	cut.cut()
	if cut.wrong == nil && len(cut.parts) == 0 {
		return nil
	}
	return c.wrong("what is measured is Go, and no magic or command%s", advice)
}

// goPart returns cell[start:end] as a part for the session.
func (c *call) goPart(start, end int) session.Part {
	text := blank(c.cell.Source[:start]) + c.cell.Source[start:end]
	return session.Part{Cell: session.Cell{Number: c.cell.Number, Source: text}, Whole: c.whole, Typed: c.cell.Source}
}

// goAction returns what runs cell[start:end] as Go.
func (c *call) goAction(start, end int) (action, *session.Error) {
	p := c.goPart(start, end)
	if failure := c.CheckSyntax(p); failure != nil {
		return nil, failure
	}
	return func(ctx context.Context) (b *display.Bundle, failure *session.Error) {
		b, *c.left, failure = c.ExecutePart(ctx, p, c.out)
		return b, failure
	}, nil
}
