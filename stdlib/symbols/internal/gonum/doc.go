// Package gonum holds the generated symbol tables of gonum.org/v1/gonum, one file
// a package. Only stdlib/symbols uses it.
package gonum
