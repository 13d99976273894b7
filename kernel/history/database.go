package history

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	sqlite "github.com/ncruces/go-sqlite3"
)

// The form of the file. A file whose user_version is higher is left alone.
const (
	applicationID = 0x6f727468 // "orth"
	formatVersion = 1
	schema        = `
		CREATE TABLE sessions (
			session INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice
			start   INTEGER NOT NULL,                  -- milliseconds since 1970, UTC, as all times here
			stop    INTEGER                            -- NULL while it runs, and for ever if it was killed
		);
		CREATE TABLE cells (
			session INTEGER NOT NULL,
			seq     INTEGER NOT NULL, -- the cell's place in its session, from 0
			line    INTEGER NOT NULL,
			input   TEXT NOT NULL,
			output  TEXT,
			time    INTEGER NOT NULL,
			PRIMARY KEY (session, seq)
		);`
)

// settings are those of every connection. The journal is SQLite's old one, not the write-ahead log, whose shared memory does
// not work on network file systems, where many users of Jupyter have their homes.
const settings = `
	PRAGMA journal_mode = TRUNCATE;
	PRAGMA synchronous = NORMAL;
	PRAGMA trusted_schema = OFF;
	PRAGMA cell_size_check = ON;`

// Errors for which no attempt will help.
var (
	errForeign = errors.New("it is the database of another program")
	errNewer   = errors.New("it was written by a newer orthant")
)

// errMoved says that the file is not where it was opened, see here.
var errMoved = errors.New("history: the file was moved or deleted")

// A database is an open file of the history, or one in memory, and the running session in it. One goroutine uses it.
type database struct {
	conn    *sqlite.Conn
	path    string      // empty in memory
	file    os.FileInfo // which file it is, wherever it may be moved; nil in memory
	session int
}

// openFile opens the file, or makes it and its folder. Waits for other processes take at most busy, all waits end with ctx.
func openFile(ctx context.Context, path string, busy time.Duration) (*database, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	info, err := makeFile(path)
	if err != nil {
		return nil, err
	}
	return open(ctx, path, busy, info)
}

// address returns the URI of a file, which has SQLite give its journal the file's mode.
//
// https://sqlite.org/uri.html
func address(path string) string {
	if runtime.GOOS == "windows" {
		return path // with other separators, and without modes
	}
	mode := strings.ReplaceAll(url.QueryEscape(path), "+", "%20") // to SQLite a plus is a plus
	return (&url.URL{Scheme: "file", Path: path, RawQuery: "modeof=" + mode}).String()
}

// makeFile makes a file if there is none, and says which it is. SQLite would make one that all can read.
func makeFile(path string) (os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	return info, nil
}

// openMemory opens a database in memory.
func openMemory(ctx context.Context) (*database, error) { return open(ctx, "", 0, nil) }

func open(ctx context.Context, path string, busy time.Duration, file os.FileInfo) (*database, error) {
	db := &database{path: path, file: file}
	name, flags := ":memory:", sqlite.OPEN_READWRITE|sqlite.OPEN_CREATE
	if file != nil {
		name, flags = address(path), sqlite.OPEN_READWRITE|sqlite.OPEN_URI
	}
	conn, err := sqlite.OpenFlags(name, flags)
	if err != nil {
		return db, err
	}
	db.conn = conn
	conn.SetInterrupt(ctx)
	err = conn.BusyTimeout(busy)
	if err == nil {
		err = conn.Exec(settings)
	}
	if err == nil {
		err = db.prepare()
	}
	if err != nil {
		return db, errors.Join(err, db.close())
	}
	return db, nil
}

// prepare makes the tables of a new file, and refuses one that is not ours.
func (db *database) prepare() (err error) {
	tx, err := db.conn.BeginImmediate()
	if err != nil {
		return err
	}
	defer tx.End(&err)
	id, err := db.number("PRAGMA application_id")
	if err != nil {
		return err
	}
	version, err := db.number("PRAGMA user_version")
	if err != nil {
		return err
	}
	tables, err := db.number("SELECT count(*) FROM sqlite_schema")
	switch {
	case err != nil:
		return err
	case id == applicationID && version > formatVersion:
		return fmt.Errorf("%w (format %d, this one knows %d)", errNewer, version, formatVersion)
	case id == applicationID && version == formatVersion:
		return nil
	case tables > 0 || id != 0 || version != 0:
		return errForeign
	}
	return db.conn.Exec(fmt.Sprintf("%s PRAGMA application_id = %d; PRAGMA user_version = %d;", schema, applicationID, formatVersion))
}

// begin takes a number for the running session: the one it had before, if this is the file in which it had it, or a new one.
func (db *database) begin(before int, start time.Time) error {
	err := db.query("SELECT session FROM sessions WHERE session = ? AND start = ?", []any{before, start.UnixMilli()},
		func(row *sqlite.Stmt) { db.session = row.ColumnInt(0) })
	if err != nil || db.session != 0 {
		return err
	}
	err = db.exec("INSERT INTO sessions (start) VALUES (?)", start.UnixMilli())
	db.session = int(db.conn.LastInsertRowID())
	return err
}

// write writes cells of the session, all or none. Those that are there already get their output.
func (db *database) write(cells []cell) (err error) {
	if len(cells) == 0 {
		return nil
	}
	tx, err := db.conn.BeginImmediate()
	if err != nil {
		return err
	}
	defer tx.End(&err)
	if !db.here() {
		return errMoved
	}
	for _, c := range cells {
		var output any
		if c.Output != nil {
			output = *c.Output
		}
		err = db.exec(`INSERT INTO cells (session, seq, line, input, output, time) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (session, seq) DO UPDATE SET output = excluded.output`,
			db.session, c.seq, c.Line, c.Input, output, c.Time.UnixMilli())
		if err != nil {
			return err
		}
	}
	return nil
}

// end notes that the session has ended as it should.
func (db *database) end() error {
	return db.exec("UPDATE sessions SET stop = ? WHERE session = ?", time.Now().UnixMilli(), db.session)
}

// exec executes a statement.
func (db *database) exec(sql string, args ...any) error {
	return db.query(sql, args, func(*sqlite.Stmt) {})
}

// number returns the one number that a query has for an answer.
func (db *database) number(sql string) (n int64, err error) {
	err = db.query(sql, nil, func(row *sqlite.Stmt) { n = row.ColumnInt64(0) })
	return n, err
}

// query calls each for every row of the answer. Arguments are int, int64, string or nil.
func (db *database) query(sql string, args []any, each func(row *sqlite.Stmt)) (err error) {
	stmt, _, err := db.conn.Prepare(sql)
	if err != nil {
		return err
	}
	defer func() {
		if closing := stmt.Close(); err == nil { // else it says the same again
			err = closing
		}
	}()
	for i, arg := range args {
		switch arg := arg.(type) {
		case nil:
			err = stmt.BindNull(i + 1)
		case int:
			err = stmt.BindInt(i+1, arg)
		case int64:
			err = stmt.BindInt64(i+1, arg)
		case string:
			err = stmt.BindText(i+1, arg)
		default:
			err = fmt.Errorf("history: an argument of type %T", arg)
		}
		if err != nil {
			return err
		}
	}
	for stmt.Step() {
		each(stmt)
	}
	return stmt.Err()
}

// here says whether the file is still where it was opened. Another kernel may have moved it aside, or the user deleted it;
// what is written to it then is lost. In memory it is.
func (db *database) here() bool {
	if db.file == nil {
		return true
	}
	now, err := os.Stat(db.path)
	return err == nil && os.SameFile(db.file, now)
}

func (db *database) close() error { return db.conn.Close() }
