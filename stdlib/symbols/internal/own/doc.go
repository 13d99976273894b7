// Package own holds the generated symbol tables of our own packages, one file
// a package. Only stdlib/symbols uses it.
package own
