package display

import (
	"io"
	"os"
)

// process is the sink of code that runs outside of any cell: an ordinary program that uses this package.
type process struct{}

func (process) Text(stream Stream, text string) {
	out := os.Stdout
	if stream == Stderr {
		out = os.Stderr
	}
	// A Sink only enqueues, so it has no error to return; who writes to a closed stream has lost the text either way.
	_, _ = io.WriteString(out, text)
}

func (p process) Display(b Bundle) {
	text, _ := b.Data[plainText].(string)
	p.Text(Stdout, text+"\n")
}

// Update writes the new form beneath the old one: what a stream holds cannot be replaced.
func (p process) Update(b Bundle) { p.Display(b) }

func (process) Clear(bool) {}
