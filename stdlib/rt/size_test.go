package rt

import (
	"fmt"
	"math"
	"testing"
)

func TestCheckSize(t *testing.T) {
	for _, test := range []struct {
		what Made
		elem uint64
		n    int
		want string
	}{
		{MadeLen, 8, 10, "80"},
		{MadeLen, 0, math.MaxInt, "0"},
		{MadeLen, 8, -1, "runtime error: makeslice: len out of range"},
		{MadeLen, 8, math.MaxInt / 4, "runtime error: makeslice: len out of range"},
		{MadeLen, 1 << 40, 1 << 40, "runtime error: makeslice: len out of range"},
		{MadeCap, 1, -5, "runtime error: makeslice: cap out of range"},
		{MadeChan, 8, -1, "makechan: size out of range"},
		{MadeMap, 8, -1, "0"},
		{MadeMap, 8, math.MaxInt, "0"},
	} {
		got := func() (text string) {
			defer func() {
				if v := recover(); v != nil {
					text = fmt.Sprint(v)
				}
			}()
			return fmt.Sprint(CheckSize(test.what, test.elem, test.n))
		}()
		if got != test.want {
			t.Errorf("%d elements of %d bytes: got %s, want %s", test.n, test.elem, got, test.want)
		}
	}
}
