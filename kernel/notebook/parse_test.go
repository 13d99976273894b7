package notebook

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// codeNotebook returns the source of a notebook whose code cells have the sources.
func codeNotebook(sources ...string) []byte {
	cells := make([]string, len(sources))
	for i, s := range sources {
		cells[i] = fmt.Sprintf(`{"cell_type":"code","execution_count":null,"metadata":{},"outputs":[],"source":%s}`, mustEncode(s))
	}
	return fmt.Appendf(nil, `{"cells":[%s],"metadata":{},"nbformat":4,"nbformat_minor":4}`, strings.Join(cells, ","))
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		in   string
		want string // the whole error
	}{
		{"empty", "", "not a notebook: line 1: unexpected end of JSON input"},
		{"text", "package main\n", "not a notebook: line 1: invalid character 'p' looking for beginning of value"},
		{"cut off", "{\n \"cells\": [\n", "not a notebook: line 3: unexpected end of JSON input"},
		{"after the end", `{"nbformat":4} x`, "not a notebook: line 1: invalid character 'x' after top-level value"},
		{"list", "[]", "not a notebook: it is not a JSON object with names in Unicode"},
		{"null", "null", "not a notebook: it is not a JSON object with names in Unicode"},
		{"not UTF-8", "{\"\xff\":1}", "not a notebook: it is not UTF-8 text"},
		{"half a surrogate pair as a name", `{"\ud800":1}`, "not a notebook: it is not a JSON object with names in Unicode"},
		{"other JSON", `{"name":"x"}`, "not a notebook: it has no nbformat member"},
		{"no minor", `{"nbformat":4}`, "not a notebook: it has no nbformat_minor member"},
		{"text as version", `{"nbformat":"4","nbformat_minor":5}`, "not a notebook: nbformat is not a whole number"},
		{"version 3", `{"nbformat":3,"nbformat_minor":0,"worksheets":[]}`, "nbformat 3.0 is not supported: only 4.0 to 4.5 are"},
		{"version 5", `{"nbformat":5,"nbformat_minor":0}`, "nbformat 5.0 is not supported: only 4.0 to 4.5 are"},
		{"version 4.6", `{"nbformat":4,"nbformat_minor":6}`, "nbformat 4.6 is not supported: only 4.0 to 4.5 are"},
		{"no cells", `{"nbformat":4,"nbformat_minor":5,"metadata":{}}`, "not a notebook: it has no cells member"},
		{"cells null", `{"nbformat":4,"nbformat_minor":5,"cells":null}`, "not a notebook: cells is not a list"},
		{"cells object", `{"nbformat":4,"nbformat_minor":5,"cells":{}}`, "not a notebook: cells is not a list"},
		{"cell not an object", cells(`1`), "not a notebook: cell 1: it is not an object"},
		{"no type", cells(`{}`), "not a notebook: cell 1: it has no cell_type"},
		{"heading", cells(`{"cell_type":"heading"}`), `not a notebook: cell 1: cell_type "heading" is not code, markdown or raw`},
		{"no source", cells(`{"cell_type":"raw"}`), "not a notebook: cell 1: it has no source"},
		{"source a number", cells(`{"cell_type":"raw","source":[1]}`), "not a notebook: cell 1: source is neither a string nor a list of strings"},
		{"cell metadata", cells(`{"cell_type":"raw","source":"","metadata":[]}`), "not a notebook: cell 1: metadata is not an object"},
		{"tags", cells(`{"cell_type":"raw","source":"","metadata":{"tags":"x"}}`), "not a notebook: cell 1: metadata.tags is not a list of strings"},
		{"metadata", `{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":3}`, "not a notebook: metadata is not an object"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse([]byte(test.in))
			if got := errorText(err); got != test.want {
				t.Errorf("got error  %q\nwant error %q", got, test.want)
			}
		})
	}
}

// cells returns a notebook with one cell.
func cells(cell string) string {
	return `{"nbformat":4,"nbformat_minor":5,"cells":[` + cell + `]}`
}

func TestLanguage(t *testing.T) {
	for _, test := range []struct {
		name, metadata, want string
	}{
		{"none", `{}`, ""},
		{"kernelspec", `{"kernelspec":{"language":"go"}}`, "go"},
		{"language_info", `{"language_info":{"name":"go"}}`, "go"},
		{"other", `{"kernelspec":{"language":"python"},"language_info":{"name":"python"}}`, "python"},
		{"only info, other", `{"language_info":{"name":"R"}}`, "R"},
		{"one of the two is enough", `{"kernelspec":{"language":"python"},"language_info":{"name":"go"}}`, "go"},
		{"the other of the two", `{"kernelspec":{"language":"go"},"language_info":{"name":"python"}}`, "go"},
		{"kernelspec without language", `{"kernelspec":{"name":"python3"}}`, ""},
		{"not as the format has it", `{"kernelspec":7,"language_info":{"name":[]}}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			nb, err := Parse([]byte(`{"nbformat":4,"nbformat_minor":2,"cells":[],"metadata":` + test.metadata + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := nb.Language(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestIDs checks that all cells have valid ids, each its own, that good ones stay, and that two readings agree.
func TestIDs(t *testing.T) {
	cell := func(id string) string { return `{"cell_type":"raw","source":"same","metadata":{}` + id + `}` }
	in := fmt.Sprintf(`{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[%s]}`, strings.Join([]string{
		cell(`,"id":"keep-me"`), cell(`,"id":"keep-me"`), cell(``), cell(`,"id":"not valid"`), cell(`,"id":7`), cell(`,"id":""`),
	}, ","))
	first, err := Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	second, err := Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i, c := range first.Cells {
		id := c.ID()
		if !validID.MatchString(id) || seen[id] {
			t.Errorf("cell %d: id %q is invalid or stands twice", i, id)
		}
		seen[id] = true
		if again := second.Cells[i].ID(); again != id {
			t.Errorf("cell %d: id %q at first, %q when read again", i, id, again)
		}
	}
	if got := first.Cells[0].ID(); got != "keep-me" {
		t.Errorf("the first id became %q", got)
	}
}

// FuzzParse checks that nothing panics, and that what was read and written stays the same when that is done again.
func FuzzParse(f *testing.F) {
	f.Add(codeNotebook("x := 1\n", "", "<&>\u2028"))
	f.Add([]byte(cells(`{"cell_type":"raw","source":["a\n","b"],"metadata":{"tags":["x"],"n":12345678901234567890.5}}`)))
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":0,"cells":[],"metadata":{},"a\"\u00e9":{"b":[1,{"c":null}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := Parse(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of more than one line: %q", err)
			}
			return
		}
		once := bytesOf(t, nb)
		nb, err = Parse(once)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, once)
		}
		if twice := bytesOf(t, nb); !bytes.Equal(once, twice) {
			t.Errorf("written once:\n%s\nwritten twice:\n%s", once, twice)
		}
	})
}
