package session

import (
	"go/token"
	"runtime"
	"slices"
	"sync"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/engine"
	"orthant/kernel/session/internal/split"
)

// The text of a cell, and the files that the parser has made of it, are kept for as long as something may lead there: a
// traceback, to a function that may still be called; help, to what a name means. In a session of a hundred thousand cells
// that is a few. (What %history shows is not kept here.)

// cellTexts are the texts of a session. They are safe for concurrent use. They refer neither to the session nor to code: both would
// be reachable from what waits for code to become garbage.
type cellTexts struct {
	files *token.FileSet

	mu    sync.Mutex
	cells map[int]*text // by number; what leaves no names is not among them
	idle  []*text       // no code of these can run any more
}

// A text is that of one cell.
type text struct {
	number int
	source string // its Go
	typed  string
	files  []*token.File
	code   int  // how many programs there are of it whose code may still run
	stays  bool // it declares a type, or a generic function, of which code may be made at any time
}

// of returns the text of a cell; an empty one where it is not kept. Only its source and what was typed are to be looked at.
func (t *cellTexts) of(number int) *text {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cell := t.cells[number]; cell != nil {
		return cell
	}
	return &text{}
}

// add keeps the text of a cell that is about to run, and returns what stands for its code; from is where its files begin.
// Parts of a cell share its text. What leaves no names is kept for the sake of its code alone.
func (t *cellTexts) add(r *run, c *check.Cell, from int, named bool) *engine.Code {
	files := t.since(from)
	t.mu.Lock()
	defer t.mu.Unlock()
	cell := t.cells[r.number]
	if cell == nil || cell.source != r.whole || !named {
		cell = &text{number: r.number, source: r.whole, typed: r.typed}
	}
	if named {
		t.cells[r.number] = cell
	}
	cell.files = append(cell.files, files...)
	cell.stays = cell.stays || len(c.Types)+len(c.Locals)+len(c.Generics) > 0
	cell.code++
	code := new(engine.Code)
	runtime.AddCleanup(code, t.died, cell)
	return code
}

// died notes that a program of a cell is gone.
func (t *cellTexts) died(cell *text) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cell.code--; cell.code == 0 && !cell.stays {
		t.idle = append(t.idle, cell)
	}
}

// sweep lets go of the texts that neither code nor names lead to. named has the cells that what names mean was defined in.
func (t *cellTexts) sweep(named map[int]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle = slices.DeleteFunc(t.idle, func(cell *text) bool {
		kept := t.cells[cell.number] == cell
		switch {
		case cell.code > 0: // another part has begun since
			return true
		case kept && named[cell.number]:
			return false
		case kept:
			delete(t.cells, cell.number)
		}
		t.remove(cell.files)
		return true
	})
}

// since returns the files of cells that the set has got from a base on. Those of imported packages may be among them.
func (t *cellTexts) since(from int) (files []*token.File) {
	for base := from; base < t.files.Base(); {
		f := t.files.File(token.Pos(base))
		if _, ok := split.FileNumber(f.Name()); ok || f.Name() == CellName(0) {
			files = append(files, f)
		}
		base = f.Base() + f.Size() + 1
	}
	return files
}

// removeSince removes the files of a cell that does not run. What is wrong with it has been said by then.
func (t *cellTexts) removeSince(from int) { t.remove(t.since(from)) }

func (t *cellTexts) remove(files []*token.File) {
	for _, f := range files {
		t.files.RemoveFile(f)
	}
}

// sweepTexts lets go of the texts of cells that nothing leads to. The caller holds s.mu.
func (s *Session) sweepTexts() {
	named := map[int]bool{}
	for _, e := range s.names {
		if e.obj != nil {
			named[e.cell] = true
		}
	}
	s.texts.sweep(named)
}
