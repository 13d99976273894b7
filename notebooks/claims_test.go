package notebooks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"orthant/clustering/dataset"
	"orthant/kernel/notebook"
)

// claims is what the tour tells its reader to expect.
var claims = []struct {
	name  string
	prose string // as the notebook has it
	cell  string // the cell that shows it
	says  string // part of the cell's text, if that is the claim
	// holds judges the numbers in the cell's text, in order, of which there are count; nil accepts any.
	count int
	holds func(n []float64) bool
}{
	{
		name:  "data",
		prose: "Expect 500 objects with 64 features",
		cell:  "data", says: "500 objects, 64 features",
	},
	{
		name:  "affinity",
		prose: "Expect a symmetric matrix of 500 × 500 with ones on the diagonal.",
		cell:  "affinity", count: 102,
		holds: func(n []float64) bool {
			return n[0] == 500 && n[1] == 500 && n[2] == 1 && n[len(n)-1] == 1 && n[3] == n[12]
		},
	},
	{
		name:  "clusters",
		prose: "Expect ten clusters",
		cell:  "fit", says: "in 10 clusters",
	},
	{
		name:  "end of the fit",
		prose: "that 300 iterations end before the criterion",
		cell:  "fit", says: "stopped at MaxIter after 300 iterations, best of 20 runs",
	},
	{
		name:  "accuracy",
		prose: "Expect a mean of about 0.78, and more than 0.2 between the best and the worst restart.",
		cell:  "accuracy", count: 4,
		holds: func(n []float64) bool { return about(n[1], 0.78) && n[2]-n[3] > 0.2 },
	},
	{
		name:  "rise before the descent",
		prose: "The descent that the name promises begins after about 20 iterations: first the objective *rises*.",
		cell:  "residual", count: 27, // rows of iteration, objective and residual: 0, 1, 3, 7, 15, 31...
		holds: func(n []float64) bool {
			return n[1] < n[4] && n[4] < n[7] && n[7] < n[10] && n[13] > n[16] && n[16] > n[19]
		},
	},
	{
		name:  "residual falls",
		prose: "the residual falls from about 7 to below 3",
		cell:  "residual", count: 27,
		holds: func(n []float64) bool { return math.Round(n[2]) == 7 && n[8] < 3 },
	},
	{
		name:  "residual stays",
		prose: "The residual ends near 0.6, not at 0",
		cell:  "residual", count: 27,
		holds: func(n []float64) bool { return math.Abs(n[len(n)-1]-0.6) < 0.05 },
	},
	{
		name:  "every alpha",
		prose: "Expect the same mean, maximum and minimum three times.",
		cell:  "alphas", count: 12, // rows of alpha, mean, maximum and minimum
		holds: func(n []float64) bool {
			return slices.Equal(n[1:4], n[5:8]) && slices.Equal(n[1:4], n[9:12]) && n[0] == 0.01 && n[8] == 1
		},
	},
	{
		name:  "terms of the objective",
		prose: "Expect the second number to be more than a thousand times smaller than the first.",
		cell:  "why", count: 2,
		holds: func(n []float64) bool { return n[1] > 0 && n[0] > 1000*n[1] },
	},
	{
		name:  "same labels",
		prose: "the share that differs between the smallest and the largest $\\alpha$ is expected to be below one per mille.",
		cell:  "same-labels", count: 1,
		holds: func(n []float64) bool { return n[0] < 0.001 },
	},
	{
		name:  "non-orthogonal accuracy",
		prose: "Expect a mean of about 0.76 at $\\alpha = 0.01$, which is nearly as good, about 0.70 at 0.1, and about 0.11 at 1.",
		cell:  "non-orthogonal", count: 12, // rows of alpha, mean, maximum and minimum
		holds: func(n []float64) bool { return about(n[1], 0.76) && about(n[5], 0.70) && about(n[9], 0.11) },
	},
	{
		name: "one cluster",
		prose: "The dashed line is what one gets for putting everything into one cluster, the share of the largest class. " +
			"Expect the non-orthogonal form to end on it.",
		cell: "non-orthogonal", count: 12,
		holds: func(n []float64) bool { return exactly(n[9], largestClass()) && n[9] == n[10] && n[9] == n[11] },
	},
	{
		name:  "overlap",
		prose: "Expect the mean cosine of the orthogonal form to stay where it is, and that of the other to rise to 1",
		cell:  "overlap", count: 9, // rows of alpha and the two cosines
		holds: func(n []float64) bool { return about(n[7], n[1]) && n[2] < n[5] && n[5] < n[8] && exactly(n[8], 1) },
	},
	{
		name:  "restarts agree",
		prose: "at $\\alpha = 1$ all restarts agree on where it ends",
		cell:  "free-descent", count: 5, // alpha in the title; restarts, best and worst objective, how many converged
		holds: func(n []float64) bool { return n[0] == 1 && n[1] == 20 && n[2] == n[3] && n[4] == 20 },
	},
	{
		name:  "conclusion, non-orthogonal",
		prose: "accuracy falls from 0.760 to 0.106.",
		cell:  "non-orthogonal", count: 12,
		holds: func(n []float64) bool { return exactly(n[1], 0.760) && exactly(n[9], 0.106) },
	},
	{
		name:  "conclusion, orthogonal",
		prose: "need not be tuned: 0.782 (0.870/0.638), three times.",
		cell:  "alphas", count: 12,
		holds: func(n []float64) bool { return exactly(n[1], 0.782) && exactly(n[2], 0.870) && exactly(n[3], 0.638) },
	},
	{
		name: "conclusion, restarts",
		prose: "the best and the worst restart of one and the same fit are 0.232 apart, ten times as far as the two forms are " +
			"on average at $\\alpha = 0.01$.",
		cell: "ablation", count: 24, // rows of alpha, mean, maximum and minimum, for either form
		holds: func(n []float64) bool {
			return exactly(n[2]-n[3], 0.232) && math.Abs((n[2]-n[3])/(n[1]-n[13])-10) < 1
		},
	},
}

