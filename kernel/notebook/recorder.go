package notebook

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// A tape holds the outputs of all cells of one run. Displays are known across cells: a later cell may update what an
// earlier one shows.
type tape struct {
	mu       sync.Mutex
	displays map[string][]*Output // by display id
}

// A recorder is the sink of one cell. It keeps what a front end would show at the end: updated displays, nothing that
// was cleared, one output for each uninterrupted run of a stream's text. Output of goroutines that outlive their cell is
// taken until the recorder is closed.
type recorder struct {
	tape    *tape
	outputs []*Output
	text    map[*Output]*strings.Builder // of the streams among outputs
	rest    map[display.Stream]string    // the beginning of a UTF-8 sequence whose end has not come
	clear   bool                         // clear before the next output
	closed  bool
}

func (t *tape) recorder() *recorder {
	return &recorder{tape: t, text: map[*Output]*strings.Builder{}, rest: map[display.Stream]string{}}
}

// Text implements [display.Sink].
func (r *recorder) Text(stream display.Stream, text string) {
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	whole, rest := cutPartialRune(r.rest[stream] + text)
	r.rest[stream] = rest
	r.stream(stream, whole)
}

// Display implements [display.Sink].
func (r *recorder) Display(b display.Bundle) { r.show(b, Output{Type: DisplayOutput}) }

// result records the value of the cell.
func (r *recorder) result(b display.Bundle, count int) {
	r.show(b, Output{Type: ResultOutput, Count: count})
}

// fail records why the cell failed.
func (r *recorder) fail(err *session.Error) {
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	r.add(&Output{Type: ErrorOutput, EName: err.Name, EValue: err.Value, Traceback: err.Traceback})
}

// Update implements [display.Sink]. As in Jupyter, an id that is shown nowhere is not an error.
func (r *recorder) Update(b display.Bundle) {
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	if r.closed {
		return
	}
	data, metadata, problems := encodeBundle(b)
	for _, o := range r.tape.displays[b.ID] {
		o.Data, o.Metadata = data, metadata
	}
	r.warn(problems)
}

// Clear implements [display.Sink].
func (r *recorder) Clear(wait bool) {
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	if r.closed {
		return
	}
	if r.clear = wait; !wait {
		r.drop()
	}
}

// close ends recording and returns the outputs.
func (r *recorder) close() []Output {
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	for _, stream := range []display.Stream{display.Stdout, display.Stderr} {
		r.stream(stream, strings.ToValidUTF8(r.rest[stream], string(utf8.RuneError)))
	}
	r.closed = true
	outputs := make([]Output, len(r.outputs)) // not nil: JSON has [] for no outputs
	for i, o := range r.outputs {
		outputs[i] = *o
		if text := r.text[o]; text != nil {
			outputs[i].Text = text.String()
		}
	}
	return outputs
}

// show adds a display or a result. Like the methods below it, it leaves out what comes after close.
func (r *recorder) show(b display.Bundle, o Output) {
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	var problems []string
	o.Data, o.Metadata, problems = encodeBundle(b)
	if r.add(&o) && b.ID != "" {
		r.tape.displays[b.ID] = append(r.tape.displays[b.ID], &o)
	}
	r.warn(problems)
}

// warn writes to the cell's stderr. The tape is locked.
func (r *recorder) warn(problems []string) {
	for _, p := range problems {
		r.stream(display.Stderr, "display: "+p+"\n")
	}
}

// stream appends text to a stream. The tape is locked.
func (r *recorder) stream(stream display.Stream, text string) {
	if text == "" {
		return
	}
	n := len(r.outputs)
	if r.clear || n == 0 || r.outputs[n-1].Type != StreamOutput || r.outputs[n-1].Name != string(stream) {
		o := &Output{Type: StreamOutput, Name: string(stream)}
		if !r.add(o) {
			return
		}
		r.text[o] = new(strings.Builder)
	}
	if !r.closed {
		r.text[r.outputs[len(r.outputs)-1]].WriteString(text)
	}
}

// add appends an output, clearing first if that was asked for, and says whether it did. The tape is locked.
func (r *recorder) add(o *Output) bool {
	if r.closed {
		return false
	}
	if r.clear {
		r.drop()
	}
	r.outputs = append(r.outputs, o)
	return true
}

// drop removes the cell's outputs so far; their displays can no longer be updated. The tape is locked.
func (r *recorder) drop() {
	for id, shown := range r.tape.displays {
		r.tape.displays[id] = slices.DeleteFunc(shown, func(o *Output) bool { return slices.Contains(r.outputs, o) })
	}
	r.outputs, r.clear = nil, false
	clear(r.text)
}

// cutPartialRune cuts off the beginning of a UTF-8 sequence at the end of s.
func cutPartialRune(s string) (whole, rest string) {
	for i := len(s) - 1; i >= 0 && i > len(s)-utf8.UTFMax; i-- {
		if !utf8.RuneStart(s[i]) {
			continue
		}
		if !utf8.FullRuneInString(s[i:]) {
			return s[:i], s[i:]
		}
		break
	}
	return s, ""
}
