package session

import (
	"fmt"
	"go/token"
	"slices"

	"orthant/stdlib/rt"
)

// A frame is an entry of a traceback: where a function of a cell was when a panic passed it.
type frame struct {
	spot
	function string // as Go names it; empty for the statements of a cell
	times    int    // how often in a row
	lost     int    // how many entries in front of it were left out
}

// String tells where a frame is.
func (f frame) String() string {
	text := fmt.Sprintf("%s line %d", CellName(f.cell), f.line)
	if f.function != "" {
		text += ", in " + f.function
	}
	return text
}

// tracebackEnd is how many frames are shown at either end of a long traceback.
const tracebackEnd = 8

// A traceback is the frames that a panic has passed, innermost first.
type traceback struct {
	frames  []frame
	started *frame // the statement that started the goroutine, where the trace leads there
}

// traceback makes the traceback of a panic that a goroutine of the run did not recover; apart says that the cell started the
// goroutine.
//
// The lowering puts functions of its own into those of a cell, and calls them there. The trace knows them by where they
// begin: none of the cell's functions does. What such a function did, the one did that its place belongs to.
func (r *run) traceback(t rt.Trace, apart bool) traceback {
	b := builder{cells: map[int]functions{}, text: r.text, spot: r.session.spot}
	for _, step := range t {
		b.add(step)
	}
	out := traceback{frames: b.out}
	if b.inserted != nil { // in no function of a cell: among the statements, or what started a goroutine
		last := frame{spot: b.inserted.spot, function: b.inserted.in.name(), times: 1, lost: b.lost}
		if apart {
			out.started = &last
		} else {
			out.frames = appendFrame(out.frames, last)
		}
	}
	out.frames = shorten(out.frames)
	return out
}

// text returns the Go of a cell.
func (r *run) text(cell int) string {
	if cell == r.number {
		return r.whole
	}
	return r.session.texts.of(cell).source
}

// quoted returns a cell as typed.
func (r *run) quoted(cell int) string {
	if cell == r.number {
		return r.typed
	}
	return r.session.texts.of(cell).typed
}

// A builder makes frames of steps.
type builder struct {
	cells    map[int]functions
	text     func(cell int) string
	spot     func(token.Pos) spot
	out      []frame
	inserted *inserted // the innermost of the steps just seen that are in functions of the lowering's
	lost     int
}

// inserted is a step in a function of the lowering's.
type inserted struct {
	spot
	in *function // of the cell's; nil for its statements
}

// add adds a step.
func (b *builder) add(step rt.Step) {
	at, begins := b.spot(step.At), b.spot(step.Func)
	for p, times := range step.Lost {
		if at, begins := b.spot(p.At), b.spot(p.Func); at != begins && b.functions(begins.cell).at(begins) != nil {
			b.lost += times
		}
	}
	if at.line == 0 {
		return // a place in no cell
	}
	if at == begins {
		return // a function of the lowering's around one of the cell's
	}
	if f := b.functions(begins.cell).at(begins); f != nil {
		if in := b.inserted; in != nil && in.in == f {
			at = in.spot
		} else if in != nil {
			b.frame(in.spot, in.in, 1)
		}
		b.inserted = nil
		b.frame(at, f, step.Times)
		return
	}
	in := b.functions(at.cell).around(at)
	switch {
	case b.inserted == nil:
		b.inserted = &inserted{at, in}
	case b.inserted.in != in:
		b.frame(b.inserted.spot, b.inserted.in, 1)
		b.inserted = &inserted{at, in}
	}
}

func (b *builder) functions(cell int) functions {
	list, ok := b.cells[cell]
	if !ok {
		list = functionsOf(cell, b.text(cell))
		b.cells[cell] = list
	}
	return list
}

func (b *builder) frame(at spot, f *function, times int) {
	b.out = appendFrame(b.out, frame{at, f.name(), times, b.lost})
	b.lost = 0
}

// appendFrame appends a frame, or counts it where it is the last one again.
func appendFrame(list []frame, f frame) []frame {
	if n := len(list); n > 0 && list[n-1].spot == f.spot && list[n-1].function == f.function && f.lost == 0 {
		list[n-1].times += f.times
		return list
	}
	return append(list, f)
}

// shorten leaves out the middle of a long list.
func shorten(list []frame) []frame {
	if len(list) <= 2*tracebackEnd {
		return list
	}
	lost := 0
	for _, f := range list[tracebackEnd : len(list)-tracebackEnd] {
		lost += f.lost + f.times
	}
	list = slices.Concat(list[:tracebackEnd], list[len(list)-tracebackEnd:])
	list[tracebackEnd].lost += lost
	return list
}

// lines returns the lines that show a traceback, with the line of each place as typed.
func (b traceback) lines(typed func(cell int) string) []string {
	var out []string
	for _, f := range b.frames {
		if f.lost > 0 {
			out = append(out, dim+fmt.Sprintf("     … %d calls …", f.lost)+reset)
		}
		head := f.String()
		if f.times > 1 {
			head += fmt.Sprintf(" (%d times)", f.times)
		}
		out = append(out, head)
		out = append(out, excerpt(typed(f.cell), f.line, f.column)...)
	}
	if b.started != nil {
		out = append(out, "goroutine started in "+b.started.String())
	}
	return out
}
