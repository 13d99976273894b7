package clustering

import (
	"fmt"
	"math"
)

// checkK is an error if n objects cannot be k clusters.
func checkK(k, n int) error {
	switch {
	case k < 1:
		return fmt.Errorf("K = %d, want at least 1", k)
	case k > n:
		return fmt.Errorf("K = %d exceeds the %s", k, count(n, "object"))
	}
	return nil
}

// checkWeight is an error if a method's parameter, called name, is not a finite number >= 0.
func checkWeight(name string, x float64) error {
	if !(x >= 0 && x <= math.MaxFloat64) {
		return fmt.Errorf("%s = %g, want a finite number >= 0", name, x)
	}
	return nil
}

// firstError is the first of the errors that is one.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
