package score

import (
	"errors"
	"fmt"
	"slices"
)

// unassigned is the label of an object in no cluster.
const unassigned = -1

// A contingency is the table of two labellings: how many objects share each pair of labels.
type contingency struct {
	n       int
	classes []int   // the distinct true labels, ascending
	found   []int   // the distinct predicted labels, ascending
	counts  [][]int // len(classes) × len(found)
	rows    []int   // row sums: sizes of the classes
	columns []int   // column sums: sizes of the clusters
}

// newContingency checks the labellings and counts.
func newContingency(truth, labels []int) (*contingency, error) {
	if len(truth) != len(labels) {
		return nil, fmt.Errorf("%d true labels but %d predicted ones", len(truth), len(labels))
	}
	if len(truth) == 0 {
		return nil, errors.New("no labels")
	}
	for i := range truth {
		if truth[i] < unassigned {
			return nil, fmt.Errorf("truth[%d] = %d: labels are -1 or greater", i, truth[i])
		}
		if labels[i] < unassigned {
			return nil, fmt.Errorf("labels[%d] = %d: labels are -1 or greater", i, labels[i])
		}
	}
	c := &contingency{n: len(truth), classes: distinct(truth), found: distinct(labels)}
	c.rows, c.columns = make([]int, len(c.classes)), make([]int, len(c.found))
	c.counts = make([][]int, len(c.classes))
	for i := range c.counts {
		c.counts[i] = make([]int, len(c.found))
	}
	for i := range truth {
		a, _ := slices.BinarySearch(c.classes, truth[i])
		b, _ := slices.BinarySearch(c.found, labels[i])
		c.counts[a][b]++
		c.rows[a]++
		c.columns[b]++
	}
	return c, nil
}

// distinct returns the values in x, ascending.
func distinct(x []int) []int {
	d := slices.Clone(x)
	slices.Sort(d)
	return slices.Compact(d)
}

// requireClasses is an error if an object has no true class: there is no right answer for it.
func (c *contingency) requireClasses() error {
	if c.classes[0] == unassigned {
		return errors.New("the truth has objects labelled -1: there is no right answer for them")
	}
	return nil
}

// assigned are the counts without the column of the unassigned objects.
func (c *contingency) assigned() [][]int {
	if c.found[0] != unassigned {
		return c.counts
	}
	counts := make([][]int, len(c.counts))
	for i, row := range c.counts {
		counts[i] = row[1:]
	}
	return counts
}
