package typeinfo

import (
	"go/token"
	"testing"
)

// The packages a typical first cell imports.
var typical = []string{"fmt", "gonum.org/v1/gonum/mat", "context", "gonum.org/v1/plot"}

// BenchmarkCold reads the packages from the archives, as the first cell does.
func BenchmarkCold(b *testing.B) {
	for b.Loop() {
		imp := Importer(token.NewFileSet())
		for _, path := range typical {
			if _, err := imp.Import(path); err != nil {
				b.Fatal(err)
			}
		}
	}
}
