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
)

// How long the goroutine of a store waits for other processes that hold the file.
const (
	busyTime      = 2 * time.Second
	busyRetryTime = 200 * time.Millisecond // once it is known that they are in the way
	retryTime     = 30 * time.Second       // between attempts to use a file that could not be used
)

// A Store keeps the cells of one session and finds those of all. Make one with [Open]. Its methods are safe for concurrent
// use. Add, SetOutput and Notice never wait for a disk.
type Store struct {
	path  string // empty for none
	log   *slog.Logger
	start time.Time

	mu     sync.Mutex
	cells  []cell       // of this session, all of them: a file may have to be begun anew at any time
	dirty  map[int]bool // which of them, by seq, are not in the database
	notice string       // not told yet
	wake   chan struct{}

	questions chan question
	closing   chan struct{}
	closeOnce sync.Once
	done      chan struct{}      // closed when the goroutine has ended
	cancel    context.CancelFunc // ends what SQLite does

	// Of the goroutine alone.
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
	seq int
}

// Open returns the store of a new session in the file at path. With an empty path the session is kept in memory only. It
// returns at once: the file is opened in the background, and what goes wrong there is a [Store.Notice]. A nil log discards.
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

// Add notes a cell that begins, so that it is known even if it ends the process. It returns what SetOutput wants to know the
// cell by. Of a blank cell nothing is kept.
func (s *Store) Add(line int, input string) (seq int) {
	e := newEntry(line, input)
	if strings.TrimSpace(e.Input) == "" {
		return -1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	seq = len(s.cells)
	s.cells = append(s.cells, cell{e, seq})
	s.touch(seq)
	return seq
}

// SetOutput notes the text of the result of a cell that Add has noted.
func (s *Store) SetOutput(seq int, text string) {
	if seq < 0 {
		return
	}
	text = cut(text, OutputLimit)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[seq].Output = &text
	s.touch(seq)
}

// touch has the goroutine write a cell. The caller holds mu.
func (s *Store) touch(seq int) {
	s.dirty[seq] = true
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
	s.attach(ctx, busyTime)
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
		cells = append(cells, s.cells[seq])
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

// renew has all cells of the session written: the database is another one.
func (s *Store) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for seq := range s.cells {
		s.dirty[seq] = true
	}
}

// finish writes the rest and closes the database.
func (s *Store) finish(ctx context.Context) {
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
