package gogen

import (
	"fmt"
	"strings"
)

type kind int

const (
	boolean kind = iota
	integer
	float
	complexNumber
	text
	slice
	array
	mapping
	pointer
	structure
	function
	channel
	iface // an interface with methods; none for any
)

// A typ is a type of a program. Types are compared by their source text, which is the same for identical types.
type typ struct {
	kind    kind
	name    string // of a basic or a declared type
	bits    int    // of a number
	signed  bool
	elem    *typ
	key     *typ
	size    int // of an array
	fields  []field
	params  []*typ // of a function
	result  *typ   // nil for none
	under   *typ   // of a declared type, which is otherwise a copy of it
	methods []*method
}

type field struct {
	name     string
	typ      *typ
	embedded bool
}

// A method is one of methodPool on a declared type.
type method struct {
	*signature
	pointer bool // receiver
}

// A signature is what a method is called and takes. There are few, so that types and interfaces meet.
type signature struct {
	name   string
	params []*typ
	result *typ
}

func basic(k kind, name string, bits int, signed bool) *typ {
	return &typ{kind: k, name: name, bits: bits, signed: signed}
}

var (
	tBool    = basic(boolean, "bool", 0, false)
	tInt     = basic(integer, "int", 64, true)
	tString  = basic(text, "string", 0, false)
	tUint    = basic(integer, "uint", 64, false)
	tByte    = basic(integer, "uint8", 8, false)
	tFloat64 = basic(float, "float64", 64, true)
	tAny     = &typ{kind: iface, name: "any"}
	tError   = &typ{kind: iface, name: "error"}
)

var integers = []*typ{
	tInt, basic(integer, "int8", 8, true), basic(integer, "int16", 16, true), basic(integer, "int32", 32, true),
	basic(integer, "int64", 64, true), tUint, tByte, basic(integer, "uint16", 16, false),
	basic(integer, "uint32", 32, false), basic(integer, "uint64", 64, false),
}

// basics are the predeclared types, the frequent ones several times.
var basics = append([]*typ{
	tBool, tInt, tInt, tInt, tString, tString, tString, tFloat64, basic(float, "float32", 32, true),
	basic(complexNumber, "complex128", 128, true), basic(complexNumber, "complex64", 64, true),
}, integers...)

// methodPool are the methods that declared types have.
var methodPool = []*signature{
	{"Size", nil, tInt},
	{"Name", nil, tString},
	{"Scale", []*typ{tInt}, tInt},
	{"Check", []*typ{tString, tInt}, tBool},
	{"String", nil, tString},
	{"Error", nil, tString},
	{"Grow", []*typ{tInt}, nil}, // has a pointer receiver always
}

func (t *typ) String() string {
	if t.name != "" {
		return t.name
	}
	switch t.kind {
	case slice:
		return "[]" + t.elem.String()
	case array:
		return fmt.Sprintf("[%d]%s", t.size, t.elem)
	case mapping:
		return fmt.Sprintf("map[%s]%s", t.key, t.elem)
	case pointer:
		return "*" + t.elem.String()
	case channel:
		return "chan " + t.elem.String()
	case function:
		s := "func(" + list(t.params) + ")"
		if t.result != nil {
			s += " " + t.result.String()
		}
		return s
	case structure:
		var parts []string
		for _, f := range t.fields {
			if f.embedded {
				parts = append(parts, f.typ.String())
			} else {
				parts = append(parts, f.name+" "+f.typ.String())
			}
		}
		if len(parts) == 0 {
			return "struct{}"
		}
		return "struct { " + strings.Join(parts, "; ") + " }"
	}
	panic(fmt.Sprintf("gogen: a type of kind %d has no name", t.kind))
}

func list(types []*typ) string {
	var parts []string
	for _, t := range types {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, ", ")
}

func (t *typ) same(u *typ) bool { return t.String() == u.String() }

// comparable reports whether == compiles. A comparison may still panic where there is an interface in the type.
func (t *typ) comparable() bool {
	switch t.kind {
	case slice, mapping, function:
		return false
	case array:
		return t.elem.comparable()
	case structure:
		for _, f := range t.fields {
			if !f.typ.comparable() {
				return false
			}
		}
	}
	return true
}

// ordered reports whether < compiles.
func (t *typ) ordered() bool { return t.kind == integer || t.kind == float || t.kind == text }

// method returns the method of a name, as it is called on a variable of type t: its own, or one of what it embeds.
func (t *typ) method(name string) *method {
	for _, m := range t.methods {
		if m.name == name {
			return m
		}
	}
	for _, f := range t.fields {
		if f.embedded {
			return f.typ.method(name) // a struct embeds one type at most
		}
	}
	return nil
}

// has reports whether a value of type t, or of *t where that is asked for, has a method.
func (t *typ) has(name string, ptr bool) bool {
	m := t.method(name)
	return m != nil && (ptr || !m.pointer)
}
