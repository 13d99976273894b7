package session

import (
	"fmt"
	"go/constant"
	"go/doc"
	"go/format"
	"go/types"
	"math"
	"strconv"
	"strings"

	"orthant/kernel/session/internal/check"
)

// How much of a type is shown.
const (
	maxFields  = 60
	maxMethods = 40
)

// declaration writes an object as Go declares it.
func declaration(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Builtin:
		return "func " + obj.Name() + string(builtins[obj.Name()])
	case *types.Const:
		return types.ObjectString(obj, qualifier) + " = " + constantText(obj)
	case *types.Var:
		if obj.IsField() {
			return "field " + obj.Name() + " " + typeString(obj.Type())
		}
	case *types.Func:
		return funcDeclaration(obj, qualifier)
	case *types.TypeName:
		return typeDeclaration(obj)
	}
	return types.ObjectString(obj, qualifier)
}

// constantText writes a constant's value, which go/constant cuts to six digits, with all digits that its type keeps, float64 where
// it has none.
func constantText(obj *types.Const) string {
	v := obj.Val()
	if v.Kind() != constant.Float {
		return v.String()
	}
	f, _ := constant.Float64Val(v)
	if f == 0 || math.IsInf(f, 0) {
		return v.String() // out of float64's range
	}
	bits := 64
	if b, ok := obj.Type().Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
		bits = 32
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// typeDeclaration writes a type: structs and interfaces over several lines as gofmt does, but indented by blanks, as front ends
// show tabs in any width; without the fields that a cell cannot name.
func typeDeclaration(obj *types.TypeName) string {
	one := types.ObjectString(obj, qualifier)
	if obj.IsAlias() {
		return one
	}
	var kind string
	var lines []string
	switch t := obj.Type().Underlying().(type) {
	case *types.Struct:
		kind, lines = "struct", fieldLines(t)
	case *types.Interface:
		kind, lines = "interface", interfaceLines(t)
	}
	head, _, found := strings.Cut(one, " "+kind+"{")
	if len(lines) == 0 || !found {
		return one
	}
	text := kind + " {\n" + strings.Join(lines, "\n") + "\n}"
	const placeholder = "type _ "
	formatted, err := format.Source([]byte(placeholder + text))
	if err != nil { // a type that has no syntax, such as one that is wrong
		return one
	}
	return head + " " + strings.ReplaceAll(strings.TrimPrefix(string(formatted), placeholder), "\n\t", "\n    ")
}

// memberDocs returns the first sentence of the documentation of each field of a struct, or method of an interface, that has any.
func memberDocs(obj *types.TypeName, docOf func(types.Object) string) []string {
	var list []string
	add := func(member types.Object) {
		sentence := new(doc.Package).Synopsis(docOf(member))
		if sentence == "" || !accessible(member) {
			return
		}
		if name := member.Name(); !strings.HasPrefix(sentence, name) {
			sentence = name + ": " + sentence
		}
		list = append(list, sentence)
	}
	switch t := obj.Type().Underlying().(type) {
	case *types.Struct:
		for i := range min(t.NumFields(), maxFields) {
			add(t.Field(i))
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			add(m)
		}
	}
	return list
}

// fieldLines writes the fields of a struct.
func fieldLines(t *types.Struct) []string {
	var lines []string
	hidden := 0
	for f := range t.Fields() {
		switch {
		case !accessible(f):
			hidden++
		case len(lines) == maxFields:
			return append(lines, fmt.Sprintf("// … of %d fields", t.NumFields()))
		case f.Embedded():
			lines = append(lines, typeString(f.Type()))
		default:
			lines = append(lines, f.Name()+" "+typeString(f.Type()))
		}
	}
	if hidden > 0 {
		lines = append(lines, "// Has unexported fields.")
	}
	return lines
}

// interfaceLines writes the elements of an interface.
func interfaceLines(t *types.Interface) []string {
	var lines []string
	for e := range t.EmbeddedTypes() {
		lines = append(lines, typeString(e))
	}
	for m := range t.ExplicitMethods() {
		if accessible(m) {
			lines = append(lines, m.Name()+signature(m.Signature(), qualifier))
		} else {
			lines = append(lines, "// Has unexported methods.")
		}
	}
	return lines
}

// methodList writes the methods of a type and of its pointer, promoted ones too, one a line; nothing for an interface, whose
// declaration has them.
func methodList(obj *types.TypeName) string {
	if types.IsInterface(obj.Type()) {
		return ""
	}
	var lines []string
	set := types.NewMethodSet(types.NewPointer(obj.Type()))
	for sel := range set.Methods() {
		f, ok := sel.Obj().(*types.Func)
		if !ok || !accessible(f) {
			continue
		}
		if len(lines) == maxMethods {
			lines = append(lines, fmt.Sprintf("// … of %d methods", set.Len()))
			break
		}
		lines = append(lines, funcDeclaration(f, unqualified(obj.Pkg())))
	}
	return strings.Join(lines, "\n")
}

// unqualified is qualifier without the name of one package.
func unqualified(own *types.Package) types.Qualifier {
	return func(p *types.Package) string {
		if p == own || p.Path() == check.Path {
			return ""
		}
		return p.Name()
	}
}
