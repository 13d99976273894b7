package history

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// closeTime bounds a test's Close. It is long: the machines of tests are busy.
const closeTime = 10 * time.Second

// openTest opens a store, and closes it at the end of the test if that has not.
func openTest(t *testing.T, path string) *Store {
	t.Helper()
	s := Open(path, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		s.Close(ctx) // the test has, or has what it wanted to see
	})
	return s
}

func closeTest(t *testing.T, s *Store) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), closeTime)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
}

// testFile returns the path of a file that is not there yet, in a folder that is not either, whose name wants care in a URI.
func testFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "ört#h 100%41 a&b=c", "history.sqlite")
}

// list returns entries as lines, "session/line input" and "-> output".
func list(t *testing.T, entries []Entry, err error) string {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	var lines []string
	for _, e := range entries {
		line := fmt.Sprintf("%d/%d %s", e.Session, e.Line, e.Input)
		if e.Output != nil {
			line += " -> " + *e.Output
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// wantList fails the test unless entries are the lines.
func wantList(t *testing.T, entries []Entry, err error, lines ...string) {
	t.Helper()
	if got, want := list(t, entries, err), strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func wantTail(t *testing.T, s *Store, lines ...string) {
	t.Helper()
	entries, err := s.Tail(All)
	wantList(t, entries, err, lines...)
}

// wantNotice fails the test unless there is one notice with the text; none for an empty text.
func wantNotice(t *testing.T, s *Store, text string) {
	t.Helper()
	got := s.Notice()
	if (got == "") != (text == "") || !strings.Contains(got, text) || strings.Contains(got, "\n") {
		t.Errorf("the notice is %q, want one line with %q", got, text)
	}
	if again := s.Notice(); again != "" {
		t.Errorf("another notice: %q", again)
	}
}

func TestSessions(t *testing.T) {
	path := testFile(t)
	before := time.Now().Add(-time.Millisecond)
	first := openTest(t, path)
	first.End(first.Add(1, "1 + 1\n\n"), new("2"))
	first.Add(2, "  indented\n")
	first.Add(3, " \n\t") // blank
	closeTest(t, first)
	second := openTest(t, path)
	first.Add(9, "after the end")
	second.End(second.Add(1, "x"), new(""))
	second.Add(1, "of a subshell, with the same count")
	wantTail(t, second, "1/1 1 + 1 -> 2", "1/2   indented", "2/1 x -> ", "2/1 of a subshell, with the same count")
	wantNotice(t, second, "")
	entries, err := second.Tail(1)
	if err != nil || len(entries) != 1 || entries[0].Time.Before(before) || entries[0].Time.After(time.Now()) {
		t.Errorf("got %+v and %v, want the time of the cell", entries, err)
	}
	if _, err := first.Tail(1); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("got %v from a closed store", err)
	}
}

func TestMode(t *testing.T) {
	path := testFile(t)
	s := openTest(t, path)
	s.Add(1, "x")
	wantTail(t, s, "1/1 x")
	for name, want := range map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + journalSuffix: 0o600} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want && os.PathSeparator == '/' {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	s := openTest(t, testFile(t))
	s.End(s.Add(1, strings.Repeat("i", InputLimit)), new(strings.Repeat("o", OutputLimit)))
	s.End(s.Add(2, strings.Repeat("i", InputLimit-1)+"éé"), new(strings.Repeat("o", OutputLimit-1)+"éé"))
	entries, err := s.Tail(All)
	if err != nil || len(entries) != 2 {
		t.Fatalf("%d entries and %v, want 2", len(entries), err)
	}
	if e := entries[0]; len(e.Input) != InputLimit || len(*e.Output) != OutputLimit {
		t.Errorf("%d and %d bytes, want all", len(e.Input), len(*e.Output))
	}
	for text, limit := range map[string]int{entries[1].Input: InputLimit, *entries[1].Output: OutputLimit} {
		want := fmt.Sprintf("… [history: 4 of %d bytes not kept]", limit+3)
		if text[limit-1:] != want {
			t.Errorf("the end is %q, want %q", text[limit-1:], want)
		}
	}
}

func TestOff(t *testing.T) {
	s := openTest(t, "")
	s.Add(1, "x")
	wantTail(t, s, "1/1 x")
	wantNotice(t, s, "")
	closeTest(t, s)
}

// TestConcurrentStores has eight stores write to one file at once.
func TestConcurrentStores(t *testing.T) {
	const stores, cells = 8, 50
	path := testFile(t)
	var wg sync.WaitGroup
	for i := range stores {
		wg.Go(func() {
			s := openTest(t, path)
			for line := range cells {
				s.End(s.Add(line+1, fmt.Sprintf("store %d", i)), new(strconv.Itoa(line+1)))
				if line%10 == 0 {
					if entries, err := s.Range(0, 1, 0); err != nil || len(entries) != line+1 {
						t.Errorf("store %d has %d cells and %v, want %d", i, len(entries), err, line+1)
					}
				}
			}
			closeTest(t, s)
			wantNotice(t, s, "")
		})
	}
	wg.Wait()
	s := openTest(t, path)
	entries, err := s.Tail(All)
	if err != nil || len(entries) != stores*cells {
		t.Fatalf("%d cells and %v, want %d", len(entries), err, stores*cells)
	}
	inputs := make(map[string]int)
	for i, e := range entries { // each session's own, in order, and under one number
		session, line := i/cells+1, i%cells+1
		if e.Session != session || e.Line != line || e.Output == nil || *e.Output != strconv.Itoa(line) {
			t.Errorf("cell %d is %+v, want %d/%d with its output", i, e, session, line)
		}
		inputs[fmt.Sprint(e.Session, e.Input)]++
	}
	if len(inputs) != stores {
		t.Errorf("%d pairs of sessions and stores, want %d: %v", len(inputs), stores, inputs)
	}
}

// killedVariable makes the test binary a process that writes to the file it names and is then killed.
const killedVariable = "ORTHANT_TEST_HISTORY"

func TestMain(m *testing.M) {
	if path := os.Getenv(killedVariable); path != "" {
		s := Open(path, nil)
		s.End(s.Add(1, "before the end"), new("said"))
		s.Add(2, "the end")
		if _, err := s.Tail(0); err != nil { // all is written now
			panic(err)
		}
		fmt.Println("ready")
		select {}
	}
	os.Exit(m.Run())
}

func TestKilled(t *testing.T) {
	path := testFile(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killedVariable+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // killed
	wantTail(t, openTest(t, path), "1/1 before the end -> said", "1/2 the end")
}

func TestPrune(t *testing.T) {
	path := testFile(t)
	for range 3 {
		s := openTest(t, path)
		for line := range 100 {
			s.Add(line+1, strings.Repeat("x", 4000))
		}
		closeTest(t, s)
	}
	s := openTest(t, path)
	s.Add(1, "mine")
	const limit = 600 << 10 // of about 1.2 MB
	_, err := s.ask(func(db *database) ([]Entry, error) { return nil, db.prune(limit) })
	if err != nil {
		t.Fatal(err)
	}
	entries, err := s.Tail(All)
	if err != nil || len(entries) == 0 || entries[len(entries)-1].Input != "mine" {
		t.Fatalf("%d entries and %v: this session's are to stay", len(entries), err)
	}
	_, err = s.ask(func(db *database) ([]Entry, error) {
		if used, err := db.used(); err != nil || used > limit {
			t.Errorf("%d bytes and %v, want less than %d", used, err, limit)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// BenchmarkAdd measures what a cell waits for the history.
func BenchmarkAdd(b *testing.B) {
	s := Open(filepath.Join(b.TempDir(), "history.sqlite"), nil)
	defer s.Close(context.Background())
	line := 0
	for b.Loop() {
		line++
		s.End(s.Add(line, "x := 1"), new("1"))
	}
}

// BenchmarkCommit measures how long it takes until a cell is in the file.
func BenchmarkCommit(b *testing.B) {
	s := Open(filepath.Join(b.TempDir(), "history.sqlite"), nil)
	defer s.Close(context.Background())
	line := 0
	for b.Loop() {
		line++
		s.Add(line, "x := 1")
		if _, err := s.Tail(0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen measures the time until a new kernel has its history.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.sqlite")
	for b.Loop() {
		s := Open(path, nil)
		if _, err := s.Tail(0); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
