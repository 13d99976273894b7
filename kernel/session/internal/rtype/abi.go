//lint:file-ignore U1000 the structures are laid out for the runtime, which uses all of them

package rtype

import (
	"reflect"
	"unsafe"
)

// The structures below are those of Go 1.26's internal/abi (type.go, map.go), field for field and with the same names, but
// for case and underscores: Check relies on it.

type header struct {
	size, ptrBytes                 uintptr
	hash                           uint32
	tFlag, align, fieldAlign, kind uint8
	equal                          func(unsafe.Pointer, unsafe.Pointer) bool
	gcData                         *byte
	str, ptrToThis                 int32 // offsets of a name and of a type
}

const (
	flagUncommon      = 1 << 0
	flagExtraStar     = 1 << 1
	flagNamed         = 1 << 2
	flagRegularMemory = 1 << 3
	flagDirect        = 1 << 5 // an interface holds the value itself, not a pointer to it
)

type uncommon struct {
	pkgPath        int32
	mcount, xcount uint16
	moff           uint32
	_              uint32
}

type method struct{ name, mtyp, ifn, tfn int32 }

type imethod struct{ name, typ int32 }

type field struct {
	name   *byte
	typ    *header
	offset uintptr
}

type ptrType struct {
	header
	elem *header
}

type sliceType struct {
	header
	elem *header
}

type arrayType struct {
	header
	elem, slice *header
	len         uintptr
}

type chanType struct {
	header
	elem *header
	dir  int
}

type funcType struct {
	header
	inCount, outCount uint16 // the top bit of outCount is set for a variadic function
}

type mapType struct {
	header
	key, elem, group *header
	hasher           func(unsafe.Pointer, uintptr) uintptr
	groupSize        uintptr
	slotSize         uintptr
	elemOff          uintptr
	flags            uint32
}

type structType struct {
	header
	pkgPath *byte
	fields  []field
}

type interfaceType struct {
	header
	pkgPath *byte
	methods []imethod
}

// bodies are the structures of the kinds; those that are missing have no more than the header.
var bodies = map[reflect.Kind]reflect.Type{
	reflect.Pointer: reflect.TypeFor[ptrType](), reflect.Slice: reflect.TypeFor[sliceType](),
	reflect.Array: reflect.TypeFor[arrayType](), reflect.Chan: reflect.TypeFor[chanType](),
	reflect.Func: reflect.TypeFor[funcType](), reflect.Map: reflect.TypeFor[mapType](),
	reflect.Struct: reflect.TypeFor[structType](), reflect.Interface: reflect.TypeFor[interfaceType](),
}

// words are the two words of an interface value.
type words struct{ typ, data unsafe.Pointer }

// of returns the structure behind a reflect type.
func of(t reflect.Type) *header { return (*header)((*words)(unsafe.Pointer(&t)).data) }

// reflected returns the reflect type of a structure.
func (h *header) reflected() reflect.Type {
	var v any
	(*words)(unsafe.Pointer(&v)).typ = unsafe.Pointer(h)
	return reflect.TypeOf(v)
}

// as returns a structure as the one of its kind.
func as[T any](h *header) *T { return (*T)(unsafe.Pointer(h)) }

// addReflectOff gives an offset to something that is not part of the program's own data.
//
//go:linkname addReflectOff reflect.addReflectOff
func addReflectOff(ptr unsafe.Pointer) int32
