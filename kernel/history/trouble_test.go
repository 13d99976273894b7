package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sqlite "github.com/ncruces/go-sqlite3"
)

// fill makes a history of one session with many cells.
func fill(t *testing.T, path string) {
	t.Helper()
	s := openTest(t, path)
	for line := range 300 {
		s.Add(line+1, strings.Repeat("old ", 50))
	}
	closeTest(t, s)
}

// kept returns the damaged files that were moved aside.
func kept(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(strings.TrimSuffix(path, ".sqlite") + "-damaged-*.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestDamaged(t *testing.T) {
	tests := []struct {
		name   string
		damage func([]byte) []byte
	}{
		{"not a database", func([]byte) []byte { return bytes.Repeat([]byte("not a database\n"), 1000) }},
		{"a header that is not one", func(data []byte) []byte { copy(data, "SQLite format 9"); return data }},
		{"the first page is gone", func(data []byte) []byte { clear(data[100:4096]); return data }},
		{"cut", func(data []byte) []byte { return data[:4096] }},
		{"all pages but the first are noise", func(data []byte) []byte {
			for i := range data[4096:] {
				data[4096+i] = byte(i * 7)
			}
			return data
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := testFile(t)
			fill(t, path)
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			data = tt.damage(data)
			if err := os.WriteFile(path, data, 0o600); err != nil {
				t.Fatal(err)
			}
			s := openTest(t, path)
			s.Add(1, "new")
			wantTail(t, s, "1/1 new")
			names := kept(t, path)
			if len(names) != 1 {
				t.Fatalf("moved aside: %q, want one file", names)
			}
			wantNotice(t, s, "the old one kept as "+names[0])
			if got, err := os.ReadFile(names[0]); err != nil || len(got) < len(data) {
				t.Errorf("%d bytes are kept and %v, want all %d", len(got), err, len(data))
			}
			closeTest(t, s)
			next := openTest(t, path)
			wantTail(t, next, "1/1 new")
			wantNotice(t, next, "")
		})
	}
}

// TestDamagedAnywhere damages a file byte by byte in many places. Whatever SQLite finds, the session's own cells are there.
func TestDamagedAnywhere(t *testing.T) {
	path := testFile(t)
	fill(t, path)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(good); at += len(good) / 100 {
		bad := bytes.Clone(good)
		for i := range min(40, len(bad)-at) {
			bad[at+i] ^= 0xa5
		}
		path := testFile(t)
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		s := openTest(t, path)
		s.Add(1, "new")
		if _, err := s.Search("*", All, true); err != nil {
			t.Errorf("at %d: %v", at, err)
		}
		entries, err := s.Range(0, 1, 0)
		if err != nil || len(entries) != 1 || entries[0].Input != "new" {
			t.Errorf("at %d: got %v and %v, want the session's cell", at, entries, err)
		}
	}
}

// TestDamagedForMany has stores find a damaged file at once. One moves it aside, all go on with the new one.
func TestDamagedForMany(t *testing.T) {
	const stores = 8
	path := testFile(t)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("damaged "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range stores {
		wg.Go(func() {
			s := openTest(t, path)
			s.Add(1, "new")
			closeTest(t, s)
		})
	}
	wg.Wait()
	if names := kept(t, path); len(names) != 1 {
		t.Errorf("moved aside: %q, want one file", names)
	}
	if entries, err := openTest(t, path).Tail(All); err != nil || len(entries) != stores {
		t.Errorf("%d cells and %v, want %d", len(entries), err, stores)
	}
}

func TestNotUsable(t *testing.T) {
	tests := []struct {
		name   string
		path   func(t *testing.T, path string) string // prepares the trouble
		notice string
	}{
		{"a folder in its place", func(t *testing.T, path string) string {
			if err := os.MkdirAll(path, 0o700); err != nil {
				t.Fatal(err)
			}
			return path
		}, ""},
		{"a file in its folder's place", func(t *testing.T, path string) string {
			if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, ""},
		{"a folder that cannot be written", func(t *testing.T, path string) string {
			if os.Getuid() != 0 {
				if err := os.Mkdir(filepath.Dir(path), 0o500); err != nil {
					t.Fatal(err)
				}
				return path
			}
			if runtime.GOOS != "linux" {
				t.Skip("root may write everywhere")
			}
			return "/proc/orthant/history.sqlite"
		}, ""},
		{"a database of another program", func(t *testing.T, path string) string {
			execIn(t, path, "CREATE TABLE history (session integer, line integer)")
			return path
		}, "it is the database of another program; ORTHANT_HISTORY can name another file"},
		{"a newer version", func(t *testing.T, path string) string {
			fill(t, path)
			execIn(t, path, "PRAGMA user_version = 7")
			return path
		}, "it was written by a newer orthant (format 7, this one knows 1)"},
		{"locked", func(t *testing.T, path string) string {
			fill(t, path)
			execIn(t, path, "BEGIN EXCLUSIVE") // until the end of the test
			return path
		}, "another process has locked it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.path(t, testFile(t))
			was, _ := os.ReadFile(path) // it need not be a file
			s := openTest(t, path)
			s.End(s.Add(1, "x"), new("y"))
			wantTail(t, s, "1/1 x -> y")
			s.Add(2, "z")
			entries, err := s.Search("z", All, false)
			wantList(t, entries, err, "1/2 z")
			wantNotice(t, s, "history: this session is not kept: "+path+": "+tt.notice)
			if now, _ := os.ReadFile(path); !bytes.Equal(now, was) {
				t.Error("the file has changed")
			}
			ctx, cancel := context.WithTimeout(t.Context(), closeTime)
			defer cancel()
			if err := s.Close(ctx); err == nil || !strings.Contains(err.Error(), "not in the file: 2") {
				t.Errorf("Close says %v, want that 2 cells are lost", err)
			}
		})
	}
}

// execIn opens the database at path until the end of the test, and executes a statement in it.
func execIn(t *testing.T, path, sql string) *sqlite.Conn {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	conn, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.Exec(sql); err != nil {
		t.Fatal(err)
	}
	return conn
}

// TestKeptAgain takes the file away from a running session for a while. Nothing of it is missing in the end, or twice.
func TestKeptAgain(t *testing.T) {
	path := testFile(t)
	fill(t, path)
	s := openTest(t, path)
	s.Add(1, "before")
	wantTailEnds(t, s, "2/1 before")
	other := execIn(t, path, "BEGIN EXCLUSIVE")
	s.End(s.Add(2, "meanwhile"), new("y"))
	entries, err := s.Range(0, 1, 0) // after busyTime, in memory, where this is the first session
	wantList(t, entries, err, "1/1 before", "1/2 meanwhile -> y")
	wantNotice(t, s, "another process has locked it")
	if err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	closeTest(t, s)
	next := openTest(t, path)
	entries, err = next.Range(-1, 1, 0)
	wantList(t, entries, err, "2/1 before", "2/2 meanwhile -> y")
}

func wantTailEnds(t *testing.T, s *Store, line string) {
	t.Helper()
	entries, err := s.Tail(1)
	wantList(t, entries, err, line)
}

// TestDiskFull has SQLite find the disk full, by its own limit.
func TestDiskFull(t *testing.T) {
	path := testFile(t)
	s := openTest(t, path)
	limit := func(pages string) {
		t.Helper()
		_, err := s.ask(func(db *database) ([]Entry, error) { return nil, db.conn.Exec("PRAGMA max_page_count = " + pages) })
		if err != nil {
			t.Fatal(err)
		}
	}
	limit("20")
	s.Add(1, "small")
	s.Add(2, strings.Repeat("large", 40000))
	entries, err := s.Search("small", All, false)
	wantList(t, entries, err, "1/1 small")
	entries, err = s.Range(0, 1, 0)
	if err != nil || len(entries) != 2 {
		t.Errorf("%d cells and %v, want 2", len(entries), err)
	}
	wantNotice(t, s, "the disk is full")
	closeTest(t, s) // the limit was that connection's: there is room again
	if entries, err := openTest(t, path).Tail(All); err != nil || len(entries) != 2 {
		t.Errorf("%d cells and %v are in the file, want 2", len(entries), err)
	}
}

// TestDeleted deletes the file of a running session.
func TestDeleted(t *testing.T) {
	path := testFile(t)
	fill(t, path)
	s := openTest(t, path)
	s.Add(1, "before")
	wantTailEnds(t, s, "2/1 before")
	if err := os.Remove(path); err != nil {
		t.Skip(err) // Windows does not
	}
	s.Add(2, "after")
	wantTail(t, s, "1/1 before", "1/2 after")
	closeTest(t, s)
	wantTail(t, openTest(t, path), "1/1 before", "1/2 after")
}

// TestDeletedLate deletes the file of a session that has been long. What memory has of it is bounded, and goes into the new file.
func TestDeletedLate(t *testing.T) {
	path := testFile(t)
	s := openTest(t, path)
	const cells, input = 300, 10 << 10 // three times the limit
	for line := range cells {
		s.End(s.Add(line+1, fmt.Sprintf("%d %s", line+1, strings.Repeat("x", input))), nil)
		wantLast(t, s, line+1)
	}
	if s.size > recentLimit || len(s.cells) > recentLimit/input {
		t.Errorf("%d cells of %d bytes are kept in memory, want at most %d bytes", len(s.cells), s.size, recentLimit)
	}
	entries, err := s.Range(0, 1, 0)
	if err != nil || len(entries) != cells {
		t.Errorf("%d entries and %v, want all %d: they are in the file", len(entries), err, cells)
	}
	if err := os.Remove(path); err != nil {
		t.Skip(err) // Windows does not
	}
	s.Add(cells+1, "after")
	entries, err = s.Range(0, 1, 0)
	if least := recentLimit / 2 / input; err != nil || len(entries) < least {
		t.Fatalf("%d entries and %v, want %d at least", len(entries), err, least)
	}
	for i, e := range entries {
		if want := cells + 1 - len(entries) + 1 + i; e.Line != want {
			t.Errorf("entry %d is of line %d, want %d", i, e.Line, want)
		}
	}
}

func wantLast(t *testing.T, s *Store, line int) {
	t.Helper()
	entries, err := s.Tail(1)
	if err != nil || len(entries) != 1 || entries[0].Line != line {
		t.Fatalf("got %v and %v, want line %d", entries, err, line)
	}
}

// TestLongCell has a cell run for so long that others fill the memory several times. Its output comes into the file.
func TestLongCell(t *testing.T) {
	path := testFile(t)
	s := openTest(t, path)
	long := s.Add(1, "long")
	for line := range 300 {
		s.End(s.Add(line+2, strings.Repeat("x", 10<<10)), nil)
		wantLast(t, s, line+2)
	}
	s.End(long, new("done"))
	entries, err := s.Range(0, 1, 2)
	wantList(t, entries, err, "1/1 long -> done")
	s.Add(400, "next")
	wantLast(t, s, 400)
	if s.size > recentLimit {
		t.Errorf("%d bytes are kept in memory, want at most %d", s.size, recentLimit)
	}
}

// TestNothingToOpen leaves the disk alone for a session without cells that nobody has asked anything.
func TestNothingToOpen(t *testing.T) {
	path := testFile(t)
	closeTest(t, openTest(t, path))
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file (%v)", err)
	}
	s := openTest(t, path)
	s.Start()
	for range 500 {
		if _, err := os.Stat(path); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("Start opens no file")
}

// TestCloseInTime closes a store while another process holds the file.
func TestCloseInTime(t *testing.T) {
	path := testFile(t)
	fill(t, path)
	s := openTest(t, path)
	wantTailEnds(t, s, "1/300 "+strings.Repeat("old ", 50))
	execIn(t, path, "BEGIN EXCLUSIVE")
	s.Add(1, "x")
	const bound = 100 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	start := time.Now()
	if err := s.Close(ctx); err == nil {
		t.Error("closed well, want an error: a cell is lost")
	}
	if took := time.Since(start); took > 10*bound {
		t.Errorf("took %v, want about %v", took, bound)
	}
	<-s.done // the goroutine ends as well
}
