// Package session is one notebook's life as a Go session: it takes cells, checks them as Go, runs them, and renders what
// they show. It knows no front end.
//
//	s, err := session.New()
//	bundle, failure := s.Execute(ctx, session.Cell{Number: 1, Source: "x := 6\nx * 7"}, sink)
//	fmt.Println(bundle.Data["text/plain"]) // 42
//
// A cell goes through four packages below internal: split cuts it into declarations and statements, check has go/types
// judge it against what the session knows, lower turns it into a plain subset of Go, engine runs that on yaegi. Nothing
// of a cell that the check refuses has run. What lowered code needs at run time is in orthant/stdlib/rt.
//
// The rules (which name means what, what survives a failure, what is shown) are the table in rules_test.go, each with the
// session that shows it.
//
// # Input
//
// A cell that reads os.Stdin, by whatever means, or calls fmt.Scan or display.Input, asks whoever takes its output, where that
// is a display.Asker; elsewhere reading fails at once with display.ErrNoInput. What has been written before is shown first; the
// prompt of a reader is empty. An answer is a line to readers, with a line end. What a cell leaves of the line goes with the
// cell, and what a bufio.Reader has read ahead goes with that reader.
//
// # Cells at the same time
//
// Calls of Execute and Evaluate may overlap, as those of a kernel's subshells do. All cells are of one program: they share their
// names, and a variable stays where it is, so cells that use one variable at the same time are as free of races as goroutines of
// one Go program that do, and no freer.
//
//   - A cell is checked against what was defined when it was checked, and uses that to its end. Its imports, types, constants
//     and functions are there for others when it begins, its variables when it ends; of cells that define the same name the later
//     one wins.
//   - Interrupting a cell, a panic or an exit in one of its goroutines, or memory that it is out of, ends that cell and the
//     goroutines that it started. All others go on. Whose memory it is nothing tells: the cell that began last ends first,
//     and says that others were running.
//   - Output belongs to the cell whose goroutine makes it. What is written to the files os.Stdout and os.Stderr, and what comes from
//     goroutines that no cell has started, belongs to the cell that began last of those that run.
//   - What cannot be done to values in use waits until no cell runs: replaced values are freed then, and values in
//     interfaces whose type got new methods have them from then on.
//   - Cells of a subshell are numbered by CellNumber, so that messages and sources tell them apart.
//
// # What is kept
//
// A session keeps what names mean, the code that may still be called, and the texts of the cells that either leads to. Of a cell
// that has left neither a name nor code nothing is kept; of a name that was defined anew, what it meant goes unless code refers
// to it (texts.go, release). Types, their methods and generic functions stay.
//
// # Known limits
//
// Each entry has a test, in limits_test.go, which fails when the limit has gone. These are refused, with a message that says
// so:
//
//   - the generic type sql.Null of package database/sql;
//   - values of types of packages that are not compiled in, which other packages give, such as (*mat.CDense).RawCMatrix;
//   - imports of packages that are not compiled in, C and plugin among them;
//   - functions without a body, and with them go:linkname;
//   - //go:embed;
//   - goto inside a range over a function;
//   - constants that depend on a variable of the same cell: var v [3]int; const n = len(v);
//   - calls that would take from the kernel what it lives on, such as signal.Reset (exits.go);
//   - more memory than the limit, 80 % of what there is or ORTHANT_MEMORY: make panics, and a cell whose heap passes it ends;
//   - a recursion that needs more than 512 MiB of stack, or than half the limit: it is taken for endless. 200,000 calls of
//     a small function need less;
//   - more than 65,536 methods of types, promoted ones and those of pointers included, in the life of a kernel.
//
// Before these a cell is warned on standard error (warnings.go), as they give another result than compiled Go:
//
//   - reflection sees all fields of a declared struct as exported, and so do encoding/gob and text/template; fmt, log,
//     encoding/json and encoding/xml do not;
//   - hidden fields are printed by their methods where the struct is an argument of log/slog; Go calls no methods of them;
//   - runtime.Caller, runtime.Callers and debug.Stack tell of the interpreter, not of cells;
//   - a map whose keys are interfaces tells a value that a function made before its type got a method in a later cell from
//     one that was made afterwards; compiled functions other than errors.As, errors.Is and those of fmt do so, too.
//
// With these an error of the cell goes along, or they change no result:
//
//   - deferred calls run after os.Exit, as after everything that ends the process in compiled Go and a cell here, perhaps when
//     the cell's error is there already;
//   - runtime.Goexit in a cell's own goroutine ends the cell with an error;
//   - a set of flags that should exit panics;
//   - a compiled function that takes os.Stdin as a file, not as an io.Reader, finds its end, and so does another program that gets
//     the file from os.StartProcess;
//   - what package unique has been given stays in memory;
//   - an empty string that was cut off the end of another has no address, which only package unsafe can tell;
//   - a goroutine of an interrupted cell that is in compiled code for more than a tenth of a second goes on afterwards, until
//     its next call, index or pointer; the error counts these.
//
// And these end the process, as they do in compiled Go:
//
//   - concurrent map writes;
//   - the unlock of an unlocked mutex;
//   - more memory than there is in one call of compiled code;
//   - a panic in a function that compiled code calls on a goroutine of its own, but for those that are known to (callbacks.go).
package session
