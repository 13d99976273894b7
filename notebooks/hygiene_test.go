package notebooks

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"orthant/kernel/notebook"
	"orthant/stdlib"
)

// maxLines is how long a cell may be to fit a laptop's screen together with the prose above it.
const maxLines = 30

// TestHygiene checks how each notebook is saved.
func TestHygiene(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			nb, data := read(t, name)
			// Parse adds ids and what else nbformat 4.5 asks for, and Bytes writes nothing else.
			again, err := nb.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(again, data) {
				t.Error("this is not as orthant run saves it; saved again, the file changes")
			}
			checkMetadata(t, data)
			if first := nb.Cells[0]; first.Type() != notebook.MarkdownCell || !strings.HasPrefix(first.Source(), "# ") {
				t.Error("the first cell is no title")
			}
			for i, c := range nb.Cells {
				if c.Type() == notebook.CodeCell {
					checkCode(t, c, i > 0 && nb.Cells[i-1].Type() == notebook.MarkdownCell)
				}
			}
		})
	}
}

func checkMetadata(t *testing.T, data []byte) {
	t.Helper()
	type kernelspec struct {
		Name        string `json:"name"`
		DisplayName string `json:"display_name"`
		Language    string `json:"language"`
	}
	var file struct {
		Metadata struct {
			Kernelspec   kernelspec     `json:"kernelspec"`
			LanguageInfo map[string]any `json:"language_info"`
			Orthant      struct {
				Version string `json:"version"`
				API     int    `json:"api"`
			} `json:"orthant"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	m := file.Metadata
	if want := (kernelspec{"orthant", "Go (orthant)", "go"}); m.Kernelspec != want {
		t.Errorf("kernelspec: got %+v, want %+v", m.Kernelspec, want)
	}
	for key, want := range map[string]string{
		"name": "go", "mimetype": "text/x-go", "file_extension": ".go", "pygments_lexer": "go", "codemirror_mode": "go",
	} {
		if m.LanguageInfo[key] != want {
			t.Errorf("language_info: %s: got %v, want %s", key, m.LanguageInfo[key], want)
		}
	}
	if v, ok := m.LanguageInfo["version"]; ok {
		t.Errorf("language_info: version %v: that of whoever saved it last", v)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(m.Orthant.Version) || m.Orthant.API != stdlib.API {
		t.Errorf("orthant: got %+v, want a version and api %d", m.Orthant, stdlib.API)
	}
}

// checkCode checks a code cell as saved; explained says whether prose stands above it.
func checkCode(t *testing.T, c *notebook.Cell, explained bool) {
	t.Helper()
	if len(outputs(t, c)) > 0 || c.ExecutionCount() != 0 {
		t.Errorf("cell %s is saved with outputs or an execution count", c.ID())
	}
	if !explained {
		t.Errorf("cell %s has no prose above it", c.ID())
	}
	if n := strings.Count(c.Source(), "\n") + 1; n > maxLines {
		t.Errorf("cell %s has %d lines, more than %d", c.ID(), n, maxLines)
	}
	if err := checkFormat(c.Source()); err != nil {
		t.Errorf("cell %s: %v", c.ID(), err)
		return
	}
	body, err := parse(c.Source())
	if err != nil {
		t.Errorf("cell %s: %v", c.ID(), err)
		return
	}
	if len(body) == 0 && !strings.Contains(c.Source(), "import") {
		t.Errorf("cell %s is empty", c.ID())
	}
	if err := checkRepeatable(body); err != nil {
		t.Errorf("cell %s: %v", c.ID(), err)
	}
}

// TestChecks checks that the checks of code find what they are for.
func TestChecks(t *testing.T) {
	for _, tc := range []struct {
		name, source             string
		badFormat, notRepeatable bool
		figure                   bool
	}{
		{name: "statements", source: "x := 1\nx"},
		{name: "function and call", source: "func f(x int) int {\n\treturn x\n}\n\nf(1)"},
		{name: "method", source: "func (t T) f(x int) int {\n\treturn x\n}"},
		{name: "generic function", source: "func f[T any](x T) T {\n\treturn x\n}"},
		{name: "imports", source: "import (\n\t\"fmt\"\n\t\"math\"\n)\n\nimport \"os\"\n\nx := 1"},
		{name: "spaces", source: "x:=1", badFormat: true},
		{name: "blank-indented function", source: "func f() {\n  g()\n}", badFormat: true},
		{name: "no Go", source: "x =", badFormat: true},
		{name: "options", source: "clustering.Options{Seed: seed}"},
		{name: "options without a seed", source: "func f() {\n\tg(clustering.Options{Restarts: 2})\n}", notRepeatable: true},
		{name: "clock", source: "start := time.Now()", notRepeatable: true},
		{name: "duration", source: "time.Sleep(time.Second)"},
		{name: "source of its own", source: "rng := rand.New(rand.NewPCG(1, 2))"},
		{name: "global source", source: "x := rand.Float64()", notRepeatable: true},
		{name: "figure", source: "x := 1\nfigure.Descent(x)", figure: true},
		{name: "changed figure", source: `figure.Descent(x).Titled("t").Sized(1, 2)`, figure: true},
		{name: "series", source: `s := &figure.Series{Name: "s"}`},
		{name: "other value", source: "f(figure.Descent(x))"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := checkFormat(tc.source); (err != nil) != tc.badFormat {
				t.Errorf("checkFormat: got %v", err)
			}
			body, err := parse(tc.source)
			if err != nil {
				if !tc.badFormat {
					t.Errorf("parse: %v", err)
				}
				return
			}
			if err := checkRepeatable(body); (err != nil) != tc.notRepeatable {
				t.Errorf("checkRepeatable: got %v", err)
			}
			if got := isFigure(body); got != tc.figure {
				t.Errorf("isFigure: got %v", got)
			}
		})
	}
}
