package clustering

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/internal/thin"
)

// views are the checked affinities of the same n objects.
type views struct {
	n     int
	forms []form
	q     []float64 // m×m: Q_vw = <A_v, A_w>
}

// newViews checks a list of affinities.
func newViews(list []mat.Matrix) (*views, error) {
	if len(list) == 0 {
		return nil, errors.New("there are no views")
	}
	v := &views{q: make([]float64, len(list)*len(list))}
	for i, w := range list {
		g, err := newGraph(w)
		if err != nil {
			return nil, fmt.Errorf("view %d: %w", i, err)
		}
		if i > 0 && g.n != v.n {
			return nil, fmt.Errorf("view %d has %d objects, view 0 has %d", i, g.n, v.n)
		}
		v.n = g.n
		v.forms = append(v.forms, g.w)
		for j, earlier := range v.forms[:i] {
			product := inner(earlier, g.w)
			v.q[i*len(list)+j], v.q[j*len(list)+i] = product, product
		}
		v.q[i*len(list)+i] = g.norm2
	}
	return v, nil
}

// data is the Data of a Provenance: the hash of those of the views.
func (v *views) data() string {
	if len(v.forms) == 1 {
		return v.forms[0].data()
	}
	var hashes []string
	for _, f := range v.forms {
		hashes = append(hashes, f.data())
	}
	return hashAll(hashes)
}

// mean is the graph of the views' mean.
func (v *views) mean() *graph {
	f := meanForm{v}
	return &graph{n: v.n, w: f, degree: f.degrees()}
}

// A meanForm is the mean of the views, whose entries are theirs.
type meanForm struct{ *views }

func (f meanForm) multiplier(k int) func(dst, ht []float64) {
	var mul []func(dst, ht []float64)
	for _, g := range f.forms {
		mul = append(mul, g.multiplier(k))
	}
	part := make([]float64, k*f.n)
	return func(dst, ht []float64) {
		clear(dst)
		for _, m := range mul {
			m(part, ht)
			thin.AddScaled(dst, 1/float64(len(mul)), part)
		}
	}
}

func (f meanForm) degrees() []float64 {
	mean := make([]float64, f.n)
	for _, g := range f.forms {
		thin.AddScaled(mean, 1/float64(len(f.forms)), g.degrees())
	}
	return mean
}
