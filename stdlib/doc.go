// Package stdlib says what every session starts with. What a cell can import at all is in the packages below it: symbols
// (the compiled values) and typeinfo (their types and documentation), which are generated from one list.
package stdlib
