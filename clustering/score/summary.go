package score

import (
	"errors"
	"fmt"
	"math"
)

// Each scores several labellings, for example those of all restarts of a fit, against one truth.
func Each(measure func(truth, labels []int) (float64, error), truth []int, labels [][]int) ([]float64, error) {
	scores := make([]float64, len(labels))
	for i, l := range labels {
		s, err := measure(truth, l)
		if err != nil {
			return nil, fmt.Errorf("labelling %d: %w", i, err)
		}
		scores[i] = s
	}
	return scores, nil
}

// A Summary is what papers report of a score over restarts.
type Summary struct {
	Mean, Max, Min float64
	SD             float64 // with N−1; 0 for one score
	N              int
}

// Summarize returns the summary of scores; none are an error.
func Summarize(scores []float64) (Summary, error) {
	if len(scores) == 0 {
		return Summary{}, errors.New("score: Summarize: no scores")
	}
	s := Summary{Max: scores[0], Min: scores[0], N: len(scores)}
	for _, x := range scores {
		s.Mean += x
		s.Max, s.Min = max(s.Max, x), min(s.Min, x)
	}
	s.Mean /= float64(s.N)
	if s.N > 1 {
		squares := 0.0
		for _, x := range scores {
			squares += (x - s.Mean) * (x - s.Mean)
		}
		s.SD = math.Sqrt(squares / float64(s.N-1))
	}
	return s, nil
}

// String is the summary to three digits, in the form "mean 0.700 (max 0.765, min 0.622)".
func (s Summary) String() string {
	return fmt.Sprintf("mean %.3f (max %.3f, min %.3f)", s.Mean, s.Max, s.Min)
}
