package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"orthant/stdlib/display"
)

// recorder is a sink that keeps what a cell outputs.
type recorder struct {
	mu       sync.Mutex
	out, err strings.Builder
	shown    []display.Bundle
}

func (r *recorder) Text(stream display.Stream, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if stream == display.Stdout {
		r.out.WriteString(text)
	} else {
		r.err.WriteString(text)
	}
}

func (r *recorder) Display(b display.Bundle) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shown = append(r.shown, b)
}

func (r *recorder) Update(display.Bundle) {}
func (r *recorder) Clear(bool)            {}

func (r *recorder) stdout() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

func (r *recorder) stderr() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err.String()
}

func newSession(t testing.TB) *Session {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A script is one session of a file of sessions (see testdata/sessions/README.md).
type script struct {
	file, name string
	cells      []string
	stdout     string
	results    map[int]string // by cell, from 1
	none       map[int]bool
	fails      map[int]bool
	interrupts map[int]bool
}

// readScripts parses a file of sessions.
func readScripts(t *testing.T, path string) []script {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []script
	for _, part := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		body, expect, ok := strings.Cut(rest, "\n>>>")
		if !ok {
			t.Fatalf("%s: session %q has no >>> line", path, name)
		}
		sc := script{file: filepath.Base(path), name: strings.TrimSpace(name),
			results: map[int]string{}, none: map[int]bool{}, fails: map[int]bool{}, interrupts: map[int]bool{}}
		sc.cells = strings.Split(body, "\n---\n")
		for _, line := range strings.Split(expect, "\n") {
			switch {
			case strings.HasPrefix(line, "|"):
				sc.stdout += strings.TrimPrefix(strings.TrimPrefix(line, "|"), " ") + "\n"
			case strings.HasPrefix(line, "["):
				number, what, _ := strings.Cut(line[1:], "]")
				n, err := strconv.Atoi(number)
				if err != nil {
					t.Fatalf("%s: %q: %v", path, line, err)
				}
				switch what = strings.TrimPrefix(what, " "); {
				case what == "-":
					sc.none[n] = true
				case what == "error":
					sc.fails[n] = true
				case what == "interrupt":
					sc.interrupts[n] = true
				case strings.HasPrefix(what, "="):
					if prev, ok := sc.results[n]; ok {
						sc.results[n] = prev + "\n" + strings.TrimPrefix(what[1:], " ")
					} else {
						sc.results[n] = strings.TrimPrefix(what[1:], " ")
					}
				default:
					t.Fatalf("%s: %q is no expectation", path, line)
				}
			}
		}
		out = append(out, sc)
	}
	return out
}

// play runs a script in a new session and returns what is wrong, empty where nothing is.
func (sc script) play(s *Session) string {
	out := &recorder{}
	for i, src := range sc.cells {
		n := i + 1
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		if sc.interrupts[n] {
			ctx, cancel = context.WithTimeout(context.Background(), 300*time.Millisecond)
		}
		b, e := s.Execute(ctx, Cell{n, src}, out)
		cancel()
		switch {
		case sc.fails[n] && e == nil:
			return fmt.Sprintf("cell %d succeeded, want an error", n)
		case sc.interrupts[n] && (e == nil || e.Name != interrupted):
			return fmt.Sprintf("cell %d: %v, want an interrupt", n, e)
		case !sc.fails[n] && !sc.interrupts[n] && e != nil:
			return fmt.Sprintf("cell %d: %v", n, e)
		case sc.none[n] && b != nil:
			return fmt.Sprintf("cell %d shows %q, want nothing", n, b.Data["text/plain"])
		}
		if want, ok := sc.results[n]; ok {
			if b == nil {
				return fmt.Sprintf("cell %d shows nothing, want %q", n, want)
			}
			if got := b.Data["text/plain"]; strings.TrimRight(fmt.Sprint(got), " \n") != strings.TrimRight(want, " \n") {
				return fmt.Sprintf("cell %d shows %q, want %q", n, got, want)
			}
		}
	}
	if got := out.stdout(); strings.TrimRight(got, "\n ") != strings.TrimRight(sc.stdout, "\n ") {
		return fmt.Sprintf("stdout %q, want %q", got, sc.stdout)
	}
	return ""
}

// knownWrong reads the list of sessions that go wrong, with their reasons.
func knownWrong(t *testing.T, path string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		if !ok {
			t.Fatalf("%s: %q has no reason", path, line)
		}
		out[name] = reason
	}
	return out
}

// TestSessions plays the sessions of testdata/sessions, or of the folder that ORTHANT_SESSIONS names, each in a session of
// its own.
func TestSessions(t *testing.T) {
	dir := filepath.Join("testdata", "sessions")
	if d := os.Getenv("ORTHANT_SESSIONS"); d != "" {
		dir = d
	}
	known := knownWrong(t, filepath.Join(dir, "known.txt"))
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions in %s (%v)", dir, err)
	}
	right, all := 0, 0
	for _, path := range files {
		if filepath.Base(path) == "known.txt" {
			continue
		}
		for _, sc := range readScripts(t, path) {
			all++
			name := sc.file + "/" + sc.name
			reason, listed := known[name]
			delete(known, name)
			t.Run(name, func(t *testing.T) {
				wrong := sc.play(newSession(t))
				switch {
				case wrong == "":
					right++
					if listed {
						t.Error("goes right now: take it off known.txt")
					}
				case listed:
					t.Logf("known (%s): %s", reason, wrong)
				default:
					t.Error(wrong)
				}
			})
		}
	}
	for name := range known {
		t.Errorf("known.txt names %s, which is no session", name)
	}
	t.Logf("%d of %d sessions right", right, all)
}
