package clustering_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering"
)

// pairs is another view of the objects of cliques, in which the two cliques are joined and 6 belongs to the second.
func pairs() *mat.Dense {
	w := mat.NewDense(7, 7, nil)
	for i := range 7 {
		for j := range 7 {
			switch {
			case (i < 3) == (j < 3):
				w.Set(i, j, 1)
			case i < 6 && j < 6:
				w.Set(i, j, 0.2)
			}
		}
	}
	return w
}

func ExampleONGC() {
	res, err := clustering.NewONGC(2).Fit(context.Background(), pairs(), clustering.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	same := res.Labels[0]
	for _, l := range res.Labels {
		fmt.Print(l == same, " ")
	}
	fmt.Printf("%v\n", res.Status)
	// Output: true true true false false false false converged
}

func ExampleNewONGC() {
	fmt.Println(clustering.NewONGC(3))
	// Output: ONGC{K: 3, Mu: 0.1}
}

func ExampleUmvONGC() {
	views := []mat.Matrix{cliques(), pairs()}
	res, err := clustering.UmvONGC{K: 2, Mu: 1}.Fit(context.Background(), views, clustering.Options{Seed: 1, Restarts: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("weights %.2f, together: %v %v\n", res.Weights, res.Labels[0] == res.Labels[2], res.Labels[3] == res.Labels[6])
	// Output: weights [1.00 0.00], together: true true
}

func ExampleUmvONGC_Variant() {
	views := []mat.Matrix{cliques(), pairs()}
	for _, equal := range []bool{false, true} {
		v := clustering.UmvONGC{K: 2, Mu: 1, EqualWeights: equal}.Variant("", views, clustering.Options{})
		res, err := v.Run(context.Background(), 1)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.2f\n", v.Name, res.Trace.Weights[res.Iterations])
	}
	// Output:
	// UmvONGC{K: 2, Mu: 1}: [1.00 0.00]
	// UmvONGC{K: 2, Mu: 1, EqualWeights: true}: [0.50 0.50]
}

func ExampleNewUmvONGC() {
	fmt.Println(clustering.NewUmvONGC(3))
	// Output: UmvONGC{K: 3, Mu: 0.1}
}

func ExampleONGC_Variant() {
	v := clustering.ONGC{K: 2, RandomStart: true}.Variant("random start", cliques(), clustering.Options{})
	res, err := v.Run(context.Background(), 3)
	fmt.Println(v.Name, res.Labels[0] == res.Labels[1], err)
	// Output: random start true <nil>
}
