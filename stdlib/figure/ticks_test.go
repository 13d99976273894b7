package figure

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

func labelsOf(marks []plot.Tick) string {
	var all []string
	for _, m := range marks {
		all = append(all, m.Label)
	}
	return strings.Join(all, " ")
}

func TestTicks(t *testing.T) {
	for _, tc := range []struct {
		name     string
		ticker   plot.Ticker
		min, max float64
		want     string
	}{
		{"shares", ticks{}, 0, 1, "0 0.2 0.4 0.6 0.8 1.0"},
		{"small range", ticks{}, 0.98, 1.02, "0.98 0.99 1.00 1.01 1.02"},
		{"objective", ticks{}, 10016.9, 10020, "10017 10018 10019 10020"},
		{"around zero", ticks{}, -1, 1, "−1.0 −0.5 0 0.5 1.0"},
		{"negative", ticks{}, -34, -11, "−30 −25 −20 −15"},
		{"large", ticks{}, 0, 1.6e6, "0 500000 10⁶ 1.5×10⁶"},
		{"tiny", ticks{}, 0, 4e-7, "0 10⁻⁷ 2×10⁻⁷ 3×10⁻⁷ 4×10⁻⁷"},
		{"parameter values", valueTicks([]float64{0.01, 0.05, 1}), 0.005, 2, "0.01 0.05 1"},
		{"few iterations", ticks{integers: true}, 0, 3, "0 1 2 3"},
		{"more iterations", ticks{integers: true}, 0, 12, "0 5 10"},
		{"few decades", logTicks{}, 0.005, 200, "0.01 0.1 1 10 100"},
		{"many decades", logTicks{}, 2000, 3e7, "10⁴ 10⁵ 10⁶ 10⁷"},
		{"small decades", logTicks{}, 1e-9, 1e-7, "10⁻⁹ 10⁻⁸ 10⁻⁷"},
		{"iterations", log1pTicks{}, 0, 300, "0 1 3 10 30 100 300"},
		{"iterations up to 299", log1pTicks{}, 0, 299, "0 1 3 10 30 100"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			marks := tc.ticker.Ticks(tc.min, tc.max)
			if got := labelsOf(marks); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			for _, m := range marks {
				if span := tc.max - tc.min; m.Value < tc.min-slack*span || m.Value > tc.max+slack*span {
					t.Errorf("the mark at %v is outside of the axis", m.Value)
				}
			}
		})
	}
}

// TestTicksAreFew runs over ranges of all kinds: never more labels than fit, never fewer than a reader needs.
func TestTicksAreFew(t *testing.T) {
	for _, low := range []float64{-1e6, -3.7, 0, 0.11, 5, 123456} {
		for span := 1e-3; span < 1e7; span *= 1.37 {
			if n := len((ticks{}).Ticks(low, low+span)); n < 3 || n > mostTicks {
				t.Errorf("%d ticks from %v to %v", n, low, low+span)
			}
		}
	}
}

func TestNumber(t *testing.T) {
	for _, tc := range []struct {
		value    float64
		decimals int
		want     string
	}{
		{0, 2, "0"}, {-1e-12, 2, "0"}, {-1.5, 1, "−1.5"}, {1e6, 0, "10⁶"}, {-2.5e-8, 9, "−2.5×10⁻⁸"}, {math.Inf(1), 0, "+Inf"},
	} {
		if got := number(tc.value, tc.decimals); got != tc.want {
			t.Errorf("number(%v, %d) = %s, want %s", tc.value, tc.decimals, got, tc.want)
		}
	}
}

func TestApart(t *testing.T) {
	for _, tc := range []struct {
		name      string
		positions []float64
		want      bool
	}{
		{"one", []float64{0.5}, true},
		{"three", []float64{0, 0.1, 1}, true},
		{"two close ones", []float64{0, 0.05, 1}, false},
		{"ten", []float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}, true},
		{"twenty", []float64{0, .05, .1, .15, .2, .25, .3, .35, .4, .45, .5, .55, .6, .65, .7, .75, .8, .85, .9, .95}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := apart(tc.positions); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}
