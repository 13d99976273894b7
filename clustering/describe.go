package clustering

import (
	"fmt"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
)

// describe writes a method, a flat struct, as a Go literal without the fields that are zero. A matrix is given by its hash.
func describe(method any) string {
	v := reflect.ValueOf(method)
	var fields []string
	for i := range v.NumField() {
		f := v.Field(i)
		if f.IsZero() {
			continue
		}
		value := fmt.Sprintf("%v", f.Interface())
		switch m := f.Interface().(type) {
		case *mat.Dense:
			value = hash(m)
		case *affinity.Sparse:
			value = hashSparse(m)
		}
		fields = append(fields, v.Type().Field(i).Name+": "+value)
	}
	return v.Type().Name() + "{" + strings.Join(fields, ", ") + "}"
}
