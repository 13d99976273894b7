// Package memory refuses allocations that would end the process: the Go runtime cannot recover from running out of memory,
// and a notebook's variables would be lost with it.
//
// The limit is what the environment variable ORTHANT_MEMORY says (bytes, or a number with K, M, G, T and optionally iB or B,
// all powers of 1024: "2G", "512MiB"), otherwise 80 % of the smaller of the machine's physical memory and the control group's limit.
// Where neither can be found there is no limit.
package memory
