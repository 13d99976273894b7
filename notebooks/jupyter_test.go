package notebooks

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/notebook"
)

// TestJupyter lets Jupyter's nbclient execute each notebook through the installed kernelspec, and compares with what
// orthant run makes of it.
func TestJupyter(t *testing.T) {
	python := kerneltest.Python(t)
	prefix := kerneltest.Install(t)
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ran, executed := filepath.Join(dir, "run.ipynb"), filepath.Join(dir, "executed.ipynb")
			for _, cmd := range []*exec.Cmd{
				exec.CommandContext(t.Context(), program(t, prefix), "run", name, "-o", ran),
				python.Command(t, []string{prefix}, filepath.Join("testdata", "execute.py"), name, executed, ran),
			} {
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", cmd, err, out)
				}
			}
			want, _ := read(t, ran)
			got, _ := read(t, executed)
			compare(t, cells(got, notebook.CodeCell), cells(want, notebook.CodeCell))
		})
	}
}

// program returns the executable that the kernelspec below prefix starts.
func program(t *testing.T, prefix string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(prefix, "share", "jupyter", "kernels", "orthant", "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec struct{ Argv []string }
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	return spec.Argv[0]
}

// compare compares the outputs of cells. Both runs are of one executable, so that the pictures are the same too.
func compare(t *testing.T, got, want []*notebook.Cell) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("nbclient has %d cells, orthant run %d", len(got), len(want))
	}
	for i, c := range want {
		if got[i].ID() != c.ID() || got[i].ExecutionCount() != c.ExecutionCount() {
			t.Errorf("nbclient has cell %s as number %d, orthant run %s as number %d",
				got[i].ID(), got[i].ExecutionCount(), c.ID(), c.ExecutionCount())
		}
		a, b := outputs(t, got[i]), outputs(t, c)
		if len(a) != len(b) {
			t.Errorf("cell %s: nbclient has %d outputs, orthant run %d", c.ID(), len(a), len(b))
			continue
		}
		for j := range b {
			compareOutput(t, c.ID(), a[j], b[j])
		}
	}
}

func compareOutput(t *testing.T, cell string, got, want notebook.Output) {
	t.Helper()
	if got.Type != want.Type || got.Name != want.Name || got.Text != want.Text || got.Count != want.Count {
		t.Errorf("cell %s: nbclient has %s %s %d\n%s\northant run %s %s %d\n%s",
			cell, got.Type, got.Name, got.Count, got.Text, want.Type, want.Name, want.Count, want.Text)
	}
	for _, part := range []struct {
		name      string
		got, want map[string]json.RawMessage
	}{
		{"data", got.Data, want.Data},
		{"metadata", got.Metadata, want.Metadata},
	} {
		g, w := decode(t, part.got), decode(t, part.want)
		for mime := range w {
			if _, ok := g[mime]; !ok {
				t.Errorf("cell %s: nbclient lacks the %s of %s", cell, part.name, mime)
			} else if !reflect.DeepEqual(g[mime], w[mime]) {
				t.Errorf("cell %s: the %s of %s differs: nbclient has\n%.500v\northant run\n%.500v", cell, part.name, mime, g[mime], w[mime])
			}
		}
		if len(g) > len(w) {
			t.Errorf("cell %s: nbclient has more %s than orthant run", cell, part.name)
		}
	}
}

// decode decodes JSON values, which may be the same and written differently.
func decode(t *testing.T, raw map[string]json.RawMessage) map[string]any {
	t.Helper()
	decoded := make(map[string]any, len(raw))
	for key, value := range raw {
		var v any
		if err := json.Unmarshal(value, &v); err != nil {
			t.Fatal(err)
		}
		decoded[key] = v
	}
	return decoded
}
