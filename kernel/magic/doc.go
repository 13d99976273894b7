// Package magic gives cells what is not Go: lines that begin with % or !, and cells that begin with %%. An [Interpreter] wraps
// a session and is used like one:
//
//	s, err := session.New()
//	i := magic.New(s, magic.Options{})
//	i.Execute(ctx, session.Cell{Number: 1, Source: "x := 6\n!ls\n%time x * 7"}, sink)
//
// A cell without magics goes to the session byte for byte. The magics are few; they stand in one table (table.go), which %help
// prints, and each has a file.
//
// # What is a magic
//
// A line magic begins with % where a statement of Go begins, at the top of the cell. There no Go can stand: a line that ends
// in an operator goes on in the next, and so do open brackets, back-quoted strings and comments. Inside a block, or behind :=
// or a bracket, it is an error that says so.
//
// A line that begins so with ! is a command of the shell, unless it is Go: an expression whose names the session knows, or the
// Go lines in front of it mention. What ! negates must be able to be a boolean, which no package, type or function is. So !ok
// is Go behind ok := f(), !ls -l and !make never are, and !date is Go only where there is a variable date.
//
// A cell magic begins with %% in the first line that is not blank, and takes the rest of the cell.
//
// # Parts
//
// The Go between magics runs in parts, in order: the lines in front of a magic have run when it does, and the lines behind it
// see what it has changed. Go's rules hold for a part. It is checked when it is its turn; a function can be used in front of
// its declaration only in the same part; what a part defers runs at the part's end, where a return leads, too. A panic in a
// goroutine of one part, while another runs, is reported and does not fail the cell. The cell's result is that of its last
// part. The limit of a cell's text, and what is left of a line that was typed for it, are the cell's. One compile unit, with a
// call in the place of each magic, would keep the cell whole, but cannot be had: what %run defines and %reset forgets decides
// how the lines behind them are to be checked.
//
// What can be known to be wrong before anything has run is told before: unknown magics, wrong arguments, and syntax errors in
// any part. Messages name the lines of the cell.
package magic
