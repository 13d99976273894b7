package lower

import (
	"bytes"
	"flag"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/split"
	"orthant/stdlib/symbols"
	"orthant/stdlib/typeinfo"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden lowers the cell of each archive in testdata and compares the file that the engine would get.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files (%v)", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			body := lowered(t, string(archive.Files[0].Data))
			got := &txtar.Archive{Comment: archive.Comment, Files: []txtar.File{
				archive.Files[0], {Name: "body", Data: body}}}
			if *update {
				if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := txtar.Format(archive); !bytes.Equal(txtar.Format(got), want) {
				t.Errorf("got\n%s\nwant\n%s", txtar.Format(got), want)
			}
		})
	}
}

// lowered returns the two files of a cell that is the first of its session.
func lowered(t *testing.T, source string) []byte {
	t.Helper()
	fset := token.NewFileSet()
	syntax, errs := split.Parse(fset, 1, source)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	w := NewWorld(symbols.Symbols)
	nothing := func(string) (check.Binding, bool) { return check.Binding{}, false }
	cell, wrong := check.Check(check.Env{
		Files: fset, Importer: typeinfo.Importer(fset), Package: check.NewPackage(), Lookup: nothing,
		Instances: w, Generics: w.Generics,
		Without: func(map[*types.TypeName][]string) (func(string) (check.Binding, bool), map[*types.Func]*check.Generic) {
			return nothing, nil
		},
	}, syntax)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	c := New(w, cell, 1)
	g, err := c.Body()
	if err != nil {
		t.Fatal(err)
	}
	return text(t, g)
}

func text(t *testing.T, f *ast.File) []byte {
	t.Helper()
	if f == nil {
		return nil
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), f); err != nil {
		t.Fatal(err)
	}
	return append(bytes.TrimSpace(b.Bytes()), '\n')
}
