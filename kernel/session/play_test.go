package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// playVariable is the environment variable that has the test binary play a program instead of running tests: the path of
// the play, as JSON.
const playVariable = "ORTHANT_PLAY"

// What a program may use. More is a failure: the numbers only keep a program that has gone wild from taking the machine
// with it.
const (
	playMemory = 3 << 30  // bytes of the whole process
	playOutput = 16 << 20 // bytes of text
)

// A play is a program as the cells that it is split into.
type play struct {
	Cells []string
	Args  []string // of the command line, after the program's name
}

// A played is what came of a play.
type played struct {
	output  string // standard output and error in the order of writing
	failure string // why the exit status is not 0, one line at least; empty where it is
	refused bool   // the failure is an Error of a cell that has not begun to run
}

// A curtain is what the playing process leaves behind for the one that started it.
type curtain struct {
	Failure string
	Refused bool
}

// run plays p in a process of its own and in an empty folder of its own, for limit at most. The error is about the
// process: what the program does wrong is a failure.
func (p play) run(ctx context.Context, t testing.TB, limit time.Duration) (played, error) {
	dir := t.TempDir()
	path := filepath.Join(dir, "play.json")
	data, err := json.Marshal(p)
	if err != nil {
		return played{}, err
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return played{}, err
	}
	stage := filepath.Join(dir, "stage")
	if err := os.Mkdir(stage, 0o700); err != nil {
		return played{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return played{}, err
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(timed, self)
	cmd.Dir = stage
	cmd.Env = append(os.Environ(), playVariable+"="+path, "PWD="+stage)
	cmd.WaitDelay = time.Second // for what the program may have started that keeps its output open
	var out clipped
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	result := played{output: out.String()}
	var exit *exec.ExitError
	switch {
	case timed.Err() != nil && ctx.Err() == nil:
		result.failure = fmt.Sprintf("not over after %v", limit)
		return result, nil
	case err == nil:
		return result, nil
	case !errors.As(err, &exit):
		return result, err
	}
	var c curtain
	data, err = os.ReadFile(path + ".end")
	switch {
	case errors.Is(err, fs.ErrNotExist): // the process has crashed
		result.failure = fmt.Sprintf("%v: %s", exit, crash(result.output))
		return result, nil
	case err != nil:
		return result, err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return result, err
	}
	result.failure, result.refused = c.Failure, c.Refused
	return result, nil
}

// crash returns the line in which Go says why a process crashed, or the first one.
func crash(output string) string {
	for line := range strings.Lines(output) {
		if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") {
			return strings.TrimSpace(line)
		}
	}
	return firstLine(output)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// playHere plays the program of the file at path in this process and returns its exit status.
func playHere(path string) int {
	end := func(c curtain) int {
		data, err := json.Marshal(c)
		if err == nil {
			err = os.WriteFile(path+".end", data, 0o600)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return 1
	}
	go func() {
		if err := watchMemory(); err != nil {
			os.Exit(end(curtain{Failure: err.Error()}))
		}
	}()
	data, err := os.ReadFile(path)
	if err != nil {
		return end(curtain{Failure: err.Error()})
	}
	var p play
	if err := json.Unmarshal(data, &p); err != nil {
		return end(curtain{Failure: err.Error()})
	}
	os.Args = slices.Concat([]string{"program"}, p.Args)
	s, err := session.New()
	if err != nil {
		return end(curtain{Failure: err.Error()})
	}
	sink := &console{full: func() { os.Exit(end(curtain{Failure: "more output than a program may have"})) }}
	for i, source := range p.Cells {
		_, e := s.Execute(context.Background(), session.Cell{Number: i + 1, Source: source}, sink)
		switch {
		case e == nil:
		case e.Name == "Exit" && strings.HasPrefix(e.Value, "os.Exit(0)"):
			return 0
		default:
			refused := e.Name == "CompileError" || e.Name == "InternalError"
			return end(curtain{Failure: e.Error(), Refused: refused})
		}
	}
	return 0 // with whatever goroutines the program has left running, as when main returns
}

// A console is a sink that writes text to the standard output of the process, as it comes.
type console struct {
	written int
	full    func()
}

func (c *console) Text(_ display.Stream, text string) {
	if c.written += len(text); c.written > playOutput {
		c.full()
	}
	if _, err := os.Stdout.WriteString(text); err != nil {
		os.Exit(1) // nobody listens any more
	}
}

func (c *console) Display(display.Bundle) {}
func (c *console) Update(display.Bundle)  {}
func (c *console) Clear(bool)             {}

// watchMemory returns, with an error, when the process uses more memory than a program may.
func watchMemory() error {
	total := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	for range time.Tick(100 * time.Millisecond) {
		metrics.Read(total)
		if n := total[0].Value.Uint64(); n > playMemory {
			return fmt.Errorf("more memory than a program may have: %d MiB", n>>20)
		}
	}
	return nil
}

// TestPlay is about the way programs are played, for the tests that play many.
func TestPlay(t *testing.T) {
	for _, test := range []struct {
		name    string
		play    play
		output  string
		failure string // its beginning
		refused bool
		limit   time.Duration
	}{
		{name: "both streams, in order", play: play{Cells: []string{"import \"os\"\nfmt.Println(1)\nprintln(2)\nfmt.Println(3)\nfmt.Fprintln(os.Stderr, 4)\nfmt.Println(5)"}},
			output: "1\n2\n3\n4\n5\n"},
		{name: "cells", play: play{Cells: []string{"x := 6", "fmt.Println(x)"}}, output: "6\n"},
		{name: "arguments", play: play{Cells: []string{"import \"os\"\nfmt.Println(os.Args[1:])"}, Args: []string{"a", "b"}}, output: "[a b]\n"},
		{name: "exit 0", play: play{Cells: []string{"import \"os\"\nos.Exit(0)", "fmt.Println(1)"}}},
		{name: "exit 3", play: play{Cells: []string{"import \"os\"\nos.Exit(3)"}}, failure: "Exit: os.Exit(3)"},
		{name: "panic", play: play{Cells: []string{"fmt.Println(1)\npanic(2)"}}, output: "1\n", failure: "Panic: 2"},
		{name: "refused", play: play{Cells: []string{"fmt.Println(1)\nnone()"}}, failure: "CompileError: cell 1 line 2: undefined: none", refused: true},
		{name: "endless", play: play{Cells: []string{"for {\n}"}}, failure: "not over after 1s", limit: time.Second},
		{name: "crash", play: play{Cells: []string{"import \"sync\"\nvar mu sync.Mutex\nmu.Unlock()"}}, failure: "exit status 2: fatal error: sync: unlock"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			limit := test.limit
			if limit == 0 {
				limit = playLimit
			}
			got, err := test.play.run(t.Context(), t, limit)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(got.failure, test.failure) || test.failure == "" && got.failure != "" || got.refused != test.refused {
				t.Errorf("failure %q (refused %t), want %q (%t)", got.failure, got.refused, test.failure, test.refused)
			}
			if got.output != test.output && !strings.HasPrefix(test.failure, "exit status") {
				t.Errorf("output %q, want %q", got.output, test.output)
			}
		})
	}
}
