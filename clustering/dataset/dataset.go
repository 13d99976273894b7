package dataset

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// A Dataset is objects with features and, where they are known, classes.
type Dataset struct {
	// Name is a short name for titles.
	Name string
	// X is n×m: one object a row, one feature a column.
	X *mat.Dense
	// Labels has the class of each object, 0..len(Classes)-1; nil if there are none.
	Labels []int
	// Features names the columns of X; nil if they have no names.
	Features []string
	// Classes names the classes; nil without Labels.
	Classes []string
	// Source says where the data is from, and its licence.
	Source string
}

// First returns the first n objects, or all if there are fewer, as a data set of its own. A negative n counts as 0.
func (d *Dataset) First(n int) *Dataset {
	rows, cols := d.X.Dims()
	n = min(max(n, 0), rows)
	first := *d
	first.X = &mat.Dense{}
	if n > 0 {
		first.X = mat.DenseCopyOf(d.X.Slice(0, n, 0, cols))
	}
	if d.Labels != nil {
		first.Labels = append([]int{}, d.Labels[:n]...)
	}
	first.Features = append([]string(nil), d.Features...)
	first.Classes = append([]string(nil), d.Classes...)
	if n < rows {
		first.Name = fmt.Sprintf("%s (first %d of %d)", d.Name, n, rows)
	}
	return &first
}

// String is one sentence about the data; it is what a notebook cell shows of it.
func (d *Dataset) String() string {
	n, m := d.X.Dims()
	s := fmt.Sprintf("%s: %d objects, %d features", d.Name, n, m)
	if d.Labels != nil {
		s += fmt.Sprintf(", %d classes", len(d.Classes))
	}
	return s
}
