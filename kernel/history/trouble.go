package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	sqlite "github.com/ncruces/go-sqlite3"
)

// attach makes the file the database. If it cannot be, memory is, and the whole session is written there.
func (s *Store) attach(ctx context.Context, busy time.Duration) {
	if s.path == "" {
		s.hopeless = true
		s.remember(ctx)
		return
	}
	s.tried = time.Now()
	for {
		db, err := s.openFile(ctx, busy)
		if err == nil {
			s.use(db)
			return
		}
		if !damaged(err) || s.aside || db == nil {
			s.giveUp(ctx, err)
			return
		}
		s.aside = true
		if err := s.moveAside(db); err != nil {
			s.giveUp(ctx, err)
			return
		}
	}
}

// openFile opens the file and takes a number for the session. With an error it returns the database if it was one.
func (s *Store) openFile(ctx context.Context, busy time.Duration) (db *database, err error) {
	err = guard(func() error {
		if db, err = openFile(ctx, s.path, busy); err != nil {
			return err
		}
		return db.begin(s.session, s.start)
	})
	if err == nil {
		err = guard(func() error { return db.prune(sizeLimit) })
	}
	if err != nil && db != nil && db.conn != nil {
		return db, errors.Join(err, guard(db.close))
	}
	return db, err
}

// use makes a file the database.
func (s *Store) use(db *database) {
	s.leave()
	if s.told {
		s.log.Info("history: kept again", "path", s.path)
	}
	s.db, s.inFile, s.session = db, true, db.session
	s.renew()
}

// giveUp goes on in memory, and tells why.
func (s *Store) giveUp(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // closed: nobody is there to read it
	}
	s.hopeless = errors.Is(err, errForeign) || errors.Is(err, errNewer)
	if !s.told {
		s.told = true
		s.tell(fmt.Sprintf("history: this session is not kept: %s: %s", s.path, reason(err)))
	}
	if s.db == nil || s.inFile {
		s.remember(ctx)
	}
}

// remember makes memory the database.
func (s *Store) remember(ctx context.Context) {
	s.leave()
	err := guard(func() (err error) {
		if s.db, err = openMemory(ctx); err == nil {
			err = s.db.begin(0, s.start)
		}
		return err
	})
	if err != nil {
		s.log.Error("history: none, not even in memory", "error", err)
		s.db = nil
		return
	}
	s.renew()
}

// leave closes the database.
func (s *Store) leave() {
	if s.db == nil {
		return
	}
	if err := guard(s.db.close); err != nil {
		s.log.Warn("history: cannot close", "path", s.db.path, "error", err)
	}
	s.db, s.inFile = nil, false
}

// fail goes on after an error of the database.
func (s *Store) fail(ctx context.Context, err error) {
	if !s.inFile {
		s.log.Error("history: not even in memory", "error", err)
		return
	}
	db := s.db
	s.leave()
	if errors.Is(err, errMoved) {
		s.attach(ctx, busyTime)
		return
	}
	if damaged(err) && !s.aside {
		s.aside = true
		if err = s.moveAside(db); err == nil {
			s.attach(ctx, busyTime)
			return
		}
	}
	s.tried = time.Now()
	s.giveUp(ctx, err)
}

// tell has the user read a line, in the log and with the next cell that shows anything.
func (s *Store) tell(text string) {
	s.log.Warn(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.notice != "" {
		text = s.notice + "\n" + text
	}
	s.notice = text
}

// damaged says whether an error is that of a file which is no database any more.
func damaged(err error) bool {
	return errors.Is(err, sqlite.CORRUPT) || errors.Is(err, sqlite.NOTADB)
}

// broken says whether an error is the database's, and not that of a question.
func broken(err error) bool {
	for _, code := range []sqlite.ErrorCode{
		sqlite.CORRUPT, sqlite.NOTADB, sqlite.BUSY, sqlite.LOCKED, sqlite.FULL, sqlite.IOERR, sqlite.CANTOPEN,
		sqlite.READONLY, sqlite.PERM, sqlite.PROTOCOL,
	} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

// reason says in words what an error means and what helps.
func reason(err error) string {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	switch {
	case errors.Is(err, sqlite.BUSY), errors.Is(err, sqlite.LOCKED):
		return "another process has locked it (" + text + "); it is tried again"
	case errors.Is(err, sqlite.FULL):
		return "the disk is full (" + text + "); it is tried again"
	case errors.Is(err, sqlite.READONLY), errors.Is(err, sqlite.CANTOPEN), errors.Is(err, fs.ErrPermission):
		return "it cannot be written (" + text + "); " + Variable + " can name another file"
	case errors.Is(err, errForeign), errors.Is(err, errNewer):
		return text + "; " + Variable + " can name another file"
	}
	return text
}
