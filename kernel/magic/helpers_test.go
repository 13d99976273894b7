package magic

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// A recorder is a sink that keeps what a cell outputs.
type recorder struct {
	mu       sync.Mutex
	out, err strings.Builder
	shown    []display.Bundle
	came     chan struct{} // told of text, where somebody waits for it
}

func (r *recorder) Text(stream display.Stream, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if stream == display.Stdout {
		r.out.WriteString(text)
	} else {
		r.err.WriteString(text)
	}
	select {
	case r.came <- struct{}{}:
	default:
	}
}

func (r *recorder) Display(b display.Bundle) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shown = append(r.shown, b)
}

func (r *recorder) Update(display.Bundle) {}
func (r *recorder) Clear(bool)            {}

// texts returns what was written to the two streams.
func (r *recorder) texts() (stdout, stderr string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String(), r.err.String()
}

// waitFor waits until stdout contains a text.
func (r *recorder) waitFor(t *testing.T, text string) {
	t.Helper()
	r.waitUntil(t, text, func() string { out, _ := r.texts(); return out })
}

// waitForErr waits until stderr contains a text.
func (r *recorder) waitForErr(t *testing.T, text string) {
	t.Helper()
	r.waitUntil(t, text, func() string { _, err := r.texts(); return err })
}

// waitUntil waits until what a function returns contains a text.
func (r *recorder) waitUntil(t *testing.T, text string, come func() string) {
	t.Helper()
	for {
		if strings.Contains(come(), text) {
			return
		}
		select {
		case <-r.came:
		case <-t.Context().Done():
			t.Fatalf("%q has not come", text)
		}
	}
}

// A frontEnd is a sink that answers, and takes the text of cells.
type frontEnd struct {
	recorder
	answer  string
	fails   error
	asked   []string
	text    string
	replace bool
}

func (f *frontEnd) Ask(_ context.Context, prompt string, _ bool) (string, error) {
	f.asked = append(f.asked, prompt)
	return f.answer, f.fails
}

func (f *frontEnd) SetNextInput(text string, replace bool) { f.text, f.replace = text, replace }

func newInterpreter(t testing.TB) *Interpreter {
	t.Helper()
	s, err := session.New()
	if err != nil {
		t.Fatal(err)
	}
	i := New(s, Options{})
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	return i
}

// transcript runs a cell and writes what came of it: its streams, what it showed, its result or its error.
func transcript(i *Interpreter, number int, source string, out display.Sink, r *recorder) string {
	b, failure := i.Execute(context.Background(), session.Cell{Number: number, Source: source}, out)
	var lines []string
	stdout, stderr := r.texts()
	if stdout != "" {
		lines = append(lines, fmt.Sprintf("stdout %q", stdout))
	}
	if stderr != "" {
		lines = append(lines, fmt.Sprintf("stderr %q", stderr))
	}
	for _, shown := range r.shown {
		lines = append(lines, fmt.Sprintf("shown %v", shown.Data["text/plain"]))
	}
	if b != nil {
		lines = append(lines, fmt.Sprintf("result %v", b.Data["text/plain"]))
	}
	if failure != nil {
		lines = append(lines, failure.Error())
	}
	return strings.Join(lines, "\n")
}

// play runs cells one after the other, and returns the transcript of the last one.
func play(t *testing.T, i *Interpreter, cells ...string) string {
	t.Helper()
	var got string
	for n, source := range cells {
		r := &recorder{}
		got = transcript(i, n+1, source, r, r)
	}
	return got
}
