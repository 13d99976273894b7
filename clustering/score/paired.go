package score

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Test is the outcome of a paired test of two methods, from scores that belong together: those of the same data, trial and
// seed. P is the probability, if the methods were equally good, of a difference as large as this in either direction.
type Test struct {
	Statistic float64 // t, or the smaller of Wilcoxon's two sums of ranks
	P         float64 // 0..1
	N         int     // the pairs that count: all for t, those that differ for Wilcoxon's
}

// String is the outcome with four digits, in the form "statistic -4.062, p 0.0028, n 10".
func (t Test) String() string {
	return fmt.Sprintf("statistic %.3f, p %.4f, n %d", t.Statistic, t.P, t.N)
}

// PairedT is Student's paired t-test of the hypothesis that a and b have the same mean; the statistic has the sign of a's
// mean less b's. It takes two pairs at least. Where all pairs differ by the same, that is 0 with P 1, and infinite with P 0
// otherwise.
//
// Source: Student, Biometrika 6 (1908), 1-25.
func PairedT(a, b []float64) (Test, error) {
	d, err := differences(a, b)
	if err == nil && len(d) < 2 {
		err = errors.New("one pair: two at least are needed")
	}
	if err != nil {
		return Test{}, fmt.Errorf("score: PairedT: %w", err)
	}
	n := float64(len(d))
	mean, deviation := stat.MeanStdDev(d, nil)
	if deviation == 0 {
		if mean == 0 {
			return Test{P: 1, N: len(d)}, nil
		}
		return Test{Statistic: math.Copysign(math.Inf(1), mean), N: len(d)}, nil
	}
	t := mean / (deviation / math.Sqrt(n))
	p := 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.CDF(-math.Abs(t))
	return Test{Statistic: t, P: p, N: len(d)}, nil
}

// differences returns a less b, entry by entry.
func differences(a, b []float64) ([]float64, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("%d scores but %d of the other method: they belong together in pairs", len(a), len(b))
	}
	if len(a) == 0 {
		return nil, errors.New("no scores")
	}
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
		if math.IsNaN(d[i]) || math.IsInf(d[i], 0) {
			return nil, fmt.Errorf("pair %d is %v and %v", i, a[i], b[i])
		}
	}
	return d, nil
}
