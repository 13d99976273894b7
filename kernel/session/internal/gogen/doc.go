// Package gogen writes small random Go programs for tests that compare what runs them. No other package but tests imports
// it.
//
//	source := gogen.Program(17) // package main, with a func main
//
// The same seed gives the same program. A program is well-typed by construction, ends, prints everything that it works
// out with package fmt, and depends on nothing that Go leaves open: it reads no variable in an expression that calls what
// writes it, converts no float to an integer, ranges over no map with more than one key, prints no address, and has
// goroutines only where they cannot change the output. Panics are recovered and printed.
//
// What programs are made of is in one file each: types and their methods (types.go, decls.go), expressions (exprs.go),
// statements by kind (stmts.go, loops.go, choices.go, panics.go), generic declarations (generics.go), printing (print.go).
package gogen
