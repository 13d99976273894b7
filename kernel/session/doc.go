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
// # Known limits
//
// These are refused, with a message that says so:
//
//   - the generic type sql.Null of package database/sql;
//   - types that refer to themselves without a struct between (type Tree []Tree), and structs that refer to each other
//     through an embedded pointer;
//   - goto inside a range over a function;
//   - variables of a pasted program that are used before they are declared, other than by functions;
//   - a variable whose type is an unexported type of a compiled package;
//   - calls that would take from the kernel what it lives on, such as signal.Reset (exits.go);
//   - more memory than the limit, 80 % of what there is or ORTHANT_MEMORY: make panics, and a cell whose heap passes it ends.
//
// These give another result than compiled Go. Most are among the sessions listed in testdata/sessions/known.txt:
//
//   - compiled code that takes a value of a type declared in a cell as an interface sees neither the type's name nor,
//     unless it is the argument itself, its methods: %v of a Stringer inside another value, %d of a Stringer, %+v, %T, JSON of
//     unexported fields and of Marshalers inside other values, reflection;
//   - an error that is a struct, not a pointer to one, prints right but is no longer that struct: assertions, type switches
//     and errors.As do not find it;
//   - inside an interface a named type that is no struct is its underlying type: type switches, assertions, comparisons;
//     so is one of the interfaces that cells declare, to an assertion from any;
//   - a nil pointer of a declared type in an error is a nil error; a type switch does not see that an interface of a cell's
//     is nil;
//   - the text of an index panic lacks the index;
//   - reflection, text/template, log/slog and encoding/gob take fields with lower-case names for exported ones;
//   - a map whose keys are interfaces tells a value that a function made before its type got a method in a later cell from
//     one that was made afterwards; compiled functions other than errors.As, errors.Is and those of fmt do so, too;
//   - what ends the process ends the cell: after os.Exit deferred calls run, Fatal of a log.Logger is Panic, and a set of
//     flags that should exit panics;
//   - a recursion of more than about 50,000 calls is taken for endless;
//   - a goroutine of an interrupted cell that is in compiled code for more than a tenth of a second goes on afterwards, until
//     its next call, index or pointer.
//
// And these end the process, as they do in compiled Go: concurrent map writes, unlock of an unlocked mutex, running out of
// memory in one call of compiled code.
package session
