// Package eigen finds the leading eigenpairs of a symmetric matrix that is given by its products alone.
//
//	pairs, err := eigen.Largest(n, k, func(dst, xt []float64) { thin.SparseMulTo(dst, w, xt, len(xt)/n) }, eigen.Options{})
//
// Vectors are in the layout of package thin: k vectors are k rows of length n in one slice.
//
// The method is block Lanczos with full orthogonalisation and thick restarts (K. Wu and H. Simon, "Thick-Restart Lanczos Method
// for Large Symmetric Eigenvalue Problems", SIAM J. Matrix Anal. Appl. 22 (2000), 602-616). The block has more columns than there are
// pairs to find, so that eigenvalues of any multiplicity are found as often as they are asked for. Where a basis would be
// large beside the matrix, or the search does not end, the matrix is formed and decomposed.
package eigen
