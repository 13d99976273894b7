package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"orthant/stdlib"
)

// The version of the format in which notebooks are held in memory and saved.
const (
	major = 4
	minor = 5
)

// A Notebook is a list of cells with metadata, in the form of nbformat 4.5.
type Notebook struct {
	Cells    []*Cell
	members  *object // everything but the cells
	metadata *object
}

// Language returns the language that the notebook's kernelspec or, failing that, its language_info names; empty when it
// names none. A notebook that names go in either place is a Go notebook.
func (nb *Notebook) Language() string {
	spec := nb.named("kernelspec", "language")
	info := nb.named("language_info", "name")
	if spec == "" || info == goLanguage {
		return info
	}
	return spec
}

// goLanguage is the name by which Jupyter knows the language.
const goLanguage = "go"

// named returns the string member key of the metadata's member group, or the empty string.
func (nb *Notebook) named(group, key string) string {
	var members map[string]json.RawMessage
	var name string
	if raw, ok := nb.metadata.Get(group); ok && json.Unmarshal(raw, &members) == nil {
		if json.Unmarshal(members[key], &name) != nil {
			return ""
		}
	}
	return name
}

// api returns the API version that the notebook was last run with, 0 when it does not say.
func (nb *Notebook) api() int {
	var mark struct {
		API int `json:"api"`
	}
	if raw, ok := nb.metadata.Get("orthant"); ok && json.Unmarshal(raw, &mark) != nil {
		return 0
	}
	return mark.API
}

// setVersion records by which version of the program, and with which API, the outputs were made.
func (nb *Notebook) setVersion(version string) {
	nb.metadata.Set("orthant", mustEncode(struct {
		API     int    `json:"api"`
		Version string `json:"version"`
	}{stdlib.API, version}))
}

// nameLanguage says that the code is Go, in the words of the kernel (without a version), unless something is said already. A
// notebook written by a program often says nothing; JupyterLab then asks for a kernel, and nbconvert takes it for Python.
func (nb *Notebook) nameLanguage() {
	if _, ok := nb.metadata.Get("language_info"); ok {
		return
	}
	nb.metadata.Set("language_info", mustEncode(struct {
		Mode      string `json:"codemirror_mode"`
		Extension string `json:"file_extension"`
		MIME      string `json:"mimetype"`
		Name      string `json:"name"`
		Lexer     string `json:"pygments_lexer"`
	}{goLanguage, ".go", "text/x-go", goLanguage, goLanguage}))
}

// Bytes returns the notebook as a file: nbformat 4.5, indented by one blank, <, > and & unescaped and a newline at the
// end, as Python's nbformat writes it, but with the members in the order in which they were read.
func (nb *Notebook) Bytes() ([]byte, error) {
	cells := make([]json.RawMessage, len(nb.Cells))
	for i, c := range nb.Cells {
		raw, err := encodeObject(c.members)
		if err != nil {
			return nil, fmt.Errorf("notebook: cell %d: %w", i+1, err)
		}
		cells[i] = raw
	}
	all, err := encode(cells)
	if err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	metadata, err := encodeObject(nb.metadata)
	if err != nil {
		return nil, fmt.Errorf("notebook: metadata: %w", err)
	}
	nb.members.Set("cells", all)
	nb.members.Set("metadata", metadata)
	raw, err := encodeObject(nb.members)
	if err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", " "); err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// tagged returns the index of the first code cell with a tag, -1 when there is none.
func (nb *Notebook) tagged(tag string) int {
	return slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.Type() == CodeCell && c.HasTag(tag) })
}
