package affinity

// Constrained Laplacian rank.
//
//	min Σ_i ‖s_i − a_i‖²   over S with rows on the simplex and rank L_S = n − k
//
//	A  n×n  the initial graph, see CLRInitial
//	S  n×n  the graph that is looked for, zero where A is
//	L  n×n  the Laplacian of (S + Sᵀ)/2; its rank is n − k if and only if the graph has k connected components
//	F  n×k  the eigenvectors of L with the k lowest eigenvalues
//
// F. Nie, X. Wang, M. Jordan and H. Huang, "The Constrained Laplacian Rank Algorithm for Graph-Based Clustering", AAAI 2016 (algorithm 1, CLR_L2):
// the rank is enforced by λ·Tr FᵀLF, FᵀF = I, minimised in turns over F and over the rows of S, which are projections on the simplex.
//
// Where this departs from the paper, as the authors' own programme does: λ begins at 0.1; it is doubled while there are too few
// components and halved while there are too many, where F stays; there are 30 rounds at most. A sum of eigenvalues is taken for 0
// below 1e-10. The entries of S that are rounding of the projection are 0.
//
// A round takes the k+1 lowest eigenpairs of L, by block Lanczos on products with the sparse graph, and n·p·k operations.

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/eigen"
	"orthant/clustering/internal/simplex"
	"orthant/clustering/internal/thin"
)

const (
	clrLambda = 0.1
	clrRounds = 30
	// clrZero is what a sum of eigenvalues of L is taken for 0 below; degrees are of size 1.
	clrZero = 1e-10
	// clrRounding is what an entry of S is taken for 0 below: sums of a few numbers of size 1 have less.
	clrRounding = 1e-14
	// clrResidual is the residual of eigenvectors. The eigenvalues' errors are far below clrZero then.
	clrResidual = 1e-12
)

// CLR is constrained Laplacian rank (Nie, Wang, Jordan and Huang, AAAI 2016): the graph nearest to [CLRInitial] that falls into K connected
// components, which are clusters by themselves. Edges are removed and weights changed; none is added.
type CLR struct {
	// K is the number of components, 1..n.
	K int
	// Neighbors is that of CLRInitial, >= 1; 0 means 10.
	Neighbors int
	// Lambda is the weight of the rank in the first round, > 0; 0 means 0.1.
	Lambda float64
	// MaxRounds bounds the rounds, >= 1; 0 means 30.
	MaxRounds int
}

// CLRResult is what CLR returns.
type CLRResult struct {
	// Graph, n×n, is the graph of the last round, symmetric to the bit, with a zero diagonal.
	Graph *Sparse
	// Reached says that L has K eigenvalues of 0 and not K+1. Otherwise Graph is as far as the rounds came.
	Reached bool
	// Components is the number of connected components of Graph.
	Components int
	// Rounds is the number of rounds.
	Rounds int
	// Lambda is the weight in the last round.
	Lambda float64
}

// Of returns the graph of the rows of x, n×m. A context that ends is an error that wraps ctx.Err(); it is looked at once in a round. That K
// components were not reached is no error: see Reached. An initial graph that has more than K components never reaches K.
func (c CLR) Of(ctx context.Context, x mat.Matrix) (*CLRResult, error) {
	res, err := c.of(ctx, x)
	if err != nil {
		return nil, fmt.Errorf("affinity: CLR: %w", err)
	}
	return res, nil
}

func (c CLR) of(ctx context.Context, x mat.Matrix) (*CLRResult, error) {
	switch {
	case c.K < 1:
		return nil, fmt.Errorf("K = %d, want at least 1", c.K)
	case !(c.Lambda >= 0 && c.Lambda <= math.MaxFloat64):
		return nil, fmt.Errorf("Lambda = %g, want a finite number > 0", c.Lambda)
	case c.MaxRounds < 0:
		return nil, fmt.Errorf("MaxRounds = %d, want at least 1", c.MaxRounds)
	}
	if c.Lambda == 0 {
		c.Lambda = clrLambda
	}
	if c.MaxRounds == 0 {
		c.MaxRounds = clrRounds
	}
	directed, err := CLRInitial{Neighbors: c.Neighbors}.directed(x)
	if err != nil {
		return nil, err
	}
	if n, _ := directed.Dims(); c.K > n {
		return nil, fmt.Errorf("K = %d exceeds the %d objects", c.K, n)
	}
	return c.rounds(ctx, symmetrized(directed, mean))
}

