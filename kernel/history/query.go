package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	sqlite "github.com/ncruces/go-sqlite3"
)

// queryTime bounds how long a question waits for its answer.
const queryTime = 5 * time.Second

// All is the number of entries that asks for every one.
const All = -1

// A question asks the goroutine that has the database.
type question struct {
	ask    func(*database) ([]Entry, error)
	answer chan answer // room for one
}

type answer struct {
	entries []Entry
	err     error
}

// Tail returns the last n entries, oldest first: those of this session last, also where another kernel has begun a session
// after it, because a user who goes back through the history expects the own cells first. [All] is all; 0 is none.
func (s *Store) Tail(n int) ([]Entry, error) {
	return s.ask(func(db *database) ([]Entry, error) {
		found, err := db.entries("cells WHERE session = ? ORDER BY seq DESC LIMIT ?", db.session, n)
		if err != nil {
			return nil, err
		}
		if n >= 0 {
			n -= len(found)
		}
		earlier, err := db.entries("cells WHERE session != ? ORDER BY session DESC, seq DESC LIMIT ?", db.session, n)
		found = append(found, earlier...)
		slices.Reverse(found)
		return found, err
	})
}

// Range returns the entries of a session with start <= line < stop. A session of 0 is this one, and negative ones count back
// from it: -1 is the session whose number is one less, also if that has no cells. A stop of 0 is after the last line. Negative
// lines count from there: -1 is the last line.
func (s *Store) Range(session, start, stop int) ([]Entry, error) {
	return s.ask(func(db *database) ([]Entry, error) {
		number := session
		if number <= 0 {
			number += db.session
		}
		const where = "WHERE session = ?1 AND line >= iif(?2 < 0, ?2 + past, ?2) AND line < iif(?3 <= 0, ?3 + past, ?3)"
		const last = ", (SELECT max(line) + 1 AS past FROM cells WHERE session = ?1) "
		return db.entries("cells"+last+where+" ORDER BY seq", number, start, stop)
	})
}

// Search returns the entries whose whole input matches a pattern as that of SQLite's GLOB: * is any text, ? any character, [a-z]
// one of some and [^a-z] none of them. It returns the last n, oldest first; [All] is all, 0 is none. With unique, of entries
// with the same input only the latest counts.
func (s *Store) Search(pattern string, n int, unique bool) ([]Entry, error) {
	if len(pattern) > patternLimit {
		return nil, fmt.Errorf("history: search: a pattern of %d bytes, at most %d can be", len(pattern), patternLimit)
	}
	return s.ask(func(db *database) ([]Entry, error) {
		from := "cells WHERE input GLOB ?1"
		if unique { // SQLite takes all columns from the row that has the maximum
			from = "(SELECT *, max((session << 32) + seq) FROM " + from + " GROUP BY input)"
		}
		found, err := db.entries(from+" ORDER BY session DESC, seq DESC LIMIT ?2", pattern, n)
		slices.Reverse(found)
		return found, err
	})
}

// patternLimit is SQLITE_MAX_LIKE_PATTERN_LENGTH.
const patternLimit = 50000

// entries returns the cells that the rest of a query names.
func (db *database) entries(from string, args ...any) (found []Entry, err error) {
	err = db.query("SELECT session, line, input, output, time FROM "+from, args, func(row *sqlite.Stmt) {
		e := Entry{
			Session: row.ColumnInt(0), Line: row.ColumnInt(1), Input: row.ColumnText(2),
			Time: time.UnixMilli(row.ColumnInt64(4)).UTC(),
		}
		if row.ColumnType(3) != sqlite.NULL {
			output := row.ColumnText(3)
			e.Output = &output
		}
		found = append(found, e)
	})
	return found, err
}

// ask has the goroutine answer a question, after all cells that were noted before it.
func (s *Store) ask(ask func(*database) ([]Entry, error)) ([]Entry, error) {
	q := question{ask, make(chan answer, 1)}
	timer := time.NewTimer(queryTime)
	defer timer.Stop()
	select {
	case s.questions <- q:
	case <-s.done:
		return nil, errors.New("history: closed")
	case <-timer.C:
		return nil, fmt.Errorf("history: busy for %v, please ask again", queryTime)
	}
	select {
	case a := <-q.answer:
		return a.entries, a.err
	case <-timer.C:
		return nil, fmt.Errorf("history: no answer within %v, please ask again", queryTime)
	}
}

// answer answers a question, if the database fails then from what takes its place.
func (s *Store) answer(ctx context.Context, q question) answer {
	var a answer
	const changes = 3 // as in writeOr
	for range changes {
		if s.db == nil {
			return answer{err: errors.New("history: none, not even in memory; the log says why")}
		}
		a.err = guard(func() (err error) {
			a.entries, err = q.ask(s.db)
			return err
		})
		if a.err == nil || !broken(a.err) || !s.inFile {
			break
		}
		s.fail(ctx, a.err)
		s.writeOr(ctx)
	}
	if a.err != nil {
		return answer{err: fmt.Errorf("history: %w", a.err)}
	}
	return a
}
