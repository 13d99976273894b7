package notebooks

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"regexp"
	"testing"
	"time"

	"orthant/kernel/notebook"
	"orthant/kernel/session"
)

// timeout is how long a cell may run. The longest takes 5 s on two idle cores; on busy ones it may take many times that.
const timeout = 5 * time.Minute

// TestRun runs each notebook as orthant run does and looks at what its cells output.
func TestRun(t *testing.T) {
	for _, name := range names(t) {
		t.Run(name, func(t *testing.T) {
			nb, _ := read(t, name)
			execute(t, nb)
			for _, c := range cells(nb, notebook.CodeCell) {
				checkOutputs(t, c)
			}
			if name == "tour.ipynb" {
				checkClaims(t, nb)
			}
		})
	}
}

// execute runs a notebook in a session of its own.
func execute(t *testing.T, nb *notebook.Notebook) {
	t.Helper()
	s, err := session.New()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	var progress bytes.Buffer
	if err := notebook.Run(t.Context(), nb, s, notebook.Options{Timeout: timeout, Progress: &progress}); err != nil {
		t.Fatalf("%v\n%s", err, &progress)
	}
}

// Times, as Go and people write them, and scores with another number of digits than three.
var (
	duration = regexp.MustCompile(`\b\d+(\.\d+)?\s?(ns|µs|us|ms|s|sec|seconds|min|minutes)\b`)
	scored   = regexp.MustCompile(`\b(?:mean|max|min) (\d[\d.]*)`)
	digits3  = regexp.MustCompile(`^[01]\.\d{3}$`)
)

// checkOutputs checks what is the same for all cells of all notebooks.
func checkOutputs(t *testing.T, c *notebook.Cell) {
	t.Helper()
	pictures := 0
	for _, o := range outputs(t, c) {
		if o.Type == notebook.ErrorOutput {
			t.Errorf("cell %s failed: %s: %s", c.ID(), o.EName, o.EValue)
		}
		if o.Name == "stderr" {
			t.Errorf("cell %s wrote on stderr: %q", c.ID(), o.Text)
		}
		if data, ok := o.Data["image/png"]; ok {
			checkPNG(t, c, data)
			pictures++
		}
		text := o.Text + o.Plain()
		if found := duration.FindString(text); found != "" {
			t.Errorf("cell %s prints a time, %q:\n%s", c.ID(), found, text)
		}
		for _, found := range scored.FindAllStringSubmatch(text, -1) {
			if !digits3.MatchString(found[1]) {
				t.Errorf("cell %s prints a score as %s, not to three digits:\n%s", c.ID(), found[1], text)
			}
		}
	}
	body, err := parse(c.Source())
	if err != nil {
		t.Fatal(err)
	}
	if want := isFigure(body); want != (pictures == 1) {
		t.Errorf("cell %s has %d pictures; ends in a figure: %v", c.ID(), pictures, want)
	}
}

// checkPNG checks that a picture is one, and large enough to be read.
func checkPNG(t *testing.T, c *notebook.Cell, data json.RawMessage) {
	t.Helper()
	var encoded string
	if err := json.Unmarshal(data, &encoded); err != nil {
		t.Fatal(err)
	}
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatalf("cell %s: %v", c.ID(), err)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("cell %s: %v", c.ID(), err)
	}
	if size := picture.Bounds().Size(); size.X < 600 || size.Y < 400 {
		t.Errorf("cell %s: a picture of %v pixels", c.ID(), size)
	}
}
