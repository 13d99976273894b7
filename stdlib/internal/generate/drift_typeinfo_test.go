package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"go/token"
	"go/types"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/gcexportdata"

	"orthant/stdlib/internal/catalog"
)

// A committed archive of stdlib/typeinfo.
type committed struct {
	file    string // relative to typeinfoDir, with slashes
	version string // of Go, when it was generated
	entries map[string]entry
}

// archives reads all committed archives.
func archives(t *testing.T) []committed {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(typeinfoDir, "*", "*.zip"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	var list []committed
	for _, file := range files {
		r, err := zip.OpenReader(file)
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(typeinfoDir, file)
		if err != nil {
			t.Fatal(err)
		}
		c := committed{file: filepath.ToSlash(rel), version: r.Comment, entries: map[string]entry{}}
		for _, f := range r.File {
			c.entries[f.Name] = entry{f.Name, f.Comment, content(t, f)}
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func content(t *testing.T, f *zip.File) []byte {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// visible returns the entries of one kind ("types", "docs") that a binary for
// the platform holds, and the Go version of each group.
func visible(t *testing.T, all []committed, p catalog.Platform, kind string) (map[string]entry, map[string]string) {
	t.Helper()
	entries, versions := map[string]entry{}, map[string]string{}
	for _, a := range all {
		folder, base, _ := strings.Cut(a.file, "/")
		group, found := strings.CutSuffix(base, "."+kind+".zip")
		if !found || folder != "common" && "_"+folder != p.Suffix() {
			continue
		}
		versions[group] = a.version
		for path, e := range a.entries {
			if _, twice := entries[path]; twice {
				t.Errorf("%s is in two archives for %s", path, p)
			}
			entries[path] = e
		}
	}
	return entries, versions
}

// compareExports compares the export data of every package: byte by byte under
// the Go version that generated it, otherwise by what the package declares.
func compareExports(t *testing.T, prog *catalog.Program, all []committed) {
	entries, versions := visible(t, all, prog.Platform, "types")
	for _, pkg := range prog.Packages {
		path := pkg.Types.Path()
		if path == "unsafe" {
			continue
		}
		got, ok := entries[path]
		if !ok {
			t.Errorf("%s is missing: run go generate ./stdlib/...", path)
			continue
		}
		delete(entries, path)
		if got.name != pkg.Types.Name() {
			t.Errorf("%s: got name %s, want %s", path, got.name, pkg.Types.Name())
		}
		// A failure to compare releases is TestGoVersion's.
		exact, _ := catalog.SameRelease(versions[pkg.Group])
		compareExport(t, pkg, got.data, exact)
	}
	for path := range entries {
		t.Errorf("%s is not a package of the catalog", path)
	}
}

func compareExport(t *testing.T, pkg *catalog.Package, data []byte, exact bool) {
	t.Helper()
	path := pkg.Types.Path()
	fresh, err := exportData(pkg.Types)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(fresh, data) {
		return
	}
	old, err := gcexportdata.Read(bytes.NewReader(data), token.NewFileSet(), map[string]*types.Package{}, path)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	got, want := strings.Split(api(old), "\n"), strings.Split(api(pkg.Types), "\n")
	report(t, path+": no longer declared", without(got, want))
	report(t, path+": not in the committed data", without(want, got))
	if exact && slices.Equal(got, want) {
		t.Errorf("%s: the export data differ, in what is not exported: run go generate ./stdlib/...", path)
	}
}

// without returns the lines that are not among the others.
func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

// report fails the test with the first of the lines, if there are any.
func report(t *testing.T, what string, lines []string) {
	t.Helper()
	const most = 5 // a wrong archive differs in thousands
	for _, line := range lines[:min(len(lines), most)] {
		t.Errorf("%s: %s", what, line)
	}
	if len(lines) > most {
		t.Errorf("%s: %d more", what, len(lines)-most)
	}
}

// compareDocumentation compares the documentation of every package with the
// comments in the sources. In the short form these are those of the host.
func compareDocumentation(t *testing.T, fresh map[string]docs, all []committed) {
	builtin, err := catalog.Builtin(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if !strings.HasSuffix(a.file, ".docs.zip") {
			continue
		}
		if exact, _ := catalog.SameRelease(a.version); !exact {
			// Comments may change with a patch of Go.
			t.Logf("%s is of %s: not compared", a.file, a.version)
			for path := range a.entries {
				delete(fresh, path)
			}
			continue
		}
		for path, e := range a.entries {
			want := fresh[path].texts
			if path == "builtin" {
				want = predeclared(builtin)
			}
			compareDocs(t, path, decode(t, e.data), want)
			delete(fresh, path)
		}
	}
	for path := range fresh {
		t.Errorf("%s has no documentation: run go generate ./stdlib/...", path)
	}
}

func decode(t *testing.T, data []byte) map[string]string {
	t.Helper()
	var texts map[string]string
	if err := json.Unmarshal(data, &texts); err != nil {
		t.Fatal(err)
	}
	return texts
}

func compareDocs(t *testing.T, path string, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s, %q: got %.60q, want %.60q", path, name, got[name], want[name])
		}
	}
	if !testing.Short() && len(got) > len(want) {
		t.Errorf("%s: %d names, want %d", path, len(got), len(want))
	}
}
