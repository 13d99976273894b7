package clustering

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// MatrixInequality returns both sides of the inequality (7) of Xia and Ding (ICDM Workshops 2010), on which the convergence of
// their update rests:
//
//	Tr(H A Hᵀ H B Hᵀ) <= Σ_ik [(H'A H'ᵀH'B + H'B H'ᵀH'A)/2]_ik · H_ik⁴ / H'_ik³
//
// for A and B symmetric and nonnegative, k×k, H nonnegative and H' positive, n×k (hp is H'). The sides are equal for H = H'.
// Symmetry is needed: without it the left side can be more than twice the right one. Input outside these conditions is an
// error. The printed "A2)ik" stands for "A)/2)ik".
func MatrixInequality(a, b, h, hp *mat.Dense) (lhs, rhs float64, err error) {
	if err := checkInequality(a, b, h, hp); err != nil {
		return 0, 0, fmt.Errorf("clustering: MatrixInequality: %w", err)
	}
	var gram, ag, bg, product mat.Dense
	gram.Mul(h.T(), h)
	ag.Mul(a, &gram)
	bg.Mul(b, &gram)
	product.Mul(&ag, &bg)
	lhs = mat.Trace(&product) // Tr(A HᵀH B HᵀH), cyclically equal to the trace in (7)

	var pa, pb, pag, pbg, pagb, pbga mat.Dense
	gram.Mul(hp.T(), hp)
	pa.Mul(hp, a)
	pag.Mul(&pa, &gram)
	pagb.Mul(&pag, b)
	pb.Mul(hp, b)
	pbg.Mul(&pb, &gram)
	pbga.Mul(&pbg, a)
	n, k := h.Dims()
	for i := range n {
		for j := range k {
			u := h.At(i, j) / hp.At(i, j)
			rhs += (pagb.At(i, j) + pbga.At(i, j)) / 2 * u * u * u * h.At(i, j)
		}
	}
	return lhs, rhs, nil
}

// checkInequality holds the arguments to the conditions of (7).
func checkInequality(a, b, h, hp *mat.Dense) error {
	for _, m := range []struct {
		name string
		m    *mat.Dense
	}{{"A", a}, {"B", b}, {"H", h}, {"H'", hp}} {
		if m.m == nil || m.m.IsEmpty() {
			return errors.New(m.name + " is nil or empty")
		}
		if err := checkNonnegative(m.name, m.m); err != nil {
			return err
		}
	}
	n, k := h.Dims()
	if r, c := hp.Dims(); r != n || c != k {
		return fmt.Errorf("H is %d×%d but H' is %d×%d", n, k, r, c)
	}
	for _, m := range []struct {
		name string
		m    *mat.Dense
	}{{"A", a}, {"B", b}} {
		if r, c := m.m.Dims(); r != k || c != k {
			return fmt.Errorf("%s is %d×%d, want %d×%d", m.name, r, c, k, k)
		}
		if err := checkSymmetric(m.name, m.m); err != nil {
			return err
		}
	}
	for i := range n {
		for j, x := range hp.RawRowView(i) {
			if x == 0 {
				return fmt.Errorf("H'[%d,%d] is zero, want it positive", i, j)
			}
		}
	}
	return nil
}
