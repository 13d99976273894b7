package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks marks an axis at round numbers, about five of them, each with as many digits as they need to differ. gonum's
// DefaultTicks aims at three.
type ticks struct {
	integers bool // what is measured is a count: there is nothing to mark between 1 and 2
}

const (
	mostTicks = 6    // is never exceeded
	slack     = 1e-9 // by which a tick may miss the end of the axis, in steps: 0.1*3 is more than 0.3
)

// Ticks returns the multiples of 1, 2, 2.5 or 5 times a power of ten from min to max.
func (t ticks) Ticks(min, max float64) []plot.Tick {
	if !(max > min) || math.IsInf(max-min, 0) {
		panic("figure: an axis needs a finite range")
	}
	step := math.Pow(10, math.Floor(math.Log10(max-min))-1)
	for _, factor := range []float64{1, 2, 2.5, 5, 10, 20} {
		s := step * factor
		if t.integers && s != math.Round(s) {
			continue
		}
		if math.Floor(max/s+slack)-math.Ceil(min/s-slack)+1 <= mostTicks {
			step = s
			break
		}
	}
	decimals := 0
	for d := step; decimals < 12 && math.Abs(d-math.Round(d)) > slack*d; d *= 10 {
		decimals++
	}
	var marks []plot.Tick
	for i := math.Ceil(min/step - slack); i <= max/step+slack; i++ {
		marks = append(marks, plot.Tick{Value: i * step, Label: number(i*step, decimals)})
	}
	return marks
}

// number writes a number for a reader: with so many decimals, and with a power of ten where it would be long.
func number(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	switch {
	case strings.Trim(s, "-0.") == "":
		return "0" // not -0 nor 0.00
	case math.Abs(v) >= 1e6 || decimals > 5:
		return significant(v, 3)
	}
	return typeset(s)
}

// significant writes a number with so many significant digits.
func significant(v float64, digits int) string {
	return typeset(strconv.FormatFloat(v, 'g', digits, 64))
}

// typeset replaces what programs print by what readers know: −1.5×10⁻⁶ for -1.5e-06.
func typeset(s string) string {
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return strings.ReplaceAll(s, "-", "−")
	}
	e, err := strconv.Atoi(exponent)
	if err != nil {
		return s // not a number that strconv wrote
	}
	power := "10" + superscripts.Replace(strconv.Itoa(e))
	if mantissa == "1" {
		return power
	}
	return strings.ReplaceAll(mantissa, "-", "−") + "×" + power
}

var superscripts = strings.NewReplacer(
	"-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
)

// valueTicks marks an axis at the values of a parameter.
func valueTicks(values []float64) plot.ConstantTicks {
	var marks plot.ConstantTicks
	for _, v := range values {
		marks = append(marks, plot.Tick{Value: v, Label: significant(v, 3)})
	}
	return marks
}

// mostValues is the number of parameter values that can be labelled side by side, if they are evenly spaced.
const mostValues = 9

// apart reports whether labels at these sorted positions on an axis, 0 to 1, would stand clear of each other.
func apart(positions []float64) bool {
	for i := 1; i < len(positions); i++ {
		if positions[i]-positions[i-1] < 0.8/mostValues {
			return false
		}
	}
	return true
}

// logTicks marks a logarithmic axis at powers of ten.
type logTicks struct{}

// Ticks returns the marks from min to max.
func (logTicks) Ticks(min, max float64) []plot.Tick {
	var marks []plot.Tick
	first, last := math.Ceil(math.Log10(min)), math.Floor(math.Log10(max))
	for e := first; e <= last; e++ {
		label := "10" + superscripts.Replace(strconv.Itoa(int(e)))
		if first >= -3 && last <= 5 {
			label = number(math.Pow(10, e), int(math.Max(0, -e)))
		}
		marks = append(marks, plot.Tick{Value: math.Pow(10, e), Label: label})
	}
	return marks
}
