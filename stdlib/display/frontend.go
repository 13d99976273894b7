package display

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// ErrNoInput is wrapped by the errors of reading where there is nobody to answer: the front end takes no questions, or the
// cell that asks has ended.
var ErrNoInput = errors.New("no input")

// An Asker is a Sink whose front end can be asked. A Sink that is none has nobody to ask.
type Asker interface {
	// Ask shows a prompt, which may be empty, and waits for a line, which it returns without its end; a password is not
	// shown while it is typed. What the cell has output before is shown first. The error is io.EOF where the user says that
	// there is no more input, wraps ErrNoInput where nobody can answer, and is ctx's where ctx is done first.
	Ask(ctx context.Context, prompt string, password bool) (string, error)
}

// A Payloads is a Sink that hands things to the front end together with the cell's reply. A Sink that is none drops them, or
// shows what it can.
type Payloads interface {
	// Page shows a value in the front end's pager, beginning with a line, counted from 0.
	Page(b Bundle, start int)
	// SetNextInput puts text into a new cell below, or, with replace, in the place of this cell's.
	SetNextInput(text string, replace bool)
}

// Input asks the user for a line of text, which it returns without its end. It waits until there is an answer or the cell is
// interrupted. The error is io.EOF where the user ends the input, and wraps [ErrNoInput] where nobody can answer: in a
// notebook that runs without its front end, and after the end of the cell.
func Input(prompt string) (string, error) { return ask(prompt, false) }

// Password is [Input] for what must not be seen: the front end does not show what is typed.
func Password(prompt string) (string, error) { return ask(prompt, true) }

func ask(prompt string, password bool) (string, error) {
	a, ok := Current().(Asker)
	if !ok {
		return "", fmt.Errorf("display: %w: nobody can be asked here", ErrNoInput)
	}
	line, err := a.Ask(context.Background(), prompt, password)
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("display: %w", err)
	}
	return line, err
}

// Page shows a value in the front end's pager, apart from the cell's output; where there is no pager, as Show does.
func Page(v any) {
	b := Of(v)
	if p, ok := Current().(Payloads); ok {
		p.Page(b, 0)
		return
	}
	Current().Display(b)
}

// SetNextInput puts text into a new cell below the running one, for the user to look at and run. Where there are no cells, it
// does nothing.
func SetNextInput(text string) {
	if p, ok := Current().(Payloads); ok {
		p.SetNextInput(text, false)
	}
}

// Ask asks on the process's standard streams. What is typed at a terminal is seen there, so there is no asking for a password.
func (process) Ask(_ context.Context, prompt string, password bool) (string, error) {
	if password {
		return "", fmt.Errorf("%w: outside of a notebook a password would be seen", ErrNoInput)
	}
	if _, err := io.WriteString(os.Stdout, prompt); err != nil {
		return "", err
	}
	return readLine(os.Stdin)
}

// readLine reads a line, and no byte more, which later readers would miss. The last line may lack its end.
func readLine(r io.Reader) (string, error) {
	var line []byte
	for char := make([]byte, 1); ; {
		switch _, err := io.ReadFull(r, char); {
		case err == io.EOF && len(line) > 0:
			return string(line), nil
		case err != nil:
			return "", err
		case char[0] == '\n':
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		line = append(line, char[0])
	}
}
