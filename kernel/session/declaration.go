package session

import (
	"fmt"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/types"
	"strings"

	"orthant/kernel/session/internal/check"
)

// How much of a type is shown.
const (
	maxFields  = 60
	maxMethods = 40
)

// declaration writes an object as Go declares it; docOf gives the documentation of a type's fields and methods.
func declaration(obj types.Object, docOf func(types.Object) string) string {
	switch obj := obj.(type) {
	case *types.Builtin:
		return "func " + obj.Name() + string(builtins[obj.Name()])
	case *types.Const:
		return types.ObjectString(obj, qualifier) + " = " + obj.Val().String()
	case *types.Var:
		if obj.IsField() {
			return "field " + obj.Name() + " " + typeString(obj.Type())
		}
	case *types.Func:
		return funcDeclaration(obj, qualifier)
	case *types.TypeName:
		return typeDeclaration(obj, docOf)
	}
	return types.ObjectString(obj, qualifier)
}

// typeDeclaration writes a type: structs and interfaces over several lines as gofmt does, but indented by blanks, as front ends
// show tabs in any width; without the fields that a cell cannot name, and with a sentence of each member's documentation.
func typeDeclaration(obj *types.TypeName, docOf func(types.Object) string) string {
	one := types.ObjectString(obj, qualifier)
	if obj.IsAlias() {
		return one
	}
	var kind string
	var lines []string
	switch t := obj.Type().Underlying().(type) {
	case *types.Struct:
		kind, lines = "struct", fieldLines(t, docOf)
	case *types.Interface:
		kind, lines = "interface", interfaceLines(t, docOf)
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

// synopsis returns the first sentence of a documentation as lines of a comment; none where there is no documentation.
func synopsis(text string) []string {
	const width = 80 // what tooltips show without a line break
	sentence := new(doc.Package).Synopsis(text)
	if sentence == "" {
		return nil
	}
	printer := comment.Printer{TextPrefix: "// ", TextWidth: width}
	var parser comment.Parser
	return strings.Split(strings.TrimSpace(string(printer.Text(parser.Parse(sentence)))), "\n")
}

// fieldLines writes the fields of a struct.
func fieldLines(t *types.Struct, docOf func(types.Object) string) []string {
	var lines []string
	shown, hidden := 0, 0
	for f := range t.Fields() {
		if !accessible(f) {
			hidden++
			continue
		}
		if shown++; shown > maxFields {
			return append(lines, fmt.Sprintf("// … of %d fields", t.NumFields()))
		}
		lines = append(lines, synopsis(docOf(f))...)
		if f.Embedded() {
			lines = append(lines, typeString(f.Type()))
		} else {
			lines = append(lines, f.Name()+" "+typeString(f.Type()))
		}
	}
	if hidden > 0 {
		lines = append(lines, "// Has unexported fields.")
	}
	return lines
}

// interfaceLines writes the elements of an interface.
func interfaceLines(t *types.Interface, docOf func(types.Object) string) []string {
	var lines []string
	for e := range t.EmbeddedTypes() {
		lines = append(lines, typeString(e))
	}
	for m := range t.ExplicitMethods() {
		if accessible(m) {
			lines = append(lines, synopsis(docOf(m))...)
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
