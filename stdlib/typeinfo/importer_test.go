package typeinfo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// check type-checks src as one file of a package, with the importer.
func check(t *testing.T, fset *token.FileSet, imp types.Importer, src string) (*types.Package, error) {
	t.Helper()
	file, err := parser.ParseFile(fset, "cell.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: imp, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	return conf.Check("cell", fset, []*ast.File{file}, nil)
}

func mustImport(t testing.TB, imp types.Importer, path string) *types.Package {
	t.Helper()
	pkg, err := imp.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		src  string
		want string // part of the error, or "" for none
	}{
		{
			name: "values and methods",
			src: `package p
				import ("fmt"; "gonum.org/v1/gonum/mat")
				func f() { d := mat.NewDense(2, 2, nil); fmt.Println(mat.Det(d.T())) }`,
		},
		{
			name: "interface of one package met by a type of another",
			src: `package p
				import ("bytes"; "io"; "gonum.org/v1/plot"; "gonum.org/v1/plot/plotter")
				var _ io.ReadWriter = new(bytes.Buffer)
				var _ plot.Plotter = new(plotter.Line)`,
		},
		{
			name: "generic functions, iterators and constraints",
			src: `package p
				import ("cmp"; "iter"; "maps"; "slices")
				func keys[M ~map[K]V, K cmp.Ordered, V any](m M) []K { return slices.Sorted(maps.Keys(m)) }
				var _ iter.Seq[int] = slices.Values([]int{1})`,
		},
		{
			name: "generic types",
			src: `package p
				import ("sync/atomic"; "unique"; "weak")
				var p atomic.Pointer[int]
				var h unique.Handle[string] = unique.Make("x")
				var w weak.Pointer[int] = weak.Make(p.Load())`,
		},
		{
			name: "unsafe and constants of this platform",
			src: `package p
				import ("math"; "math/bits"; "unsafe")
				const _ = uint(math.MaxUint >> (bits.UintSize - 8*unsafe.Sizeof(uint(0))))`,
		},
		{
			name: "size of a type with unexported fields",
			src: `package p
				import ("time"; "unsafe")
				var _ [24]byte = [unsafe.Sizeof(time.Time{})]byte{}`,
		},
		{
			name: "unexported field",
			src: `package p
				import "strings"
				var b strings.Builder
				var _ = b.buf`,
			want: "b.buf undefined (cannot refer to unexported field buf)",
		},
		{
			name: "undefined name",
			src:  "package p\nimport \"strings\"\nvar _ = strings.Contians",
			want: "undefined: strings.Contians",
		},
		{
			name: "internal package",
			src:  "package p\nimport _ \"os\"\nimport _ \"internal/poll\"",
			want: "package internal/poll is not compiled into this kernel",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fset := token.NewFileSet()
			_, err := check(t, fset, Importer(fset), tt.src)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got error %v, want none", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestIdentity imports pairs of packages in both orders: a type must be the
// same object however it is reached first.
func TestIdentity(t *testing.T) {
	tests := []struct {
		name         string
		user, owner  string // import paths
		function     string // of user, whose first parameter is the type
		ownersObject string
	}{
		{name: "io.Writer of fmt", user: "fmt", function: "Fprintln", owner: "io", ownersObject: "Writer"},
		{name: "mat.Matrix of stat", user: "gonum.org/v1/gonum/stat", function: "CovarianceMatrix", owner: "gonum.org/v1/gonum/mat", ownersObject: "SymDense"},
		{name: "time.Duration of context", user: "context", function: "WithTimeoutCause", owner: "context", ownersObject: "Context"},
	}
	for _, tt := range tests {
		for _, order := range [][]string{{tt.user, tt.owner}, {tt.owner, tt.user}} {
			t.Run(tt.name+", "+order[0]+" first", func(t *testing.T) {
				imp := Importer(token.NewFileSet())
				for _, path := range order {
					mustImport(t, imp, path)
				}
				f := mustImport(t, imp, tt.user).Scope().Lookup(tt.function).(*types.Func)
				got := f.Signature().Params().At(0).Type()
				if p, ok := got.(*types.Pointer); ok {
					got = p.Elem()
				}
				want := mustImport(t, imp, tt.owner).Scope().Lookup(tt.ownersObject).Type()
				if !types.Identical(got, want) {
					t.Errorf("parameter has type %v, which is not identical to %v", got, want)
				}
			})
		}
	}
}

func TestImportTwice(t *testing.T) {
	imp := Importer(token.NewFileSet())
	if a, b := mustImport(t, imp, "net/http"), mustImport(t, imp, "net/http"); a != b {
		t.Error("two imports give two packages")
	}
}

// TestCompletePackagesStay checks what makes the importer safe to share: once
// a package was handed out, importing others does not add to it.
func TestCompletePackagesStay(t *testing.T) {
	imp := Importer(token.NewFileSet())
	paths := Paths()
	slices.SortFunc(paths, func(a, b string) int { return len(a) - len(b) }) // any fixed order but the generator's
	names := map[string][]string{}
	for _, path := range paths {
		names[path] = mustImport(t, imp, path).Scope().Names()
	}
	for _, path := range paths {
		if got := mustImport(t, imp, path).Scope().Names(); !slices.Equal(got, names[path]) {
			t.Errorf("%s has %d names, had %d when it was imported", path, len(got), len(names[path]))
		}
	}
}

// TestConcurrent checks cells while other goroutines import everything. It is
// of use under the race detector.
func TestConcurrent(t *testing.T) {
	fset := token.NewFileSet()
	imp := Importer(fset)
	var wg sync.WaitGroup
	paths := Paths()
	for i := range 4 {
		wg.Go(func() {
			for j := range paths {
				if _, err := imp.Import(paths[(j+i*len(paths)/4)%len(paths)]); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			if _, err := check(t, fset, imp, `package p
				import ("io"; "net/http"; "os"; "slices")
				func f(w io.Writer) { var r *http.Response; r.Write(w); slices.Sort(os.Args) }`); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// TestNoPositions checks that imports leave the file set to the cells.
func TestNoPositions(t *testing.T) {
	fset := token.NewFileSet()
	base := fset.Base()
	obj := mustImport(t, Importer(fset), "fmt").Scope().Lookup("Println")
	if obj.Pos().IsValid() || fset.Base() != base {
		t.Errorf("Println is at %v, the file set grew from %d to %d", obj.Pos(), base, fset.Base())
	}
}

func TestParameterNames(t *testing.T) {
	obj := mustImport(t, Importer(token.NewFileSet()), "strings").Scope().Lookup("Replace")
	want := "func strings.Replace(s string, old string, new string, n int) string"
	if got := types.ObjectString(obj, nil); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUnknown(t *testing.T) {
	tests := []struct {
		name string
		path string
		want string
	}{
		{name: "short path", path: "mat", want: "package mat is not compiled into this kernel; did you mean gonum.org/v1/gonum/mat?"},
		{name: "other version", path: "math/rand/v3", want: "package math/rand/v3 is not compiled into this kernel; did you mean crypto/rand or math/rand or math/rand/v2?"},
		{name: "capital", path: "Strings", want: "package Strings is not compiled into this kernel; did you mean strings?"},
		{name: "missing letter", path: "strngs", want: "package strngs is not compiled into this kernel; did you mean strings?"},
		{name: "swapped letters", path: "tsrings", want: "package tsrings is not compiled into this kernel; did you mean strings?"},
		{name: "stem", path: "example.com/matrix", want: "package example.com/matrix is not compiled into this kernel; did you mean gonum.org/v1/gonum/mat?"},
		{name: "other module", path: "github.com/gonum/plot", want: "package github.com/gonum/plot is not compiled into this kernel; did you mean gonum.org/v1/plot?"},
		{name: "left out", path: "plugin", want: "package plugin is not compiled into this kernel: cells can import the standard library, gonum.org/v1/gonum, gonum.org/v1/plot and orthant"},
		{name: "nothing like it", path: "example.com/zzz", want: "package example.com/zzz is not compiled into this kernel: cells can import the standard library, gonum.org/v1/gonum, gonum.org/v1/plot and orthant"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Importer(token.NewFileSet()).Import(tt.path)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}
