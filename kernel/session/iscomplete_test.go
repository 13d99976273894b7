package session

import (
	"context"
	"go/parser"
	"go/token"
	"strings"
	"sync"
	"testing"
	"time"

	"orthant/stdlib/display"
)

func TestIsComplete(t *testing.T) {
	s := newSession(t)
	tests := []struct {
		name, src string
		want      Status
		indent    string
	}{
		{"empty", "", Complete, ""},
		{"expression", "1 + 1", Complete, ""},
		{"unknown names do not matter", "nothing.known(here)", Complete, ""},
		{"open block", "for i := range 3 {", Incomplete, "\t"},
		{"open call", "fmt.Println(", Incomplete, "\t"},
		{"operator", "x := 1 +", Incomplete, "\t"},
		{"raw string", "x := `a", Incomplete, ""},
		{"no operand", "x := )", Invalid, ""},
		{"wrong inside an open block", "for {\n\ta b\n", Invalid, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, indent := s.IsComplete(tt.src); got != tt.want || indent != tt.indent {
				t.Errorf("got %s %q, want %s %q", got, indent, tt.want, tt.indent)
			}
		})
	}
}

// An announcer is a sink that tells of the first text.
type announcer struct {
	recorder
	once sync.Once
	on   chan struct{}
}

func (s *announcer) Text(display.Stream, string) { s.once.Do(func() { close(s.on) }) }

// TestIsCompleteWhileRunning asks while a cell waits.
func TestIsCompleteWhileRunning(t *testing.T) {
	s := newSession(t)
	ctx, interrupt := context.WithCancel(context.Background())
	started := &announcer{on: make(chan struct{})}
	ended := make(chan *Error)
	go func() {
		_, err := s.Execute(ctx, Cell{Number: 1, Source: "fmt.Println(1)\n<-ctx.Done()"}, started)
		ended <- err
	}()
	<-started.on
	if got, _ := s.IsComplete("if x {"); got != Incomplete {
		t.Errorf("got %s", got)
	}
	if got := texts(s.Complete("fmt.Printl", 10)); len(got) != 1 {
		t.Errorf("completes to %q", got)
	}
	if _, found := s.Inspect("fmt.Println", 5, 0); !found {
		t.Error("nothing to inspect")
	}
	interrupt()
	<-ended
}

// TestIsCompleteIsFast has a cell of a thousand lines, which a terminal asks about with each line that is typed. The
// answer takes half as long again as Go's parser, which is the clock: the race detector and other programs slow both.
func TestIsCompleteIsFast(t *testing.T) {
	s := newSession(t)
	source := strings.Repeat("func f() {\n\tx := 1\n\tif x > 0 {\n\t\tfmt.Println(x, \"a\")\n\t}\n}\n", 170) + "for {"
	const limit, tries = 4, 50
	ours, parsers := time.Hour, time.Hour
	for range tries {
		began := time.Now()
		s.IsComplete(source)
		asked := time.Now()
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p;"+source, 0); err == nil {
			t.Fatal("the cell is whole")
		}
		ours, parsers = min(ours, asked.Sub(began)), min(parsers, time.Since(asked))
	}
	t.Logf("took %v, Go's parser %v", ours, parsers)
	if ours > limit*parsers {
		t.Errorf("took %v, want at most %d times %v", ours, limit, parsers)
	}
}
