package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// CSV says how a file of comma-separated values (RFC 4180) holds data: one object a line, one feature a column, numbers as Go
// writes them. Compressed files (gzip) are recognised by their first bytes. The zero value reads numbers only, without a
// header and without labels.
type CSV struct {
	// Comma separates columns. 0: ','.
	Comma rune
	// Header says that the first line has the columns' names.
	Header bool
	// LabelColumn is the column with the objects' classes, counted from 1, or from the end by -1, -2, …. 0: there is none,
	// unless LabelName is given. Classes may be any text; they are numbered in ascending order, of numbers if all of them are
	// whole numbers, otherwise of their texts.
	LabelColumn int
	// LabelName is the name of the column with the classes; it needs Header. "": see LabelColumn.
	LabelName string
}

// Load reads the file at path. Errors name the file, and the line and column where there is one.
func (c CSV) Load(path string) (*Dataset, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close() // read only: closing has nothing to report
	d, err := c.Read(f, path)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(filepath.Base(path), ".gz")
	d.Name = strings.TrimSuffix(base, filepath.Ext(base))
	return d, nil
}

// Read reads from r; name stands for it in errors.
func (c CSV) Read(r io.Reader, name string) (*Dataset, error) {
	d, err := c.read(r)
	if err != nil {
		return nil, fmt.Errorf("dataset: %s: %w", name, err)
	}
	d.Name, d.Source = name, name
	return d, nil
}

// table is a file as it comes in.
type table struct {
	names  []string // of all columns; nil without a header
	width  int      // columns in the file
	label  int      // index of the label's column, -1: none
	values []float64
	labels []string
	lines  int
}

func (c CSV) read(r io.Reader) (*Dataset, error) {
	plain, err := decompress(r)
	if err != nil {
		return nil, err
	}
	lines := csv.NewReader(plain)
	lines.FieldsPerRecord = -1 // counted here, for a message that says what to do
	lines.ReuseRecord = true
	lines.TrimLeadingSpace = true
	if c.Comma != 0 {
		lines.Comma = c.Comma
	}
	t := table{}
	for {
		record, err := lines.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err // a *csv.ParseError, with line and column, or an error of the reader
		}
		line, _ := lines.FieldPos(0)
		if err := c.add(&t, record, line); err != nil {
			return nil, err
		}
	}
	return t.dataset()
}

// decompress returns the text of r, which may be compressed. A byte order mark, as spreadsheets write it, is dropped.
func decompress(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	magic, err := b.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if bytes.Equal(magic, []byte{0x1f, 0x8b}) { // RFC 1952
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReader(z)
	}
	const mark = "\ufeff"
	if head, err := b.Peek(len(mark)); err == nil && string(head) == mark {
		if _, err := b.Discard(len(mark)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// add enters one line.
func (c CSV) add(t *table, record []string, line int) error {
	if t.width == 0 {
		t.width = len(record)
		if c.Header {
			for _, name := range record {
				t.names = append(t.names, strings.TrimSpace(name))
			}
		}
		var err error
		if t.label, err = c.labelIndex(t.names, t.width); err != nil {
			return err
		}
		if c.Header {
			return nil
		}
	}
	if len(record) != t.width {
		return fmt.Errorf("line %d has %d columns, the first has %d: is %q between all values, and nowhere else?",
			line, len(record), t.width, c.comma())
	}
	for j, text := range record {
		text = strings.TrimSpace(text)
		if j == t.label {
			if text == "" {
				return fmt.Errorf("line %d, column %d: the label is missing", line, j+1)
			}
			t.labels = append(t.labels, strings.Clone(text))
			continue
		}
		x, err := number(text)
		if err != nil {
			hint := ""
			if t.lines == 0 && !c.Header {
				hint = "; if the first line has names, set Header"
			}
			return fmt.Errorf("line %d, column %d: %w%s", line, j+1, err, hint)
		}
		t.values = append(t.values, x)
	}
	t.lines++
	return nil
}

func (c CSV) comma() string {
	if c.Comma == 0 {
		return ","
	}
	return string(c.Comma)
}

// labelIndex is the index of the label's column in a file of the given width, -1 if it has none.
func (c CSV) labelIndex(names []string, width int) (int, error) {
	switch {
	case c.LabelName != "" && c.LabelColumn != 0:
		return 0, fmt.Errorf("LabelName = %q and LabelColumn = %d: give one of them", c.LabelName, c.LabelColumn)
	case c.LabelName != "" && !c.Header:
		return 0, fmt.Errorf("LabelName = %q needs Header", c.LabelName)
	case c.LabelName != "":
		i := slices.Index(names, c.LabelName)
		if i < 0 {
			return 0, fmt.Errorf("line 1 has no column %q; it has %q", c.LabelName, names)
		}
		return i, nil
	case c.LabelColumn > width || c.LabelColumn < -width:
		return 0, fmt.Errorf("LabelColumn = %d, but the first line has %d columns", c.LabelColumn, width)
	case c.LabelColumn < 0:
		return width + c.LabelColumn, nil
	}
	return c.LabelColumn - 1, nil
}

// number reads a finite number.
func number(text string) (float64, error) {
	if text == "" {
		return 0, errors.New("the value is missing; fill it in or leave the line out")
	}
	x, err := strconv.ParseFloat(text, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q is not a finite number; fill it in or leave the line out", text)
	}
	return x, nil
}

// dataset is what t holds, as a Dataset.
func (t *table) dataset() (*Dataset, error) {
	features := t.width
	if t.label >= 0 {
		features--
	}
	switch {
	case t.lines == 0:
		return nil, errors.New("there are no data lines")
	case features == 0:
		return nil, errors.New("there is no column but the label")
	}
	d := &Dataset{X: mat.NewDense(t.lines, features, t.values)}
	for j, name := range t.names {
		if j != t.label {
			d.Features = append(d.Features, name)
		}
	}
	if t.label >= 0 {
		d.Classes = classes(t.labels)
		index := make(map[string]int, len(d.Classes))
		for i, name := range d.Classes {
			index[name] = i
		}
		d.Labels = make([]int, len(t.labels))
		for i, name := range t.labels {
			d.Labels[i] = index[name]
		}
	}
	return d, nil
}

// classes are the distinct labels in ascending order: of numbers, if all are whole numbers.
func classes(labels []string) []string {
	names := slices.Clone(labels)
	slices.Sort(names)
	names = slices.Compact(names)
	numbers := make(map[string]int, len(names))
	for _, name := range names {
		n, err := strconv.Atoi(name)
		if err != nil {
			return names
		}
		numbers[name] = n
	}
	slices.SortStableFunc(names, func(a, b string) int { return numbers[a] - numbers[b] })
	return names
}
