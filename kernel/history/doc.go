// Package history keeps the cells that a user has executed, over all sessions, and finds them again.
//
//	s := history.OpenUser(log) // at once; the file is opened in the background
//	at := s.Add(1, "1 + 1")    // before the cell runs
//	s.End(at, &result)         // after it, with "2"
//	entries, err := s.Search("1*", history.All, false)
//	err = s.Close(ctx)
//
// A [Store] is the session of one kernel process, an [Entry] a cell. The package does not know messages, nor what a cell
// means.
//
// # Where
//
// [Path] says which file it is: history.sqlite in the folder orthant of the user's data ($XDG_DATA_HOME or ~/.local/share on
// Linux, ~/Library/Application Support on macOS, %LOCALAPPDATA% on Windows), or the one that ORTHANT_HISTORY names; "off" is
// none. The file and its journal have mode 0600, a folder made for them 0700.
//
// # When
//
// One goroutine has the database. What a cell adds goes into memory, from where that goroutine writes it at once, all that has
// gathered in one transaction; a cell never waits. An input is handed over before its cell runs, an output after it, and either
// is in the file a commit later: what ends the process before that takes the cell with it. From then on it survives the end of
// the process, kill -9 included, and, since each transaction is synced, that of the machine. A question waits for what was added
// before it. Close writes the rest.
//
// # Sessions
//
// A session has the next number of the file, which no other ever gets, however many kernels start at once. Sessions
// that run at the same time wait for each other's transactions and no longer. Subshells share the session of their kernel;
// as their counts may be the same as the shell's, a cell is known by its place in the session and not by its line.
//
// # Trouble
//
// Whatever happens to the file costs the history only. A damaged file is moved aside, under a name that says so, and a new one
// begun. Where a file cannot be used (no permission, a full disk, a lock that another process does not let go, a version
// of the future, another program's database), memory takes its place, so that the session's own cells are still found; every
// 30 s, and at the end, it is tried again, and then all of the session goes into the file. The session's number may be
// another one until then. [Store.Notice] tells the user once. A file that is deleted or moved while sessions run is
// begun anew with the cells of these, as far as they are in memory: the latest MiB.
//
// # Limits
//
// An input is kept up to [InputLimit], an output up to [OutputLimit]; a mark says what is missing. When a session begins and the
// file is larger than 256 MiB, the oldest cells go, until a quarter of it is free. (IPython has neither limit.)
//
// # Why SQLite, and which
//
// Compared were bbolt, modernc.org/sqlite and github.com/ncruces/go-sqlite3. bbolt is smaller by megabytes, and compiles and
// searches faster. But it holds an exclusive lock for as long as a file is open: a second kernel would have no history. Both
// SQLites serve the queries well and fit beside the interpreter. ncruces' runs in a memory of its own with checked bounds, so that a damaged
// file is an error and not a fault of the process; its locks belong to an open file and not to the process; it has two
// small modules behind it instead of eight, and its own interface without database/sql.
//
// The journal is SQLite's rollback journal, with synchronous NORMAL. The write-ahead log needs no sync for a commit, but its shared
// memory does not work on network file systems. What a cell, a commit and opening take is told by
//
//	go test ./kernel/history -run '^$' -bench .
package history
