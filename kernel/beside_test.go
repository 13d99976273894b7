//go:build !windows

package kernel

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

var update = flag.Bool("update", false, "rewrite BESIDE.md")

// A behaviour is a row of the comparison with ipykernel: a conversation that is had with both kernels, and whether what
// comes of it is to be the same.
type behaviour struct {
	name   string
	script func(*scene)
	// differs is why the kernels are to differ; empty where they are to be equal.
	differs string
	// fresh conversations are had with kernels of their own: they end them.
	fresh bool
}

// A languageKernel is a kernel that the scripts speak to, with cells of its language.
type languageKernel struct {
	language string // go or python
	start    func(t *testing.T) *kerneltest.Client
}

// TestBeside has every conversation with both kernels and compares the transcripts: rows that are to be equal must be,
// and rows that differ for a reason must differ, so that no reason outlives its cause. BESIDE.md is the table.
func TestBeside(t *testing.T) {
	python := kerneltest.Python(t)
	kernels := []languageKernel{
		{"go", func(t *testing.T) *kerneltest.Client {
			_, c := startProcess(t, sessionVariable+"=1")
			return c
		}},
		{"python", func(t *testing.T) *kerneltest.Client { return startIPython(t, python) }},
	}
	rows := behaviours()
	transcripts := make([][]string, len(kernels))
	for i, k := range kernels {
		transcripts[i] = k.transcripts(t, rows)
	}
	for i, b := range rows {
		t.Run(b.name, func(t *testing.T) {
			ours, theirs := transcripts[0][i], transcripts[1][i]
			switch {
			case b.differs == "" && ours != theirs:
				t.Errorf("orthant\n%s\n\nipykernel\n%s", ours, theirs)
			case b.differs != "" && ours == theirs:
				t.Errorf("no longer different (%s):\n%s", b.differs, ours)
			}
		})
	}
	checkDocument(t, besideDocument(rows, transcripts[0], transcripts[1]))
}

// transcripts returns what comes of the conversations with one kernel.
func (k languageKernel) transcripts(t *testing.T, rows []behaviour) []string {
	t.Helper()
	shared := k.start(t)
	all := make([]string, len(rows))
	for i, b := range rows {
		c := shared
		if b.fresh {
			c = k.start(t)
		}
		s := newScene(t, k.language, c)
		b.script(s)
		all[i] = s.transcript()
	}
	return all
}

// startIPython starts an ipykernel, which ends with the test.
func startIPython(t *testing.T, python *kerneltest.PythonEnv) *kerneltest.Client {
	t.Helper()
	file, info := writeConnectionFile(t)
	cmd := python.Command(t, nil, "-m", "ipykernel_launcher", "-f", file)
	cmd.Env = append(cmd.Env, "JPY_PARENT_PID=")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// It may have ended by itself, as some conversations ask it to.
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() && said.Len() > 0 {
			t.Logf("ipykernel said\n%s", said.String())
		}
	})
	return kerneltest.Watch(t, info)
}

// besideFile is the table as a document.
const besideFile = "BESIDE.md"

// besideDocument returns the table as Markdown.
func besideDocument(rows []behaviour, ours, theirs []string) string {
	var b strings.Builder
	same := 0
	for _, row := range rows {
		if row.differs == "" {
			same++
		}
	}
	fmt.Fprintf(&b, besideHead, len(rows), same, len(rows)-same)
	for _, row := range rows {
		verdict := "equal"
		if row.differs != "" {
			verdict = "different: " + row.differs
		}
		fmt.Fprintf(&b, "| %s | %s |\n", row.name, verdict)
	}
	b.WriteString(besideTranscripts)
	for i, row := range rows {
		if row.differs != "" {
			fmt.Fprintf(&b, "\n### %s\n\northant\n\n```\n%s\n```\n\nipykernel\n\n```\n%s\n```\n", row.name, ours[i], theirs[i])
		}
	}
	return b.String()
}

