package rtype

import (
	"fmt"
	"reflect"
	"unsafe"
)

// SetLayout gives the type the size, the alignment, the pointers and the comparison of another of its kind.
//
// A struct and an array also borrow the other's fields and elements until they have their own. For reflection looks at these,
// and not only at the header, to find the pointers in a struct that holds the type, the hash function of a map, and the
// registers that an argument takes. So the fields of the two must be alike, one by one.
func (t *Type) SetLayout(like reflect.Type) {
	l := of(like)
	if like.Kind() != t.spec.Kind || !l.hasLayout() || t.h.hasLayout() && t.h.size != l.size {
		panic(fmt.Sprintf("type %s cannot have the layout of %s", t.spec.String, like))
	}
	t.h.size, t.h.ptrBytes = l.size, l.ptrBytes
	t.h.align, t.h.fieldAlign = l.align, l.fieldAlign
	t.h.equal, t.h.gcData = l.equal, l.gcData
	const own = flagNamed | flagUncommon
	t.h.tFlag = t.h.tFlag&own | l.tFlag&^(own|flagExtraStar)
	switch t.spec.Kind {
	case reflect.Array:
		t.copyBody(l)
	case reflect.Struct:
		as[structType](t.h).fields = as[structType](l).fields
	}
}

// hasLayout reports whether a type is fit to be held by value. The types of a program always are.
func (h *header) hasLayout() bool { return h.align != 0 }

// SetUnderlying completes a type that is neither a struct nor an interface: u is its underlying type.
func (t *Type) SetUnderlying(u reflect.Type) {
	t.SetLayout(u)
	t.copyBody(of(u))
}

// copyBody copies what a structure has behind its header.
func (t *Type) copyBody(from *header) {
	h := *t.h
	switch t.spec.Kind {
	case reflect.Pointer:
		*as[ptrType](t.h) = *as[ptrType](from)
	case reflect.Slice:
		*as[sliceType](t.h) = *as[sliceType](from)
	case reflect.Array:
		*as[arrayType](t.h) = *as[arrayType](from)
	case reflect.Chan:
		*as[chanType](t.h) = *as[chanType](from)
	case reflect.Map:
		*as[mapType](t.h) = *as[mapType](from)
	case reflect.Func:
		*as[funcType](t.h) = *as[funcType](from)
		u := from.reflected()
		for i := range u.NumIn() {
			t.args[i] = of(u.In(i))
		}
		for i := range u.NumOut() {
			t.args[u.NumIn()+i] = of(u.Out(i))
		}
	}
	*t.h = h
}

// A Field is a field of a struct.
type Field struct {
	Name     string
	Type     reflect.Type
	Tag      string
	Embedded bool
	Offset   uintptr
}

// SetFields completes a struct. pkgPath is the package of the lower-case names.
//
// Every field is exported to reflection, whatever its name: the engine could not assign to it otherwise. Packages that encode
// are told by tags to skip the ones that are not; View is how others can see them as they should be.
func (t *Type) SetFields(pkgPath string, fields []Field) { t.setFields(pkgPath, fields, true) }

// setFields is SetFields, open or as a view.

func (t *Type) setFields(pkgPath string, fields []Field, open bool) {
	s := as[structType](t.h)
	list := make([]field, len(fields))
	for i, f := range fields {
		ft := of(f.Type)
		if !ft.hasLayout() || f.Offset%uintptr(ft.align) != 0 || f.Offset+ft.size > t.h.size {
			panic(fmt.Sprintf("field %s of %s does not fit", f.Name, t.spec.String))
		}
		n := name{text: f.Name, tag: f.Tag, exported: exported(f.Name), embedded: f.Embedded}
		if !n.exported {
			s.pkgPath = name{text: pkgPath}.encode() // like the compiler, which leaves it out where all are exported
			if open {
				n.exported, n.tag = true, hidden(f)
			}
		}
		list[i] = field{n.encode(), ft, f.Offset}
	}
	s.fields, t.fields, t.pkgPath = list, fields, pkgPath
	t.skipBlank()
}

// hidden returns the tag of a field that is not exported: encoders look at the first of several values. What is embedded may
// have exported fields, which are encoded.
func hidden(f Field) string {
	e := f.Type
	if e.Kind() == reflect.Pointer {
		e = e.Elem()
	}
	if f.Embedded && e.Kind() == reflect.Struct {
		return f.Tag
	}
	tag := `json:"-" xml:"-"`
	if f.Tag != "" {
		tag += " " + f.Tag
	}
	return tag
}

// skipBlank makes the comparison of structs pass over the fields named _, as the language wants. Reflection does not know.
func (t *Type) skipBlank() {
	fields := as[structType](t.h).fields
	var compared []field
	for i, f := range t.fields {
		if f.Name != "_" {
			compared = append(compared, fields[i])
		}
	}
	if t.h.equal == nil || len(compared) == len(fields) {
		return
	}
	t.h.tFlag &^= flagRegularMemory
	t.h.equal = func(p, q unsafe.Pointer) bool {
		for _, f := range compared {
			if !f.typ.equal(unsafe.Add(p, f.offset), unsafe.Add(q, f.offset)) {
				return false
			}
		}
		return true
	}
}
