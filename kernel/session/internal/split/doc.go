// Package split cuts the text of a cell into what Go's grammar knows: imports, declarations and statements.
//
// A cell may mix them in any order and may begin with a package clause; a Go file may not. Split finds the chunks of a
// cell with go/scanner, by brackets and semicolons alone, and Parse hands each kind to go/parser in a copy of the cell in
// which the other kinds are blanked out. So every node has the cell's own line and column, and a syntax error has
// go/parser's own words.
//
// The package knows no types: it accepts whatever go/parser accepts.
package split
