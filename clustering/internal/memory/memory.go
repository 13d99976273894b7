package memory

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"strconv"
	"strings"
)

const (
	limitVariable = "ORTHANT_MEMORY"
	defaultPart   = 0.8 // of what the machine or the control group has: the rest is for stacks, the collector and others
	squarePart    = 4   // one n×n matrix may take 1/squarePart of the limit: a method needs a few of them, and a result one
	wordBytes     = 8   // a float64
)

// Limit is the memory this process should stay below, in bytes; ok is false if there is no limit to be found. It is an error
// if ORTHANT_MEMORY cannot be understood.
func Limit() (limit uint64, ok bool, err error) {
	if text := os.Getenv(limitVariable); text != "" {
		limit, err = parse(text)
		return limit, err == nil, err
	}
	limit = uint64(math.MaxUint64)
	if b, found := physical(); found {
		limit = min(limit, b)
	}
	if b, found := controlGroup(); found {
		limit = min(limit, b)
	}
	if limit == math.MaxUint64 {
		return 0, false, nil
	}
	return uint64(defaultPart * float64(limit)), true, nil
}

// CheckSquare is an error if count dense n×n matrices, which are to be allocated at once, have more bytes than a quarter of the limit.
func CheckSquare(n, count int) error {
	limit, ok, err := Limit()
	if err != nil {
		return err
	}
	if !ok {
		limit = math.MaxInt // no allocation of Go's is larger
	}
	high, low := bits.Mul64(uint64(n), uint64(n))
	over := high != 0
	high, low = bits.Mul64(low, wordBytes*uint64(count))
	over = over || high != 0
	if !over && low <= limit/squarePart {
		return nil
	}
	size := strconv.FormatUint(low, 10)
	if over {
		size = "more than 2^64"
	}
	return fmt.Errorf("n=%d needs %s bytes for a dense %d×%d matrix, above a quarter of the memory limit of %d bytes (%s changes it): "+
		"use fewer objects, or a sparse or anchored graph", n, size, n, n, limit, limitVariable)
}

// units are the suffixes that parse knows.
var units = []struct {
	suffix string
	shift  uint
}{{"K", 10}, {"M", 20}, {"G", 30}, {"T", 40}}

// parse reads a size as the package documentation describes it.
func parse(text string) (uint64, error) {
	number := strings.ToUpper(strings.TrimSpace(text))
	number = strings.TrimSuffix(strings.TrimSuffix(number, "B"), "I")
	shift := uint(0)
	for _, u := range units {
		if rest, found := strings.CutSuffix(number, u.suffix); found {
			number, shift = strings.TrimSpace(rest), u.shift
			break
		}
	}
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil || n == 0 || n > math.MaxUint64>>shift {
		return 0, fmt.Errorf("%s=%q is not a size: write bytes, or a whole number with K, M, G or T, as in 2G", limitVariable, text)
	}
	return n << shift, nil
}
