// Package std holds the generated symbol tables of the standard library, one file
// a package. Only stdlib/symbols uses it.
package std
