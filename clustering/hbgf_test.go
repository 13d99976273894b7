package clustering

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// hbgfRows are the rows of the stacked [D₁^(-1/2) U; D₂^(-1/2) V] as the paper has them, scaled to length 1, from gonum's singular
// vectors of the dense B.
func hbgfRows(t *testing.T, p *Partitions, k int) (objects, clusters *mat.Dense, values []float64) {
	t.Helper()
	l := p.dense()
	n, columns := l.Dims()
	d1, d2 := make([]float64, n), make([]float64, columns)
	for i := range d1 {
		d1[i] = mat.Sum(l.RowView(i))
	}
	for j := range d2 {
		d2[j] = mat.Sum(l.ColView(j))
	}
	b := mat.DenseCopyOf(l)
	b.Apply(func(i, j int, x float64) float64 {
		if x == 0 {
			return 0
		}
		return x / math.Sqrt(d1[i]*d2[j])
	}, b)
	var svd mat.SVD
	if !svd.Factorize(b, mat.SVDThin) {
		t.Fatal("no singular values")
	}
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	objects, clusters = mat.NewDense(n, k, nil), mat.NewDense(columns, k, nil)
	for c := range k {
		sign := 1.0
		if column := mat.Col(nil, c, &u); slices.Max(column) < -slices.Min(column) {
			sign = -1
		}
		for i := range n {
			if d1[i] > 0 {
				objects.Set(i, c, sign*u.At(i, c)/math.Sqrt(d1[i]))
			}
		}
		for j := range columns {
			clusters.Set(j, c, sign*v.At(j, c)/math.Sqrt(d2[j]))
		}
	}
	for _, m := range []*mat.Dense{objects, clusters} {
		r, _ := m.Dims()
		for i := range r {
			if norm := floats.Norm(m.RawRowView(i), 2); norm > 0 {
				floats.Scale(1/norm, m.RawRowView(i))
			}
		}
	}
	return objects, clusters, svd.Values(nil)
}

func TestHBGFEmbedding(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	compared := 0
	for range 60 {
		const k = 3
		p := randomPartitions(8+rng.IntN(25), 2+rng.IntN(9), 3, 0.2, rng)
		placed, err := p.checkPlaced(k)
		if err != nil {
			t.Fatal(err)
		}
		objects, clusters, values := hbgfRows(t, p, k)
		res, err := HBGF{K: k}.Fit(t.Context(), p, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		for c, x := range values {
			if y := res.SingularValues[c]; math.Abs(x*x-y*y) > 1e-13 {
				t.Errorf("%v: singular value %d is %v, want %v", p, c, y, x)
			}
		}
		for i := range p.n {
			norm := mat.Norm(res.Embedding.RowView(i), 2)
			if slices.Contains(placed, i) && math.Abs(norm-1) > 1e-14 || !slices.Contains(placed, i) && norm != 0 {
				t.Errorf("%v: the row of object %d has length %v", p, i, norm)
			}
		}
		if values[0]-values[1] < 1e-3 || values[1]-values[2] < 1e-3 || values[2]-values[3] < 1e-3 {
			continue // vectors that are not determined
		}
		compared++
		if !mat.EqualApprox(res.Embedding, objects, vectorTol) || !mat.EqualApprox(res.ClusterEmbedding, clusters, vectorTol) {
			t.Errorf("%v: embeddings differ from those of the dense decomposition", p)
		}
	}
	if compared < 30 {
		t.Errorf("only %d of 60 embeddings were compared", compared)
	}
}

// TestHBGFIsKMeansOfBothSides takes the objective apart: it is what the labels of objects and clusters together have.
func TestHBGFIsKMeansOfBothSides(t *testing.T) {
	p, err := Perturb{Rate: 0.5, Selection: 1, Count: 6}.Of(classesOf(9, 7, 8), 2)
	if err != nil {
		t.Fatal(err)
	}
	const k = 4
	res, err := HBGF{K: k}.Fit(t.Context(), p, Options{Seed: 1, Restarts: 3})
	if err != nil {
		t.Fatal(err)
	}
	var rows mat.Dense
	rows.Stack(res.Embedding, res.ClusterEmbedding)
	if len(res.ClusterLabels) != p.Len() || len(res.ClusterLabels[5]) != 3 {
		t.Fatalf("labels of clusters %v", res.ClusterLabels)
	}
	labels := append(slices.Clone(res.Labels), slices.Concat(res.ClusterLabels...)...)
	if got := scatter(&rows, labels, k); math.Abs(got-res.Objective) > 1e-12 { // rounding of some hundred squares
		t.Errorf("objective %v, the labels have %v", res.Objective, got)
	}
}