// about says whether a number rounds to one that the prose has with two digits.
func about(got, want float64) bool { return math.Abs(got-want) <= 0.005 }

// exactly says whether two numbers are the same to three digits. They are where the same seed gives the same bits, which it
// does for any number of workers (see package clustering): what moves them is a change of the method.
func exactly(got, want float64) bool { return math.Abs(got-want) < 0.0005 }

// largestClass returns the share of the largest class among the tour's digits.
func largestClass() float64 {
	labels := dataset.Digits().First(500).Labels
	var sizes [10]int
	for _, label := range labels {
		sizes[label]++
	}
	largest := 0
	for _, size := range sizes {
		largest = max(largest, size)
	}
	return float64(largest) / float64(len(labels))
}

// checkClaims compares the prose of the executed tour with its outputs.
func checkClaims(t *testing.T, nb *notebook.Notebook) {
	t.Helper()
	var prose strings.Builder
	for _, c := range cells(nb, notebook.MarkdownCell) {
		prose.WriteString(c.Source() + "\n")
	}
	texts := make(map[string]string)
	for _, c := range cells(nb, notebook.CodeCell) {
		for _, o := range outputs(t, c) {
			texts[c.ID()] += o.Text + o.Plain()
		}
	}
	for _, claim := range claims {
		t.Run(claim.name, func(t *testing.T) {
			text := texts[claim.cell]
			if !strings.Contains(prose.String(), claim.prose) {
				t.Error("the tour no longer says so; say here what it says now")
			}
			n := numbers(text)
			switch {
			case claim.holds != nil && len(n) != claim.count:
				t.Errorf("cell %s shows %d numbers, not %d:\n%s", claim.cell, len(n), claim.count, text)
			case claim.holds != nil && !claim.holds(n), !strings.Contains(text, claim.says):
				t.Errorf("cell %s shows otherwise:\n%s", claim.cell, text)
			}
		})
	}
}
