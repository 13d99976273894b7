package notebook

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// TestGolden runs testdata/*.ipynb and compares the whole file that comes out with testdata/*.golden.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		name   string // of the notebook
		args   []string
		allow  bool
		failed string // the error's text, empty for none
	}{
		{name: "outputs"},
		{name: "foreign"},
		{name: "old"},
		{name: "fails", failed: "cell 2 of 3 failed: main.Err: it broke"},
		{name: "allowed", allow: true},
		{name: "tags"},
		{name: "parameters", args: []string{"alpha=.5", "name=a \"b\"", "pause=1.5s", "xs=[]float64{1, 2}"}},
		{name: "reparameters", args: []string{"alpha=1e-3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join("testdata", test.name)
			nb := parseFile(t, file+".ipynb")
			ps, err := ParseParameters(test.args)
			if err != nil {
				t.Fatal(err)
			}
			err = Run(context.Background(), nb, newFake(), Options{Parameters: ps, AllowErrors: test.allow, Timeout: time.Minute})
			if got := errorText(err); got != test.failed {
				t.Fatalf("Run: got error %q, want %q", got, test.failed)
			}
			compareGolden(t, file+".golden", bytesOf(t, nb))
		})
	}
}

// TestBytesUnchanged reads what was written: nothing may change any more.
func TestBytesUnchanged(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.golden"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			got := bytesOf(t, parseFile(t, file))
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("written again, the file differs:\ngot:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s (-update rewrites it)\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

func parseFile(t *testing.T, file string) *Notebook {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func bytesOf(t *testing.T, nb *Notebook) []byte {
	t.Helper()
	data, err := nb.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
