package notebook

import (
	"encoding/json"
	"fmt"
	"slices"
)

// A CellType says what a cell holds.
type CellType string

// The types of cells in nbformat 4.
const (
	CodeCell     CellType = "code"
	MarkdownCell CellType = "markdown"
	RawCell      CellType = "raw"
)

// A Cell is one cell of a notebook.
type Cell struct {
	members *object
	typ     CellType
	source  string
	tags    []string
}

// newCodeCell returns a code cell that has not run; its members stand in the order in which nbformat saves them.
func newCodeCell(id, source string, tags ...string) *Cell {
	c := &Cell{members: newObject(), typ: CodeCell, tags: tags}
	c.members.Set("cell_type", mustEncode(CodeCell))
	c.members.Set("execution_count", json.RawMessage("null"))
	c.members.Set("id", mustEncode(id))
	c.members.Set("metadata", mustEncode(struct {
		Tags []string `json:"tags"`
	}{tags}))
	c.members.Set("outputs", json.RawMessage("[]"))
	c.setSource(source)
	return c
}

// Type says what the cell holds.
func (c *Cell) Type() CellType { return c.typ }

// Source is the cell's text.
func (c *Cell) Source() string { return c.source }

// HasTag says whether the cell's metadata lists the tag.
func (c *Cell) HasTag(tag string) bool { return slices.Contains(c.tags, tag) }

// ID is the cell's id, unique within its notebook.
func (c *Cell) ID() string {
	var id string
	if raw, ok := c.members.Get("id"); ok && json.Unmarshal(raw, &id) != nil {
		return ""
	}
	return id
}

// ExecutionCount is the number under which the cell last ran, 0 when it has not run.
func (c *Cell) ExecutionCount() int {
	var n int
	if raw, ok := c.members.Get("execution_count"); ok && json.Unmarshal(raw, &n) != nil {
		return 0
	}
	return n
}

// Outputs returns what the cell's last run left; it is empty for cells other than code cells. An output that is not as
// nbformat 4 has it is an error.
func (c *Cell) Outputs() ([]Output, error) {
	raw, ok := c.members.Get("outputs")
	if !ok {
		return nil, nil
	}
	var outputs []Output
	if err := json.Unmarshal(raw, &outputs); err != nil {
		return nil, fmt.Errorf("notebook: outputs: %w", err)
	}
	return outputs, nil
}

func (c *Cell) setSource(source string) {
	c.source = source
	c.members.Set("source", mustEncode(splitLines(source)))
}

// reset makes a code cell one that has not run.
func (c *Cell) reset() {
	c.members.Set("execution_count", json.RawMessage("null"))
	c.members.Set("outputs", json.RawMessage("[]"))
}

// setRun stores what running a code cell gave.
func (c *Cell) setRun(count int, outputs []Output) error {
	raw, err := encode(outputs)
	if err != nil {
		return fmt.Errorf("notebook: outputs: %w", err)
	}
	c.members.Set("execution_count", mustEncode(count))
	c.members.Set("outputs", raw)
	return nil
}
