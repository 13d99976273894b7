package history

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// How long the goroutine of a store waits for other processes that hold the file.
const (
	busyTime      = 2 * time.Second
	busyRetryTime = 200 * time.Millisecond // once it is known that they are in the way
	retryTime     = 30 * time.Second       // between attempts to use a file that could not be used
)

// recentLimit is how much of a session is kept in memory, in bytes, once it is in the file: a file that is deleted or damaged is
// begun anew with that.
const recentLimit = 1 << 20

// A Store keeps the cells of one session and finds those of all. Make one with [Open]. Its methods are safe for concurrent
// use. Start, Add, End and Notice never wait for a disk.
type Store struct {
	path  string // empty for none
	log   *slog.Logger
	start time.Time

	mu     sync.Mutex
	cells  []cell       // of this session: the recent ones, and all that are not in the file or run
	added  int          // how many cells there have been; the last one's seq is one less
	size   int          // of the cells, in bytes
	dirty  map[int]bool // which of them, by seq, are not in the database
	notice string       // not told yet
	wake   chan struct{}

	questions chan question
	closing   chan struct{}
	closeOnce sync.Once
	done      chan struct{}      // closed when the goroutine has ended
	cancel    context.CancelFunc // ends what SQLite does

	// Of the goroutine alone.
	started  bool // the file has been tried, or there is none to try
	db       *database
	inFile   bool      // db is the file
	told     bool      // that it was not, once
	tried    time.Time // when the file was last tried
	hopeless bool      // no attempt will help
	aside    bool      // a damaged file has been moved aside; the next one is left alone
	session  int       // the number in the file; 0 before there is one
}

// A cell is an entry and its place in the session.
type cell struct {
	Entry
	seq   int
	ended bool
}

// size returns how many bytes a cell takes.
func (c *cell) size() int {
	n := int(unsafe.Sizeof(*c)) + len(c.Input)
	if c.Output != nil {
		n += len(*c.Output)
	}
	return n
}

// Open returns the store of a new session in the file at path. With an empty path the session is kept in memory only. It
// returns at once: the file is opened in the background, at [Store.Start] or when it is needed, and what goes wrong there is a
// [Store.Notice]. A nil log discards.
func Open(path string, log *slog.Logger) *Store {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &Store{
		path: path, log: log, start: time.Now(),
		dirty: make(map[int]bool), wake: make(chan struct{}, 1),
		questions: make(chan question), closing: make(chan struct{}), done: make(chan struct{}), cancel: cancel,
	}
	go s.serve(ctx)
	return s
}

// OpenUser is [Open] with the file that [Path] returns.
func OpenUser(log *slog.Logger) *Store {
	path, err := Path()
	s := Open(path, log)
	if err != nil {
		s.tell(fmt.Sprintf("history: this session is not kept: %v", err))
	}
	return s
}

// Start opens the file in the background, so that what is wrong with it is known before a cell needs it.
func (s *Store) Start() {
	if s.path != "" {
		s.rouse()
	}
}

// Add notes a cell that begins, so that it is known even if it ends the process. It returns what End wants to know the cell by.
// Of a blank cell nothing is kept.
func (s *Store) Add(line int, input string) (seq int) {
	e := newEntry(line, input)
	if strings.TrimSpace(e.Input) == "" {
		return -1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := cell{Entry: e, seq: s.added}
	s.added++
	s.cells = append(s.cells, c)
	s.size += c.size()
	s.touch(c.seq)
	return c.seq
}

// End notes, once, that a cell which Add has noted has ended, and the text of its result; nil where it has none.
func (s *Store) End(seq int, output *string) {
	if seq < 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.cells[seq-s.cells[0].seq]
	c.ended = true
	if output != nil {
		text := cut(*output, OutputLimit)
		c.Output = &text
		s.size += len(text)
		s.touch(seq)
	}
}

// touch has the goroutine write a cell. The caller holds mu.
func (s *Store) touch(seq int) {
	s.dirty[seq] = true
	s.rouse()
}

// rouse wakes the goroutine.
func (s *Store) rouse() {
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}

// Notice returns a line that the user should read, once: that the history is not kept, or begun anew, and why. It is empty if
// there is none.
func (s *Store) Notice() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.notice
	s.notice = ""
	return text
}

