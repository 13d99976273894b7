package kernel

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// A fakeSession is an interpreter of a language made for transcripts: each line of a cell is an instruction and its
// argument.
//
//	print TEXT      writes TEXT and a line end to stdout
//	warn TEXT       writes TEXT and a line end to stderr
//	show TEXT       displays TEXT
//	update ID TEXT  updates the display ID
//	clear           clears the output, waiting
//	value TEXT      ends the cell with a result
//	fail TEXT       ends the cell with an error
//	panic TEXT      panics, as the session itself never should
//	block           waits for the interrupt, which ends the cell
//	stdin           writes what it reads from os.Stdin
//	ask PROMPT      asks the front end, and writes the answer and the error to stdout
//	secret PROMPT   does so for a password
//	page TEXT       has the front end show TEXT in its pager
//	next TEXT       has the front end put TEXT into the next cell
//	replace TEXT    has the front end put TEXT in the place of the cell
//	log TEXT        writes TEXT and a line end to descriptor 2
//	spawn           starts a process that holds descriptor 3 and does not end by itself
//	signal NAME     lets go who waits for NAME
//	await NAME      waits for the signal NAME, deaf to interrupts
//	go INSTRUCTION  starts a goroutine, which waits for the signal "late" and carries out the instruction
//
// Expressions are their own values; "bad" fails.
type fakeSession struct {
	mu      sync.Mutex
	signals map[string]chan struct{}
	closed  chan struct{}
}

func newFakeSession() *fakeSession {
	return &fakeSession{signals: make(map[string]chan struct{}), closed: make(chan struct{})}
}

// signal returns the channel that the signal name closes.
func (f *fakeSession) signal(name string) chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.signals[name] == nil {
		f.signals[name] = make(chan struct{})
	}
	return f.signals[name]
}

func (f *fakeSession) Execute(ctx context.Context, c session.Cell, out display.Sink) (*display.Bundle, *session.Error) {
	for _, line := range strings.Split(c.Source, "\n") {
		instruction, text, _ := strings.Cut(line, " ")
		switch instruction {
		case "value":
			b := display.Text(text)
			return &b, nil
		case "fail":
			return nil, &session.Error{Name: "Failure", Value: text, Traceback: []string{text}}
		case "block":
			<-ctx.Done()
			return nil, &session.Error{Name: "Interrupted", Value: "interrupted", Traceback: []string{"interrupted"}}
		case "ask", "secret":
			f.ask(ctx, out, text, instruction == "secret")
		case "go":
			go func() {
				<-f.signal("late")
				f.do(out, text)
			}()
		default:
			f.do(out, line)
		}
	}
	return nil, nil
}

func (f *fakeSession) ask(ctx context.Context, out display.Sink, prompt string, password bool) {
	asker, ok := out.(display.Asker)
	if !ok {
		out.Text(display.Stdout, "nobody to ask\n")
		return
	}
	answer, err := asker.Ask(ctx, prompt, password)
	out.Text(display.Stdout, fmt.Sprintf("%q %v\n", answer, err))
}

func (f *fakeSession) do(out display.Sink, line string) {
	instruction, text, _ := strings.Cut(line, " ")
	switch instruction {
	case "print":
		out.Text(display.Stdout, text+"\n")
	case "warn":
		out.Text(display.Stderr, text+"\n")
	case "show":
		out.Display(display.Text(text))
	case "update":
		id, text, _ := strings.Cut(text, " ")
		out.Update(display.Bundle{Data: map[string]any{"text/plain": text}, ID: id})
	case "clear":
		out.Clear(true)
	case "panic":
		panic(text)
	case "stdin":
		data, err := io.ReadAll(os.Stdin)
		out.Text(display.Stdout, fmt.Sprintf("%q %v\n", data, err))
	case "page":
		out.(display.Payloads).Page(display.Text(text), 3)
	case "next", "replace":
		out.(display.Payloads).SetNextInput(text, instruction == "replace")
	case "log":
		if _, err := fmt.Fprintln(os.Stderr, text); err != nil {
			out.Text(display.Stdout, err.Error()+"\n")
		}
	case "spawn":
		child := exec.Command("sleep", "3600")
		child.Stdout = os.NewFile(3, "descriptor 3")
		if err := child.Start(); err != nil {
			panic(err)
		}
	case "signal":
		close(f.signal(text))
	case "await":
		<-f.signal(text)
	case "":
	default:
		panic(fmt.Sprintf("fake session: no instruction %q", line))
	}
}

func (f *fakeSession) Evaluate(_ context.Context, expr string, out display.Sink) (*display.Bundle, *session.Error) {
	if expr == "bad" {
		return nil, &session.Error{Name: "Failure", Value: "bad expression", Traceback: []string{}}
	}
	out.Text(display.Stdout, "evaluating\n")
	b := display.Text(expr)
	return &b, nil
}

func (f *fakeSession) Call(_ context.Context, _ string, out display.Sink, call func()) *session.Error {
	display.Run(out, call)
	return nil
}

// IsComplete finds code incomplete that ends in an open brace, and invalid that ends in a closed one.
func (f *fakeSession) IsComplete(source string) (session.Status, string) {
	switch {
	case strings.HasSuffix(source, "{"):
		return session.Incomplete, "\t"
	case strings.HasSuffix(source, "}"):
		return session.Invalid, ""
	}
	return session.Complete, ""
}

// Complete completes the word in front of the cursor by doubling it.
func (f *fakeSession) Complete(source string, pos int) session.Completion {
	start := strings.LastIndex(source[:pos], " ") + 1
	if start == pos {
		return session.Completion{Start: pos, End: pos}
	}
	word := source[start:pos]
	return session.Completion{Start: start, End: pos, Matches: []session.Match{
		{Text: word + word, Kind: "function", Signature: "func()"},
	}}
}

// Inspect describes everything but blanks by where it is, in bytes. "panic" makes it panic.
func (f *fakeSession) Inspect(source string, pos, detail int) (display.Bundle, bool) {
	if source == "panic" {
		panic("ouch")
	}
	if strings.TrimSpace(source) == "" {
		return display.Bundle{}, false
	}
	return display.Text(fmt.Sprintf("byte %d detail %d", pos, detail)), true
}

func (f *fakeSession) Close() error {
	close(f.closed)
	return nil
}
