package rtype

import (
	"reflect"
	"testing"
)

func TestCheck(t *testing.T) {
	if err := Check(); err != nil {
		t.Fatal(err)
	}
	// What is compared must tell a difference.
	//lint:ignore U1000 only the order matters
	type swapped struct{ xcount, pkgPath, mcount uint16 }
	for _, c := range [][2]reflect.Type{
		{reflect.TypeFor[struct{ a, b int }](), reflect.TypeFor[struct{ b, a int }]()},
		{reflect.TypeFor[struct{ a int }](), reflect.TypeFor[struct{ a uint }]()},
		{reflect.TypeFor[struct{ a int32 }](), reflect.TypeFor[struct{ a, b int32 }]()},
		{reflect.TypeFor[struct{ a []method }](), reflect.TypeFor[struct{ a []imethod }]()},
		{reflect.TypeFor[uncommon](), reflect.TypeFor[swapped]()},
	} {
		if same(c[0], c[1]) == nil || same(c[0], c[0]) != nil {
			t.Error("no difference:", c[0], c[1])
		}
	}
}
