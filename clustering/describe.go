package clustering

import (
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// describe writes a method, a flat struct, as a Go literal without the fields that are zero. A matrix and a list of
// labels are given by their hashes.
func describe(method any) string {
	v := reflect.ValueOf(method)
	var fields []string
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() {
			continue
		}
		value := fmt.Sprintf("%v", f.Interface())
		switch x := f.Interface().(type) {
		case *mat.Dense:
			value = hash(x)
		case *affinity.Sparse:
			value = hashSparse(x)
		case []int:
			value = hashLabels(x)
		}
		fields = append(fields, v.Type().Field(i).Name+": "+value)
	}
	return v.Type().Name() + "{" + strings.Join(fields, ", ") + "}"
}

// hashLabels is the hash of labels, n of them, as an n×1 matrix.
func hashLabels(labels []int) string {
	if len(labels) == 0 {
		return "none"
	}
	column := mat.NewDense(len(labels), 1, nil)
	for i, l := range labels {
		column.Set(i, 0, float64(l))
	}
	return hash(column)
}
