package display

// A Stream names one of the two text streams of a cell.
type Stream string

// The two streams, named as the Jupyter messaging specification names them.
const (
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
)

// A Sink takes everything that a running cell outputs, in the order in which the cell outputs it. Whoever runs cells
// (a kernel, the notebook runner, a terminal) implements it. Methods are called from any goroutine, must only enqueue,
// and must not call back into the cell.
type Sink interface {
	// Text appends text to a stream. Text may end within a UTF-8 sequence; the rest follows in a later call.
	Text(stream Stream, text string)
	// Display shows a value. A bundle with an ID may be changed later by Update.
	Display(b Bundle)
	// Update replaces every display that was shown with b.ID, which is not empty.
	Update(b Bundle)
	// Clear removes the cell's output so far: at once, or, with wait, when its next output comes.
	Clear(wait bool)
}
