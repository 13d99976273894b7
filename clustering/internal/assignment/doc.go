// Package assignment matches rows with columns one to one so that the sum of the matched entries is largest: the assignment
// problem, in O(r²c) for an r×c matrix with r <= c.
package assignment
