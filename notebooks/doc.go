// Package notebooks holds the notebooks that teach, and the tests that keep them true. It has no code of its own.
//
// tour.ipynb goes from data to a conclusion: what the orthogonality constraint of SNMF-Ncut is for.
//
// The tests ask of every notebook in this folder that it is saved without outputs, formatted as gofmt formats, free of
// hidden seeds and of times, and that each cell has prose above it. They run it here and, through Jupyter's nbclient and
// an installed kernelspec, as a reader does, and compare the two. What the tour's prose tells its reader to expect is a
// table in claims_test.go: change the one and the test asks for the other.
//
// To look at a notebook with its outputs:
//
//	orthant run tour.ipynb -o tour.out.ipynb
package notebooks
