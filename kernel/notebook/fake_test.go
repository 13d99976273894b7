package notebook

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// A fakeSession runs cells whose lines are commands, each with arguments:
//
//	out TEXT, err TEXT   output a line of text (out- and err- without the newline)
//	show ID TEXT         display text under an id, - for none; update ID TEXT; clear; clear-wait
//	value TEXT           the cell's result
//	image                a result with a picture, markup and JSON
//	var NAME TYPE        declare a variable; const NAME TYPE a constant
//	fail NAME TEXT       end the cell with an error
//	wait                 wait for the end of the context and fail with Interrupted; partial: and succeed
//	hang                 wait for release, whatever the context says
//	later TEXT           output text when the next cell starts, as a goroutine may
//	cancel               call the function cancel
//
// Other lines do nothing.
type fakeSession struct {
	cancel  context.CancelFunc
	release chan struct{}

	mu     sync.Mutex
	ran    []string // the sources that ran
	names  map[string]session.Name
	late   []func()
	closed bool
}

func newFake() *fakeSession {
	return &fakeSession{names: map[string]session.Name{}, release: make(chan struct{})}
}

func (s *fakeSession) Close() error {
	s.closed = true
	return nil
}

func (s *fakeSession) Lookup(name string) (session.Name, bool) {
	n, ok := s.names[name]
	return n, ok
}

func (s *fakeSession) Execute(ctx context.Context, c session.Cell, out display.Sink) (*display.Bundle, *session.Error) {
	s.mu.Lock()
	s.ran = append(s.ran, c.Source)
	for _, f := range s.late {
		f()
	}
	s.late = nil
	s.mu.Unlock()
	var value *display.Bundle
	for line := range strings.Lines(c.Source) {
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		word, tail, _ := strings.Cut(rest, " ")
		switch verb {
		case "out":
			out.Text(display.Stdout, rest+"\n")
		case "err":
			out.Text(display.Stderr, rest+"\n")
		case "out-":
			out.Text(display.Stdout, unescape(rest))
		case "err-":
			out.Text(display.Stderr, unescape(rest))
		case "show", "update":
			b := display.Text(tail)
			if word != "-" {
				b.ID = word
			}
			if verb == "update" {
				out.Update(b)
			} else {
				out.Display(b)
			}
		case "clear", "clear-wait":
			out.Clear(verb == "clear-wait")
		case "value":
			b := display.Text(rest)
			value = &b
		case "image":
			value = &display.Bundle{
				Data: map[string]any{
					"text/plain":       "a <picture> & more\nin two lines",
					"image/png":        []byte("\x89PNG\r\n"),
					"image/svg+xml":    "<svg>\n</svg>\n",
					"application/json": map[string]any{"n": 1e21, "list": []string{"a\nb"}},
				},
				Metadata: map[string]any{"image/png": map[string]int{"width": 640}},
			}
		case "nan":
			out.Display(display.Bundle{Data: map[string]any{"text/plain": "x", "application/json": make(chan int)}})
		case "var":
			s.names[word] = session.Name{Name: word, Kind: variableKind, Type: tail, Cell: c.Number}
		case "const":
			s.names[word] = session.Name{Name: word, Kind: "constant", Type: tail, Cell: c.Number}
		case "fail":
			return nil, &session.Error{
				Name:      word,
				Value:     tail + "\nsecond line",
				Traceback: []string{fmt.Sprintf("cell %d line 1", c.Number), "\x1b[31m" + word + "\x1b[0m: " + tail},
			}
		case "wait":
			<-ctx.Done()
			return nil, &session.Error{Name: "Interrupted", Value: "interrupted", Traceback: []string{"Interrupted"}}
		case "partial":
			<-ctx.Done()
		case "hang":
			<-s.release
		case "later":
			s.late = append(s.late, func() { out.Text(display.Stdout, rest+"\n") })
		case "cancel":
			s.cancel()
		}
	}
	return value, nil
}

// unescape turns the two characters \xNN into a byte, so that cells can output parts of UTF-8 sequences.
func unescape(s string) string {
	return strings.NewReplacer(`\xe2`, "\xe2", `\x82`, "\x82", `\xac`, "\xac", `\r`, "\r").Replace(s)
}
