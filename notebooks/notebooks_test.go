package notebooks

import (
	"os"
	"path/filepath"
	"testing"

	"orthant/kernel/notebook"
)

// names returns the files of all notebooks of this folder that are not the output of a run.
func names(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range all {
		if ok, err := filepath.Match("*.out.ipynb", name); err != nil {
			t.Fatal(err)
		} else if !ok {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatal("there are no notebooks")
	}
	return names
}

// read reads a notebook, and returns its bytes too.
func read(t *testing.T, file string) (*notebook.Notebook, []byte) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := notebook.Parse(data)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return nb, data
}

// cells returns the cells of a type.
func cells(nb *notebook.Notebook, typ notebook.CellType) (all []*notebook.Cell) {
	for _, c := range nb.Cells {
		if c.Type() == typ {
			all = append(all, c)
		}
	}
	return all
}

// outputs returns the outputs of a cell.
func outputs(t *testing.T, c *notebook.Cell) []notebook.Output {
	t.Helper()
	all, err := c.Outputs()
	if err != nil {
		t.Fatalf("cell %s: %v", c.ID(), err)
	}
	return all
}
