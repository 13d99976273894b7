package rtype

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Type is a type in the making: one with a name, or a struct or an interface without one.
//
// It is made in steps, so that types can refer to each other: New gives the type, which may be the element of a pointer, a
// slice or a channel and stand in a function's signature at once; SetLayout makes it fit for every other use; SetUnderlying,
// SetFields or SetInterface complete it, SetMethods gives it methods. Until then no value of it may be made. Different types
// may be made at the same time, a single one by one goroutine.
type Type struct {
	spec    Spec
	h       *header
	u       *uncommon // nil for a type without a name
	methods []method
	list    []Method  // the same, as SetMethods was told
	args    []*header // a function's parameters and results
	fields  []Field   // a struct's, as SetFields was told,
	pkgPath string    // with their package
	pointer *Type     // *T of a named T
}

// A Spec says what a new type is.
type Spec struct {
	Name    string // "List[int]"; empty for a type without a name
	String  string // "main.List[int]"
	PkgPath string
	Kind    reflect.Kind
	Args    int // of a function: the number of its parameters and results
	Methods int // of the type's method set
	Pointer int // of the method set of the pointer to it
}

// hasUncommon reports whether a type has a name or methods. A struct without a name may have methods of what it embeds.
func (s Spec) hasUncommon() bool { return s.Name != "" || s.Methods+s.Pointer > 0 }

// made has every type by its structure. It keeps them: the runtime refers to them where the collector does not look.
var made sync.Map // *header to *Type

// count tells the hashes of types with the same name apart.
var count atomic.Uint32

// New makes a type. It panics where Check fails.
func New(s Spec) *Type {
	if err := Check(); err != nil {
		panic(err)
	}
	t := allocate(s, s.Methods)
	t.h.kind = uint8(s.Kind)
	t.identify(s.String)
	if !s.hasUncommon() {
		return t
	}
	t.h.tFlag = flagUncommon
	if s.Name != "" {
		t.h.tFlag |= flagNamed
	}
	t.u.pkgPath = name{text: s.PkgPath}.offset()
	if s.Kind != reflect.Interface {
		t.pointer = newPointer(t)
		t.h.ptrToThis = addReflectOff(unsafe.Pointer(t.pointer.h))
	}
	return t
}

// newPointer makes the type of the pointers to t: one from reflection would have no methods.
func newPointer(t *Type) *Type {
	p := allocate(Spec{Name: t.spec.Name, Kind: reflect.Pointer, Methods: t.spec.Pointer}, t.spec.Pointer)
	*p.h = *of(reflect.TypeFor[*unsafe.Pointer]())
	p.h.tFlag = p.h.tFlag&^(flagExtraStar|flagNamed) | flagUncommon
	p.h.ptrToThis = 0
	p.identify("*" + t.spec.String)
	p.u.pkgPath = t.u.pkgPath
	as[ptrType](p.h).elem = t.h
	return p
}

// allocate makes the structures of a type. The kind's, the method table and a function's parameters are one object, in the
// order that the runtime expects.
func allocate(s Spec, methods int) *Type {
	body, ok := bodies[s.Kind]
	if !ok {
		body = reflect.TypeFor[header]()
	}
	fields := []reflect.StructField{{Name: "Body", Type: body}}
	if s.hasUncommon() {
		fields = append(fields, reflect.StructField{Name: "Uncommon", Type: reflect.TypeFor[uncommon]()})
	}
	fields = append(fields,
		reflect.StructField{Name: "Args", Type: reflect.ArrayOf(s.Args, reflect.TypeFor[*header]())},
		reflect.StructField{Name: "Methods", Type: reflect.ArrayOf(methods, reflect.TypeFor[method]())})
	v := reflect.New(reflect.StructOf(fields)).Elem()
	args := v.FieldByName("Args").Slice(0, s.Args).Interface().([]*header)
	t := &Type{spec: s, h: (*header)(v.Addr().UnsafePointer()), args: args}
	if s.hasUncommon() {
		u, list := v.FieldByName("Uncommon").Addr(), v.FieldByName("Methods")
		t.u, t.methods = u.Interface().(*uncommon), list.Slice(0, methods).Interface().([]method)
		t.u.moff = uint32(list.UnsafeAddr() - u.Pointer())
	}
	made.Store(t.h, t)
	return t
}

// identify gives a type its text and a hash of its own.
func (t *Type) identify(s string) {
	t.h.str = name{text: s, exported: true}.offset()
	h := fnv.New32a()
	fmt.Fprintf(h, "%d %s", count.Add(1), s)
	t.h.hash = h.Sum32()
}

// Reflect returns the type for reflection.
func (t *Type) Reflect() reflect.Type { return t.h.reflected() }
