package notebook

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// runSources runs a notebook of code cells in a fake session.
func runSources(t *testing.T, o Options, sources ...string) (*Notebook, *fakeSession, error) {
	t.Helper()
	nb, err := Parse(codeNotebook(sources...))
	if err != nil {
		t.Fatal(err)
	}
	s := newFake()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.cancel = cancel
	return nb, s, Run(ctx, nb, s, o)
}

// outputsOf returns the outputs of cell i in short: "stdout:TEXT", "display:TEXT", "result N:TEXT", "error NAME".
func outputsOf(t *testing.T, nb *Notebook, i int) []string {
	t.Helper()
	outputs, err := nb.Cells[i].Outputs()
	if err != nil {
		t.Fatal(err)
	}
	short := []string{}
	for _, o := range outputs {
		switch o.Type {
		case StreamOutput:
			short = append(short, o.Name+":"+o.Text)
		case DisplayOutput:
			short = append(short, "display:"+o.Plain())
		case ResultOutput:
			short = append(short, "result:"+o.Plain())
		case ErrorOutput:
			short = append(short, "error:"+o.EName)
		}
	}
	return short
}

func TestOutputs(t *testing.T) {
	for _, test := range []struct {
		name  string
		cells []string
		want  []string // of the first cell
	}{
		{"nothing", []string{"x"}, []string{}},
		{"one stream is one output", []string{"out a\nout b"}, []string{"stdout:a\nb\n"}},
		{"streams keep their order", []string{"out a\nerr b\nout c"}, []string{"stdout:a\n", "stderr:b\n", "stdout:c\n"}},
		{"a display ends a run of text", []string{"out a\nshow - d\nout b"}, []string{"stdout:a\n", "display:d", "stdout:b\n"}},
		{"a cut character", []string{`out- \xe2` + "\n" + `out- \x82` + "\n" + `out- \xac`}, []string{"stdout:€"}},
		{"a cut character, the other stream between", []string{`out- x\xe2\x82` + "\nerr b\n" + `out- \xac`}, []string{"stdout:x", "stderr:b\n", "stdout:€"}},
		{"a character that never ends", []string{`out- x\xe2\x82`}, []string{"stdout:x\ufffd"}},
		{"carriage returns stay", []string{`out- 10%\r20%`}, []string{"stdout:10%\r20%"}},
		{"the value comes last", []string{"value v\nout a"}, []string{"stdout:a\n", "result:v"}},
		{"update", []string{"show a one\nshow b two\nupdate a three"}, []string{"display:three", "display:two"}},
		{"update of all with the id", []string{"show a one\nshow a two\nupdate a three"}, []string{"display:three", "display:three"}},
		{"update of an id not shown", []string{"update a three"}, []string{}},
		{"update by a later cell", []string{"show a one", "update a two"}, []string{"display:two"}},
		{"clear", []string{"out a\nshow x d\nclear\nout b"}, []string{"stdout:b\n"}},
		{"clear at the end", []string{"out a\nclear"}, []string{}},
		{"clear, then update", []string{"show a one\nclear\nshow b x\nupdate a two"}, []string{"display:x"}},
		{"clear and wait", []string{"out a\nclear-wait\nout b\nout c"}, []string{"stdout:b\nc\n"}},
		{"clear and wait, nothing more", []string{"out a\nclear-wait"}, []string{"stdout:a\n"}},
		{"clear and wait, a value", []string{"out a\nclear-wait\nvalue v"}, []string{"result:v"}},
		{"clear and wait, an update does not count", []string{"show a one\nclear-wait\nupdate a two"}, []string{"display:two"}},
		{"clear and wait, then at once", []string{"out a\nclear-wait\nclear\nout b"}, []string{"stdout:b\n"}},
		{"late output goes to its cell", []string{"out a\nlater b", "out c"}, []string{"stdout:a\nb\n"}},
		{"what JSON cannot hold", []string{"nan"}, []string{"display:x", "stderr:display: application/json left out: json: unsupported type: chan int\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			nb, _, err := runSources(t, Options{}, test.cells...)
			if err != nil {
				t.Fatal(err)
			}
			if got := outputsOf(t, nb, 0); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// tooLong ends a cell that waits, and is far longer than a cell of the fake session takes on a busy machine.
const tooLong = 200 * time.Millisecond

// TestEarlyEnd runs three cells of which the second goes wrong.
func TestEarlyEnd(t *testing.T) {
	for _, test := range []struct {
		name    string
		second  string
		options Options
		err     string // empty: none
		outputs []string
		third   bool // whether the third cell ran
	}{
		{name: "failure", second: "out a\nfail E text", err: "cell 2 of 3 failed: E: text", outputs: []string{"stdout:a\n", "error:E"}},
		{name: "failure allowed", second: "fail E text", options: Options{AllowErrors: true}, outputs: []string{"error:E"}, third: true},
		{name: "timeout", second: "out a\nwait", options: Options{Timeout: tooLong},
			err: "cell 2 of 3 failed: Timeout: the cell ran longer than 200ms", outputs: []string{"stdout:a\n", "error:Timeout"}},
		{name: "timeout allowed", second: "wait", options: Options{Timeout: tooLong, AllowErrors: true}, outputs: []string{"error:Timeout"}, third: true},
		{name: "timeout that gives a value", second: "partial\nvalue v", options: Options{Timeout: tooLong},
			err: "cell 2 of 3 failed: Timeout: the cell ran longer than 200ms", outputs: []string{"result:v", "error:Timeout"}},
		{name: "interrupt", second: "cancel\nwait", err: "cell 2 of 3 failed: Interrupted: interrupted", outputs: []string{"error:Interrupted"}},
		{name: "interrupt is never allowed", second: "cancel\nwait", options: Options{AllowErrors: true},
			err: "cell 2 of 3 failed: Interrupted: interrupted", outputs: []string{"error:Interrupted"}},
		{name: "interrupt that gives a value", second: "cancel\npartial\nvalue v",
			err: "cell 2 of 3 failed: Interrupted: the run was interrupted", outputs: []string{"result:v", "error:Interrupted"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			nb, s, err := runSources(t, test.options, "out first", test.second, "out third")
			if got := errorText(err); got != test.err {
				t.Fatalf("got error %q, want %q", got, test.err)
			}
			var cell *CellError
			if test.err != "" && !errors.As(err, &cell) {
				t.Errorf("the error is a %T, not a *CellError", err)
			}
			if got := outputsOf(t, nb, 0); !slices.Equal(got, []string{"stdout:first\n"}) {
				t.Errorf("first cell: got %q", got)
			}
			if got := outputsOf(t, nb, 1); !slices.Equal(got, test.outputs) {
				t.Errorf("second cell: got %q, want %q", got, test.outputs)
			}
			if got := slices.Contains(s.ran, "out third"); got != test.third {
				t.Errorf("third cell ran: %v, want %v", got, test.third)
			}
			if got, want := nb.Cells[2].ExecutionCount() == 3, test.third; got != want {
				t.Errorf("third cell has count %d", nb.Cells[2].ExecutionCount())
			}
		})
	}
}

// TestStuck gives up on a cell that does not stop, also where errors are allowed: the session is busy for good.
func TestStuck(t *testing.T) {
	old := grace
	grace = time.Millisecond
	defer func() { grace = old }()
	nb, err := Parse(codeNotebook("out a\nhang\nout late", "out b"))
	if err != nil {
		t.Fatal(err)
	}
	s := newFake()
	err = Run(context.Background(), nb, s, Options{Timeout: tooLong, AllowErrors: true})
	close(s.release)
	var cell *CellError
	if !errors.As(err, &cell) || !cell.Stuck || cell.Cell != 1 {
		t.Fatalf("got error %v, want a stuck first cell", err)
	}
	if got, want := outputsOf(t, nb, 0), []string{"stdout:a\n", "error:Timeout"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := nb.Cells[1].ExecutionCount(); n != 0 {
		t.Errorf("the second cell ran under %d", n)
	}
}

func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		want    string
	}{
		{name: "plain", want: "cell 1 of 2: out first …\ncell 2 of 2: fail E text\ncell 2 line 1\nE: text\n"},
		{name: "color", options: Options{Color: true},
			want: "cell 1 of 2: out first …\ncell 2 of 2: fail E text\ncell 2 line 1\n\x1b[31mE\x1b[0m: text\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var progress bytes.Buffer
			test.options.Progress = &progress
			_, _, err := runSources(t, test.options, "\nout first\nx", "fail E text")
			if err == nil {
				t.Fatal("no error")
			}
			if got := progress.String(); got != test.want {
				t.Errorf("got:\n%q\nwant:\n%q", got, test.want)
			}
		})
	}
}

func TestOtherLanguage(t *testing.T) {
	nb, err := Parse([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":{"kernelspec":{"language":"python"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	err = Run(context.Background(), nb, newFake(), Options{})
	if got, want := errorText(err), "the notebook's language is python, not go"; got != want {
		t.Errorf("got error %q, want %q", got, want)
	}
}

// TestLanguageInfo checks that a notebook says in which language its code is, as one that Jupyter has run does.
func TestLanguageInfo(t *testing.T) {
	const goInfo = `"language_info": {
   "codemirror_mode": "go",
   "file_extension": ".go",
   "mimetype": "text/x-go",
   "name": "go",
   "pygments_lexer": "go"
  }`
	for _, test := range []struct {
		name, metadata, want string
	}{
		{"nothing", `{}`, goInfo},
		{"a kernelspec", `{"kernelspec":{"language":"go"}}`, goInfo},
		{"of another client", `{"language_info":{"name":"go","version":"9"}}`, `"language_info": {
   "name": "go",
   "version": "9"
  }`},
		{"of a kernelspec for Go", `{"kernelspec":{"language":"go"},"language_info":{"name":"x"}}`, `"language_info": {
   "name": "x"
  }`},
	} {
		t.Run(test.name, func(t *testing.T) {
			nb, err := Parse([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":` + test.metadata + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if err := Run(context.Background(), nb, newFake(), Options{}); err != nil {
				t.Fatal(err)
			}
			if got := string(bytesOf(t, nb)); !strings.Contains(got, test.want) {
				t.Errorf("got:\n%s\nwant it to have\n%s", got, test.want)
			}
		})
	}
}

// TestVersion checks the mark of who ran the notebook, and that one of a newer version leads to a warning.
func TestVersion(t *testing.T) {
	nb, err := Parse([]byte(`{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":{"orthant":{"api":99},"z":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the notebook was last run with a newer version (its api is 99, this one's is 1)\n", ""} {
		var progress bytes.Buffer
		if err := Run(context.Background(), nb, newFake(), Options{Version: "1.2.3", Progress: &progress}); err != nil {
			t.Fatal(err)
		}
		if got := progress.String(); got != want {
			t.Errorf("got progress %q, want %q", got, want)
		}
	}
	if got, want := string(bytesOf(t, nb)), `"orthant": {
   "api": 1,
   "version": "1.2.3"
  },
  "z": 1`; !strings.Contains(got, want) {
		t.Errorf("the mark is missing in:\n%s", got)
	}
}