// rounds is the algorithm on the initial graph a.
func (c CLR) rounds(ctx context.Context, a *Sparse) (*CLRResult, error) {
	f, err := lowest(a, c.K, nil)
	if err != nil {
		return nil, err
	}
	res := &CLRResult{Lambda: c.Lambda}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		res.Rounds++
		res.Graph = symmetrized(project(a, f.vectors, c.K, res.Lambda), func(x, y float64) float64 {
			if v := mean(x, y); v > clrRounding {
				return v
			}
			return 0
		})
		next, err := lowest(res.Graph, c.K, f.vectors)
		if err != nil {
			return nil, err
		}
		few, many := next.sum > clrZero, next.sumAbove < clrZero
		if res.Reached = !few && !many; res.Reached || res.Rounds == c.MaxRounds {
			res.Components = res.Graph.components()
			return res, nil
		}
		if few {
			res.Lambda *= 2
			f = next
		} else {
			res.Lambda /= 2 // with F from before
		}
	}
}

// project returns S: each row of a − (λ/2)·‖f_i − f_j‖², projected onto the simplex of its entries. ft has the columns of F as rows, k
// of which are used. Entries may be zero.
func project(a *Sparse, ft []float64, k int, lambda float64) *Sparse {
	s := &Sparse{r: a.r, c: a.c, start: a.start, cols: a.cols, values: make([]float64, len(a.values))}
	sorted := make([]float64, len(a.values))
	n := a.r
	parallelRows(n, func(i int) {
		cols, values := a.Row(i)
		if len(cols) == 0 {
			return // a single object
		}
		_, row := s.Row(i)
		for t, j := range cols {
			d2 := 0.0
			for c := 0; c < k*n; c += n {
				d := ft[c+i] - ft[c+j]
				d2 += float64(d * d)
			}
			row[t] = values[t] - float64(lambda/2*d2)
		}
		simplex.Project(row, row, sorted[a.start[i]:a.start[i+1]])
	})
	return s
}

// spectrum is the low end of the spectrum of a Laplacian.
type spectrum struct {
	vectors       []float64 // the k+1 lowest, or k = n, as rows
	sum, sumAbove float64   // of the k and of the k+1 lowest eigenvalues
}

// lowest computes it for the graph w, from vectors that are near. The lowest of L are the largest of cI − L, with c >= ‖L‖.
func lowest(w *Sparse, k int, near []float64) (*spectrum, error) {
	n := w.r
	degree, c := make([]float64, n), 0.0
	for i := range n {
		_, values := w.Row(i)
		degree[i] = thin.Sum(values)
		c = max(c, 2*degree[i])
	}
	pairs, err := eigen.Largest(n, min(k+1, n), func(dst, xt []float64) {
		thin.SparseMulTo(dst, w, xt, len(xt)/n)
		for first := 0; first < len(xt); first += n {
			x, y := xt[first:first+n], dst[first:first+n]
			for i, d := range degree {
				y[i] += float64((c - d) * x[i])
			}
		}
	}, eigen.Options{Start: near, Tol: clrResidual})
	if err != nil {
		return nil, err
	}
	s := &spectrum{vectors: pairs.Vectors, sumAbove: math.Inf(1)}
	for i, value := range pairs.Values {
		if i < k {
			s.sum += c - value
		} else {
			s.sumAbove = s.sum + (c - value)
		}
	}
	return s, nil
}

// components counts the connected components of a symmetric matrix.
func (s *Sparse) components() int {
	seen, count := make([]bool, s.r), 0
	var open []int
	for first := range s.r {
		if seen[first] {
			continue
		}
		count++
		seen[first] = true
		for open = append(open, first); len(open) > 0; {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			cols, _ := s.Row(i)
			for _, j := range cols {
				if !seen[j] {
					seen[j] = true
					open = append(open, j)
				}
			}
		}
	}
	return count
}