const besideHead = `# Beside ipykernel

What a front end sees of this kernel and of ipykernel, where both are asked the same, each with cells of its language. The
test TestBeside has these conversations with both, compares them message by message, and fails when a row no longer holds;
with -update it writes this file.

Of %d behaviours %d are equal, and %d differ for the reason that stands with them.

| behaviour | |
|---|---|
`

const besideTranscripts = `
## Transcripts of those that differ

A request's messages on IOPub stand in their order and its reply last. Execution counts are counted from the beginning of
each conversation, +0 being what the counter was. ↳ is text, <...> what depends on the language.
`

// checkDocument compares the document with what it is to be.
func checkDocument(t *testing.T, want string) {
	t.Helper()
	if t.Failed() {
		return // the table does not hold: no document of it
	}
	if *update {
		if err := os.WriteFile(besideFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(besideFile)
	if err != nil || string(got) != want {
		t.Errorf("%s is not up to date (%v): look at what has changed, then run go test -run TestBeside -update", besideFile, err)
	}
}

// A scene is one conversation with one kernel.
type scene struct {
	t        *testing.T
	language string
	client   *kerneltest.Client
	base     int      // the counter at the beginning
	folder   string   // for files by which the client and cells wait for each other
	lines    []string // the transcript
	names    map[string]string
}

func newScene(t *testing.T, language string, c *kerneltest.Client) *scene {
	t.Helper()
	s := &scene{t: t, language: language, client: c, folder: t.TempDir(), names: make(map[string]string)}
	var reply struct {
		ExecutionCount int `json:"execution_count"`
	}
	c.Shell(wire.ExecuteRequest{Silent: true}).Decode(&reply)
	s.base = reply.ExecutionCount
	return s
}

func (s *scene) transcript() string { return strings.Join(s.lines, "\n") }

// cell returns the code of a cell in the kernel's language. FOLDER in it becomes the scene's folder.
func (s *scene) cell(name string) string {
	s.t.Helper()
	code, known := cells[name]
	if !known {
		s.t.Fatalf("no cell %q", name)
	}
	text := code.python
	if s.language == "go" {
		text = code.golang
	}
	text = strings.ReplaceAll(text, "FOLDER", s.folder)
	s.names[text] = name
	return text
}

// request returns an execute request of a cell.
func (s *scene) request(name string, edits ...func(*wire.ExecuteRequest)) wire.ExecuteRequest {
	r := kerneltest.Request(s.cell(name))
	for _, edit := range edits {
		edit(&r)
	}
	return r
}

// run runs a cell to its end and notes what came of it.
func (s *scene) run(name string, edits ...func(*wire.ExecuteRequest)) *kerneltest.Exchange {
	s.t.Helper()
	e := s.client.Shell(s.request(name, edits...))
	s.note(e)
	return e
}

// ask sends a request on shell and notes what comes of it.
func (s *scene) ask(content wire.Content) *kerneltest.Exchange {
	s.t.Helper()
	e := s.client.Shell(content)
	s.note(e)
	return e
}

// await waits until a cell says that it runs.
func (s *scene) await(e *kerneltest.Exchange) { e.WaitForText("stdout", "running") }

// release makes the file that a cell waits for.
func (s *scene) release() {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, "go"), nil, 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// say notes a line of the client's own.
func (s *scene) say(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// note notes an exchange that has ended.
func (s *scene) note(e *kerneltest.Exchange) {
	text := ""
	stream := ""
	endText := func() {
		switch {
		case strings.Contains(text, "UserWarning"):
			s.say("%s ↳ <a warning, with the path of its source>", stream)
		case text != "":
			s.say("%s ↳ %.100q", stream, text)
		}
		text = ""
	}
	for _, m := range e.Messages() {
		if m.Header.MsgType == "stream" {
			in := content[wire.Stream](s.t, m)
			if in.Name != stream {
				endText()
			}
			stream, text = in.Name, text+in.Text
			continue
		}
		endText()
		s.say("%s", s.line(m))
	}
	endText()
	if e.Reply != nil {
		s.say("%s", s.line(e.Reply))
	}
}

// fields decodes an object of JSON.
func fields(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return v
}
