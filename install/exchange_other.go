//go:build !linux && !darwin

package install

import "errors"

// exchange puts each of two folders in the place of the other, at once, which this system cannot.
func exchange(string, string) error { return errors.ErrUnsupported }
