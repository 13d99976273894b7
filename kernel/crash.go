package kernel

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Some errors of the Go runtime end the process, and nothing can recover them: concurrent map writes, the unlock of an
// unlocked mutex, no memory. All a user sees is that the kernel is gone. So a file keeps which statement runs, the runtime
// writes its last words behind, and the next kernel of the same session tells them with its first cell. At an orderly end
// the file goes.

// A crashFile is the file of the running kernel. A nil one keeps nothing.
type crashFile struct {
	f   *os.File
	log *slog.Logger

	mu       sync.Mutex
	places   []place // where the cells are that run, in the order in which they began
	words    string  // the places, as the file has them; empty where nothing runs
	consumed int64   // up to where the file is what cells have written to descriptor 2 (capture.go)
}

// A place is a statement of a cell that runs.
type place struct {
	cell string // "cell 3"
	line int
}

// The form of a crash file: a line of a fixed length that says what runs and, at its end, from where on the file is what the
// runtime says.
const (
	placeLength  = 64
	offsetLength = 12
	wordsLength  = placeLength - 1 - offsetLength
	idle         = "idle"
	crashSuffix  = ".crash"
	crashText    = 64 << 10            // bytes of the runtime's words that are read; the reason comes first
	crashLife    = 14 * 24 * time.Hour // then nobody comes to read it
)

// notebookVariable names the environment variable in which Jupyter servers pass the notebook that a kernel belongs to. It
// stays when the notebook gets another kernel, while a connection file stays with restarts.
const notebookVariable = "JPY_SESSION_NAME"

// openCrashFile begins to keep what runs, and returns what is left of an earlier kernel of the same session: a line of text,
// empty where that ended well or there was none.
//
// Where stderr is given, the runtime's own copy of its last words goes there, and descriptor 2 is to lead to the file.
func openCrashFile(connectionFile string, log *slog.Logger, stderr *os.File) (c *crashFile, lastWords string) {
	c, lastWords, err := newCrashFile(connectionFile, log, stderr)
	if err != nil {
		log.Warn("cannot keep what a crash would say", "error", err)
	}
	return c, lastWords
}

func newCrashFile(connectionFile string, log *slog.Logger, stderr *os.File) (*crashFile, string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, "", err
	}
	dir := filepath.Join(cache, "orthant", "crashes")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, "", err
	}
	key := os.Getenv(notebookVariable)
	if key == "" {
		if key, err = filepath.Abs(connectionFile); err != nil {
			return nil, "", err
		}
	}
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:8])
	lastWords, err := readCrashes(dir, name)
	if err != nil {
		log.Warn("cannot read what an earlier kernel left", "error", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, name+"-"+strconv.Itoa(os.Getpid())+crashSuffix), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, lastWords, err
	}
	c := &crashFile{f: f, log: log, consumed: placeLength}
	c.writeHead()
	if _, err = f.Seek(placeLength, io.SeekStart); err == nil {
		debug.SetTraceback("system") // the runtime's functions tell the reason
		out := f
		if stderr != nil {
			out = stderr
		}
		err = debug.SetCrashOutput(out, debug.CrashOptions{})
	}
	if err != nil {
		return nil, lastWords, errors.Join(err, c.remove())
	}
	return c, lastWords, nil
}

// follow returns a function that opens a session and lets it note what runs.
func (c *crashFile) follow(open func() (interpreter, error)) func() (interpreter, error) {
	if c == nil {
		return open
	}
	return func() (interpreter, error) {
		s, err := open()
		if tells, ok := s.(interface {
			OnStatement(func(cell string, line int))
		}); ok && err == nil {
			tells.OnStatement(c.running)
		}
		return s, err
	}
}

// running notes the statement that runs. A line of 0 says that the cell has ended.
func (c *crashFile) running(cell string, line int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.places, func(p place) bool { return p.cell == cell })
	switch {
	case line == 0 && i >= 0:
		c.places = slices.Delete(c.places, i, i+1)
	case i >= 0:
		c.places[i].line = line
	case line > 0:
		c.places = append(c.places, place{cell, line})
	}
	text := make([]string, len(c.places))
	for i, p := range c.places {
		text[i] = p.String()
	}
	c.words = strings.Join(text, " or ")
	if len(c.words) > wordsLength { // more cells than there is room for
		c.words = fmt.Sprintf("one of %d cells, such as %s", len(text), text[len(text)-1])
	}
	c.writeHead()
}

func (p place) String() string {
	switch {
	case p.cell == "expression":
		return fmt.Sprintf("line %d of a cell without a number", p.line)
	case strings.HasPrefix(p.cell, "file"):
		return fmt.Sprintf("line %d of a file run by a cell", p.line)
	}
	return fmt.Sprintf("%s line %d", p.cell, p.line)
}

// consumedTo notes that the file is cells' output up to an offset.
func (c *crashFile) consumedTo(offset int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.consumed = offset
	c.writeHead()
}

// writeHead writes the first line. c.mu is held.
func (c *crashFile) writeHead() {
	words := c.words
	if words == "" {
		words = idle
	}
	if _, err := c.f.WriteAt(fmt.Appendf(nil, "%-*.*s%*d\n", wordsLength, wordsLength, words, offsetLength, c.consumed), 0); err != nil {
		c.log.Warn("cannot note what runs", "error", err)
	}
}

// close removes the file: the kernel ends as it should.
func (c *crashFile) close() {
	if c == nil {
		return
	}
	if err := errors.Join(debug.SetCrashOutput(nil, debug.CrashOptions{}), c.remove()); err != nil {
		c.log.Warn("cannot remove the crash file", "error", err)
	}
}

func (c *crashFile) remove() error { return errors.Join(c.f.Close(), os.Remove(c.f.Name())) }
