package typeinfo

import (
	"go/token"
	"testing"
)

// typical are the packages the first cell of a notebook imports.
var typical = []string{"fmt", "context", "gonum.org/v1/gonum/mat", "gonum.org/v1/plot"}

// BenchmarkCold reads the packages from the archives, as a new session does.
func BenchmarkCold(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		imp := Importer(token.NewFileSet())
		for _, path := range typical {
			mustImport(b, imp, path)
		}
	}
}

// BenchmarkWarm imports them again, as every further cell does.
func BenchmarkWarm(b *testing.B) {
	imp := Importer(token.NewFileSet())
	b.ReportAllocs()
	for b.Loop() {
		for _, path := range typical {
			mustImport(b, imp, path)
		}
	}
}

// BenchmarkAll reads every package there is.
func BenchmarkAll(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		imp := Importer(token.NewFileSet())
		for _, path := range Paths() {
			mustImport(b, imp, path)
		}
	}
}

// BenchmarkDoc decodes the documentation of one package.
func BenchmarkDoc(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		decode("gonum.org/v1/gonum/mat")
	}
}
