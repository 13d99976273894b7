// Package split cuts the text of a cell into what Go's grammar knows: imports, declarations and statements.
//
// A cell may mix them in any order and may begin with a package clause; a Go file may not. Parse finds the chunks of a
// cell with go/scanner, by brackets and semicolons alone, and hands each kind to go/parser in a copy of the cell in which
// the other kinds are blanked out. So every node has the cell's own line and column, and a syntax error has go/parser's
// own words:
//
//	files := token.NewFileSet()
//	cell, errs := split.Parse(files, 3, "x := double(21)\nfunc double(n int) int { return 2 * n }")
//	// cell.Body has the first line, cell.Funcs the second.
//
// Completes tells cells that are whole from those that need more lines and those that no line can save. Recover and Mend
// parse what is being typed, for completion and inspection.
//
// The package knows no types: it accepts whatever go/parser accepts.
package split
