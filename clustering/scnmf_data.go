package clustering

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
	"orthant/clustering/internal/thin"
)

// scnmfData is what all runs read.
type scnmfData struct {
	n, m    int
	x       []float64        // n×m: X, rows of norm 1
	s       []float64        // n×n: S; nil if it is not formed
	norm2   float64          // ‖X‖²
	cosine2 float64          // ‖S‖²; 0 with λ = 0, where nobody asks
	graph   *affinity.Sparse // W
	degree  []float64        // length n, without W's diagonal
}

func newSCNMFData(m SCNMF, given *mat.Dense) (*scnmfData, error) {
	n, columns := given.Dims()
	d := &scnmfData{n: n, m: columns, x: make([]float64, n*columns), graph: m.Graph, degree: make([]float64, n)}
	for i := range n {
		row := d.row(i)
		copy(row, given.RawRowView(i))
		unit(row)
		d.norm2 += thin.Dot(row, row)
	}
	if d.graph == nil {
		var err error
		if d.graph, err = affinity.SCNMFGraph().Of(given); err != nil {
			return nil, err
		}
	}
	for i := range n {
		cols, values := d.graph.Row(i)
		for t, j := range cols {
			if j != i {
				d.degree[i] += values[t]
			}
		}
	}
	switch {
	case m.formsCosines(n, columns):
		d.s = make([]float64, n*n)
		thin.GramTo(d.s, d.x, d.x, n)
		d.cosine2 = thin.Dot(d.s, d.s)
	case m.Lambda > 0:
		d.cosine2 = gramNorm2(thin.Transposed(mat.NewDense(n, columns, d.x)), columns)
	}
	return d, nil
}

func (d *scnmfData) row(i int) []float64 { return d.x[i*d.m : (i+1)*d.m] }

// gramNorm2 is ‖YYᵀ‖² = ‖YᵀY‖² for Y with the given number of rows.
func gramNorm2(y []float64, rows int) float64 {
	sum, n := 0.0, len(y)/rows
	for a := range rows {
		ya := y[a*n : (a+1)*n]
		g := thin.Dot(ya, ya)
		sum += float64(g * g)
		for b := range a {
			g = thin.Dot(ya, y[b*n:(b+1)*n])
			sum += float64(2 * g * g)
		}
	}
	return sum
}

// unit scales x >= 0, which is not zero, to norm 1, whatever its size.
func unit(x []float64) {
	normalizeMax(x)
	norm := math.Sqrt(thin.Dot(x, x))
	for j := range x {
		x[j] /= norm
	}
}
