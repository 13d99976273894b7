//go:build amd64 && !noasm && !gccgo && !safe

package thin

import (
	"slices"
	"testing"
)

func TestAvailable(t *testing.T) {
	for _, c := range []struct {
		avx  bool
		want []string
	}{
		{avx: true, want: []string{"avx", "gonum-amd64", "portable"}},
		{avx: false, want: []string{"gonum-amd64", "portable"}},
	} {
		var got []string
		for _, k := range available(c.avx) {
			got = append(got, k.name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("with AVX %v: %v, want %v", c.avx, got, c.want)
		}
	}
}
