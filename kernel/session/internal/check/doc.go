// Package check type-checks a cell against what the session knows, with go/types.
//
// A cell is no Go file: its statements define names that its functions use, and the right side of `x := x + 1` means the
// x of an earlier cell. So a cell is checked in three passes, each a file of its own:
//
//  1. imports, types, constants and the signatures of functions and methods, which may refer to each other in any order;
//  2. the statements, as the body of one function, so that Go's rules for scopes and order hold by themselves;
//  3. the bodies of the functions and methods, which see the variables that the statements define.
//
// Only the session's names that occur in the cell are put in scope, so the cost depends on the cell, not on the session.
// All cells are one package, main, because Go compares packages by identity. A type that a later cell replaces is given the
// name "T of cell 3", which is how messages tell it from the T of cell 7.
//
// Nothing else that is already in the session is changed: where a cell adds methods to an older type, the type is copied
// first (see Rebuild), and a cell that fails leaves the copies to the garbage collector.
package check