// Close writes what is not yet written and ends the session, until ctx is done. The error says what is lost.
func (s *Store) Close(ctx context.Context) error {
	s.closeOnce.Do(func() { close(s.closing) })
	defer s.cancel()
	select {
	case <-s.done:
	case <-ctx.Done():
		return fmt.Errorf("history: not closed in time: %w", ctx.Err())
	}
	if n := s.unsaved(); n > 0 {
		return fmt.Errorf("history: cells that are not in the file: %d", n)
	}
	return nil
}

// unsaved returns how many cells are not in the file that should have them. The goroutine has ended.
func (s *Store) unsaved() int {
	if s.path == "" {
		return 0
	}
	if !s.inFile {
		return len(s.cells)
	}
	return len(s.dirty)
}

// serve is the goroutine to which the database belongs.
func (s *Store) serve(ctx context.Context) {
	defer close(s.done)
	for {
		select {
		case <-s.wake:
			s.save(ctx)
		case q := <-s.questions:
			s.save(ctx)
			q.answer <- s.answer(ctx, q)
		case <-s.closing:
			s.finish(ctx)
			return
		}
	}
}

// save writes what is not yet written.
func (s *Store) save(ctx context.Context) {
	if !s.started {
		s.started = true
		s.attach(ctx, busyTime)
	}
	if s.inFile && !s.db.here() {
		s.leave()
		s.attach(ctx, busyTime)
	}
	if !s.inFile && !s.hopeless && time.Since(s.tried) > retryTime {
		s.attach(ctx, busyRetryTime)
	}
	s.writeOr(ctx)
}

// writeOr writes what is not yet written, or else to what is used in the database's place.
func (s *Store) writeOr(ctx context.Context) {
	const changes = 3 // damaged, a new file that fails as well, memory
	for range changes {
		cells := s.take()
		if s.db == nil || len(cells) == 0 {
			return
		}
		err := guard(func() error { return s.db.write(cells) })
		if err == nil {
			s.thin()
			return
		}
		s.putBack(cells)
		s.fail(ctx, err)
	}
}

// take returns the cells that the database lacks, in order, and takes them to be written.
func (s *Store) take() []cell {
	s.mu.Lock()
	defer s.mu.Unlock()
	var cells []cell
	for _, seq := range slices.Sorted(maps.Keys(s.dirty)) {
		cells = append(cells, s.cells[seq-s.cells[0].seq])
	}
	clear(s.dirty)
	return cells
}

// putBack is take's contrary.
func (s *Store) putBack(cells []cell) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range cells {
		s.dirty[c.seq] = true
	}
}

// thin lets go of the oldest cells that the file has and that will not change, a quarter of the limit at a time. Memory alone does
// not count as a file.
func (s *Store) thin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.inFile || s.size <= recentLimit {
		return
	}
	n := 0
	for ; s.size > recentLimit/4*3 && s.cells[n].ended && !s.dirty[s.cells[n].seq]; n++ {
		s.size -= s.cells[n].size()
	}
	s.cells = slices.Delete(s.cells, 0, n)
}

// renew has all cells that are kept of the session written: the database is another one.
func (s *Store) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.cells {
		s.dirty[c.seq] = true
	}
}

// finish writes the rest and closes the database.
func (s *Store) finish(ctx context.Context) {
	s.mu.Lock()
	added := s.added
	s.mu.Unlock()
	if added == 0 && !s.started {
		return // there is nothing to open a file for
	}
	s.tried = time.Time{} // one last attempt
	s.save(ctx)
	if s.db == nil {
		return
	}
	err := guard(s.db.end)
	if err := errors.Join(err, guard(s.db.close)); err != nil {
		s.log.Warn("history: cannot close", "path", s.path, "error", err)
	}
}

// guard calls what uses SQLite. A panic in there, which a damaged file might bring about, is to cost the history only.
func guard(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("history: SQLite panicked: %v", p)
		}
	}()
	return call()
}
