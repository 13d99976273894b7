//go:build !windows

package kernel

import (
	"slices"
	"testing"
)

func TestOffspring(t *testing.T) {
	const shell, own = 10, 20
	list := []processEntry{
		{1, 0, 1}, {shell, 1, shell}, {own, shell, own},
		{21, own, own}, {22, 21, own}, // a child and its child
		{23, 1, own},                // whose parent has ended
		{24, own, 24}, {25, 24, 24}, // in a group of their own
		{30, shell, 30},              // somebody else's
		{40, 41, own}, {41, 40, own}, // a circle
	}
	if got, want := offspringOf(own, own, list), []int{21, 22, 23, 40, 41}; !slices.Equal(got, want) {
		t.Errorf("leading a group: got %v, want %v", got, want)
	}
	for i := range list {
		if list[i].group == own {
			list[i].group = shell
		}
	}
	if got, want := offspringOf(own, shell, list), []int{21, 22}; !slices.Equal(got, want) {
		t.Errorf("in a shell's group: got %v, want %v", got, want)
	}
}
