package typeinfo

import (
	"go/token"
	"slices"
	"testing"
)

// TestEveryPackage imports all packages, and compares the index with them.
func TestEveryPackage(t *testing.T) {
	imp := Importer(token.NewFileSet())
	paths := Paths()
	if len(paths) < 250 { // 173 of the standard library, 68 of gonum, 16 of plot
		t.Fatalf("%d packages", len(paths))
	}
	if !slices.IsSorted(paths) {
		t.Error("paths are not sorted")
	}
	for _, path := range paths {
		pkg := mustImport(t, imp, path)
		if !pkg.Complete() || pkg.Path() != path || pkg.Name() != Name(path) {
			t.Errorf("importing %s (name %q) gives %v, complete: %v", path, Name(path), pkg, pkg.Complete())
		}
		if !Has(path) || !slices.Contains(ByName(pkg.Name()), path) {
			t.Errorf("%s is not in the index", path)
		}
		if Doc(path, "") == "" && !undocumented[path] {
			t.Errorf("%s has no documentation", path)
		}
	}
}

// undocumented lists the packages whose authors wrote no package comment.
var undocumented = map[string]bool{}

func TestByName(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{name: "rand", want: []string{"crypto/rand", "math/rand", "math/rand/v2"}},
		{name: "mat", want: []string{"gonum.org/v1/gonum/mat"}},
		{name: "unsafe", want: []string{"unsafe"}},
		{name: "builtin", want: nil},
		{name: "nothing", want: nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ByName(tt.name); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestHasNot(t *testing.T) {
	for _, path := range []string{"", "builtin", "internal/poll", "plugin", "runtime/cgo", "vendor/golang.org/x/net/http/httpguts"} {
		if Has(path) || Name(path) != "" {
			t.Errorf("Has(%q) = %v, Name %q", path, Has(path), Name(path))
		}
	}
}

// TestResultsAreCopies changes what the index returned.
func TestResultsAreCopies(t *testing.T) {
	Paths()[0] = "changed"
	ByName("rand")[0] = "changed"
	if Paths()[0] == "changed" || ByName("rand")[0] == "changed" {
		t.Error("a caller can change the index")
	}
}
