package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Parse reads a notebook of nbformat 4.0 to 4.5 and brings it into the form of 4.5: missing ids, metadata, outputs and
// execution counts are added, and an id that is invalid or stands twice is replaced. Anything else is refused with an
// error of one line.
func Parse(data []byte) (*Notebook, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("not a notebook: it is not UTF-8 text")
	}
	members, err := parseObject(data)
	if err != nil {
		return nil, fmt.Errorf("not a notebook: %w", withLine(data, err))
	}
	if err := checkVersion(members); err != nil {
		return nil, err
	}
	raw, ok := members.Get("cells")
	if !ok {
		return nil, errors.New("not a notebook: it has no cells member")
	}
	var cells []json.RawMessage
	if err := json.Unmarshal(raw, &cells); err != nil || cells == nil {
		return nil, errors.New("not a notebook: cells is not a list")
	}
	nb := &Notebook{members: members}
	if nb.metadata, err = metadata(members); err != nil {
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	for i, raw := range cells {
		c, err := parseCell(raw)
		if err != nil {
			return nil, fmt.Errorf("not a notebook: cell %d: %w", i+1, err)
		}
		nb.Cells = append(nb.Cells, c)
	}
	members.Set("nbformat_minor", mustEncode(minor))
	giveIDs(nb.Cells)
	return nb, nil
}

// checkVersion refuses all versions of the format but 4.0 to 4.5.
func checkVersion(members *object) error {
	var version struct{ major, minor int }
	for _, part := range []struct {
		key string
		to  *int
	}{{"nbformat", &version.major}, {"nbformat_minor", &version.minor}} {
		raw, ok := members.Get(part.key)
		if !ok {
			return fmt.Errorf("not a notebook: it has no %s member", part.key)
		}
		if err := json.Unmarshal(raw, part.to); err != nil {
			return fmt.Errorf("not a notebook: %s is not a whole number", part.key)
		}
	}
	if version.major != major || version.minor < 0 || version.minor > minor {
		return fmt.Errorf("nbformat %d.%d is not supported: only 4.0 to 4.5 are", version.major, version.minor)
	}
	return nil
}

// metadata returns the object's metadata, which is added where it is missing.
func metadata(members *object) (*object, error) {
	raw, ok := members.Get("metadata")
	if !ok {
		raw = json.RawMessage("{}")
		members.Set("metadata", raw)
	}
	m, err := parseObject(raw)
	if err != nil {
		return nil, errors.New("metadata is not an object")
	}
	return m, nil
}

func parseCell(raw json.RawMessage) (*Cell, error) {
	members, err := parseObject(raw)
	if err != nil {
		return nil, errors.New("it is not an object")
	}
	c := &Cell{members: members}
	typ, _ := members.Get("cell_type")
	switch err := json.Unmarshal(typ, &c.typ); {
	case err != nil:
		return nil, errors.New("it has no cell_type")
	case c.typ != CodeCell && c.typ != MarkdownCell && c.typ != RawCell:
		return nil, fmt.Errorf("cell_type %q is not code, markdown or raw", c.typ)
	}
	text, ok := members.Get("source")
	if !ok {
		return nil, errors.New("it has no source")
	}
	source, err := joinLines(text)
	if err != nil {
		return nil, fmt.Errorf("source is %w", err)
	}
	c.setSource(source)
	m, err := metadata(members)
	if err != nil {
		return nil, err
	}
	if raw, ok := m.Get("tags"); ok && json.Unmarshal(raw, &c.tags) != nil {
		return nil, errors.New("metadata.tags is not a list of strings")
	}
	if c.typ == CodeCell {
		addMissing(members, "execution_count", "null")
		addMissing(members, "outputs", "[]")
	}
	return c, nil
}

func addMissing(members *object, key, value string) {
	if _, ok := members.Get(key); !ok {
		members.Set(key, json.RawMessage(value))
	}
}

// withLine adds to a syntax error the line of data that it is on.
func withLine(data []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	before := data[:min(int(syntax.Offset), len(data))]
	return fmt.Errorf("line %d: %w", 1+bytes.Count(before, []byte("\n")), err)
}
