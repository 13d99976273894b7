package main

import (
	"fmt"
	"go/types"
	"strings"
)

// api describes all that other packages can see of pkg, a declaration a line:
// names, types, values of constants, exported fields with their tags, methods.
func api(pkg *types.Package) string {
	var b strings.Builder
	for _, obj := range exported(pkg) {
		switch obj := obj.(type) {
		case *types.Const:
			fmt.Fprintf(&b, "const %s %s = %s\n", obj.Name(), obj.Type(), obj.Val().ExactString())
		case *types.TypeName:
			apiOfType(&b, obj)
		default:
			fmt.Fprintln(&b, types.ObjectString(obj, nil))
		}
	}
	return b.String()
}

func apiOfType(b *strings.Builder, obj *types.TypeName) {
	if obj.IsAlias() {
		fmt.Fprintln(b, types.ObjectString(obj, nil))
		return
	}
	named := obj.Type().(*types.Named)
	fmt.Fprintf(b, "type %s", obj.Name())
	for p := range named.TypeParams().TypeParams() {
		fmt.Fprintf(b, " [%s %s]", p, p.Constraint())
	}
	if s, ok := named.Underlying().(*types.Struct); ok {
		fmt.Fprintf(b, " struct\n")
		for i := range s.NumFields() {
			if f := s.Field(i); f.Exported() {
				fmt.Fprintf(b, "field %s.%s %s %q embedded %v\n", obj.Name(), f.Name(), f.Type(), s.Tag(i), f.Embedded())
			}
		}
	} else {
		fmt.Fprintf(b, " %s\n", named.Underlying())
	}
	for m := range named.Methods() {
		if m.Exported() {
			fmt.Fprintln(b, types.ObjectString(m, nil))
		}
	}
}
