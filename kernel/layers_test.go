package kernel_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module is the path of the repository's module.
const module = "orthant"

// A layer is a row of the README's table of packages. It is about the package it names and those in folders below it
// that have no row of their own.
type layer struct {
	name string // path below the module; empty for main.go
	// mayImport lists layers; nil is all that stand below this one.
	mayImport []string
}

// outside says which layers may import other people's packages that only one part of the program is to know.
var outside = []struct {
	prefix string
	layers []string
}{
	{"github.com/alecthomas/kong", []string{""}},
	{"github.com/go-zeromq/zmq4", []string{"kernel", "kernel/transport"}}, // in kernel: the tests' client
	{"github.com/ncruces/go-sqlite3", []string{"kernel/history"}},
	{"github.com/shirou/gopsutil/v4", []string{"kernel"}},
	{"github.com/traefik/yaegi", []string{"kernel/session", "stdlib/symbols", "stdlib/internal"}},
	{"gonum.org/v1/plot", []string{"stdlib/symbols", "stdlib/display", "stdlib/figure"}},
}

// TestLayers keeps imports going down the table in README.md, on every operating system. Tests may import more.
func TestLayers(t *testing.T) {
	layers := readLayers(t)
	used := make(map[string]bool)
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, p := range listPackages(t, goos) {
			from := layerOf(layers, p.ImportPath)
			if from < 0 {
				t.Errorf("%s is in no row of the README's table", p.ImportPath)
				continue
			}
			used[layers[from].name] = true
			for _, path := range p.Imports {
				checkImport(t, layers, from, p.ImportPath, path)
			}
		}
	}
	for _, l := range layers {
		if !used[l.name] {
			t.Errorf("the README's table has a row for %q, where there is no package", l.name)
		}
	}
}

func checkImport(t *testing.T, layers []layer, from int, importer, path string) {
	t.Helper()
	for _, o := range outside {
		if within(path, o.prefix) && !slices.Contains(o.layers, layers[from].name) {
			t.Errorf("%s imports %s, which only %q may", importer, path, o.layers)
		}
	}
	if !within(path, module) {
		return
	}
	to := layerOf(layers, path)
	switch {
	case to == from:
	case to < from:
		t.Errorf("%s imports %s, which does not stand below it in the README's table", importer, path)
	case layers[from].mayImport != nil && !slices.Contains(layers[from].mayImport, layers[to].name):
		t.Errorf("%s imports %s, which its row of the README's table does not list", importer, path)
	}
}

// readLayers reads the table from the README: the first column names a package, the last one says what it may import.
func readLayers(t *testing.T) []layer {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(readme), "| package |")
	if !ok {
		t.Fatal("README.md has no table of packages")
	}
	var layers []layer
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(row, "|\n "), "|")
		if !strings.HasPrefix(row, "| `") {
			if len(layers) > 0 {
				break // the table has ended
			}
			continue
		}
		l := layer{name: strings.Trim(cells[0], "` ")}
		if l.name == "main.go" {
			l.name = ""
		}
		switch may := strings.TrimSpace(cells[len(cells)-1]); may {
		case "all below":
		case "nothing":
			l.mayImport = []string{}
		default:
			for _, name := range strings.Split(may, ",") {
				l.mayImport = append(l.mayImport, strings.Trim(name, "` "))
			}
		}
		layers = append(layers, l)
	}
	for _, l := range layers {
		for _, name := range l.mayImport {
			if !slices.ContainsFunc(layers, func(l layer) bool { return l.name == name }) {
				t.Errorf("%s may import %q, which has no row", l.name, name)
			}
		}
	}
	return layers
}

// layerOf returns the index of the row that a package belongs to: the one with the longest name. It is -1 without one.
func layerOf(layers []layer, path string) int {
	found := -1
	for i, l := range layers {
		if l.name == "" {
			if path == module {
				return i
			}
			continue
		}
		if within(path, module+"/"+l.name) && (found < 0 || len(l.name) > len(layers[found].name)) {
			found = i
		}
	}
	return found
}

// within says whether a package's path is prefix or lies below it.
func within(path, prefix string) bool { return path == prefix || strings.HasPrefix(path, prefix+"/") }

// A listed is a package as go list -json prints it.
type listed struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T, goos string) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages
		case err != nil:
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
