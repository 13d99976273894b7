// Package plot holds the generated symbol tables of gonum.org/v1/plot, one file
// a package. Only stdlib/symbols uses it.
package plot
