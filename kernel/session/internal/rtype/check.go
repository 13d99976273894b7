package rtype

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Check reports whether the runtime's structures are those that this package makes. It is what tells a Go version that
// changed them.
var Check = sync.OnceValue(func() error {
	for _, check := range []func() error{checkStructures, checkHeaders, checkBodies, checkNames} {
		if err := check(); err != nil {
			return fmt.Errorf("cells cannot declare types with %s: %w", runtime.Version(), err)
		}
	}
	return nil
})

// checkStructures compares the structures with the runtime's own. Reflection gets at these through the methods by which it
// uses them itself.
func checkStructures() error {
	named, _ := reflect.TypeFor[reflect.Type]().MethodByName("common")
	rest, _ := reflect.TypeFor[reflect.Type]().MethodByName("uncommon")
	if named.Type == nil || rest.Type == nil {
		return fmt.Errorf("reflect.Type has other methods")
	}
	abi := named.Type.Out(0)
	// The linker keeps a method that is asked for by a constant name.
	structure, ok1 := abi.MethodByName("StructType")
	maps, ok2 := abi.MethodByName("MapType")
	array, ok3 := abi.MethodByName("ArrayType")
	function, ok4 := abi.MethodByName("FuncType")
	inter, ok5 := abi.MethodByName("InterfaceType")
	concrete, ok6 := rest.Type.Out(0).MethodByName("Methods")
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) {
		return fmt.Errorf("internal/abi has other methods")
	}
	for _, c := range []struct{ mine, runtime reflect.Type }{
		{reflect.TypeFor[header](), abi.Elem()},
		{reflect.TypeFor[uncommon](), rest.Type.Out(0).Elem()},
		{reflect.TypeFor[structType](), structure.Type.Out(0).Elem()},
		{reflect.TypeFor[mapType](), maps.Type.Out(0).Elem()},
		{reflect.TypeFor[arrayType](), array.Type.Out(0).Elem()},
		{reflect.TypeFor[funcType](), function.Type.Out(0).Elem()},
		{reflect.TypeFor[interfaceType](), inter.Type.Out(0).Elem()},
		{reflect.TypeFor[method](), concrete.Type.Out(0).Elem()},
	} {
		if err := same(c.mine, c.runtime); err != nil {
			return err
		}
	}
	return nil
}

// same compares the layouts of two types. Pointers are not followed.
func same(mine, theirs reflect.Type) error {
	// A name of the runtime's is a struct with a pointer to bytes.
	if theirs.Kind() == reflect.Struct && mine.Kind() == reflect.Pointer && theirs.NumField() == 1 {
		theirs = theirs.Field(0).Type
	}
	differ := fmt.Errorf("%s is not as %s", theirs, mine)
	if mine.Kind() != theirs.Kind() || mine.Size() != theirs.Size() || mine.Align() != theirs.Align() {
		return differ
	}
	switch mine.Kind() {
	case reflect.Slice:
		return same(mine.Elem(), theirs.Elem())
	case reflect.Struct:
		if mine.NumField() != theirs.NumField() {
			return differ
		}
		for i := range mine.NumField() {
			a, b := mine.Field(i), theirs.Field(i)
			if a.Offset != b.Offset || a.Anonymous != b.Anonymous || !a.Anonymous && !strings.EqualFold(a.Name, strings.Trim(b.Name, "_")) && a.Name != b.Name {
				return differ
			}
			if err := same(a.Type, b.Type); err != nil {
				return err
			}
		}
	}
	return nil
}

// Types that are known to the checks.
type (
	knownInt    int
	knownFunc   func(int, ...string) error
	knownStruct struct {
		A *knownStruct `tag:"x"`
		b int32        //lint:ignore U1000 what is known is compared
		error
	}
	knownInterface interface {
		error
		M(int) string
		m()
	}
)

func (knownInt) A()      {}
func (knownInt) b()      {} //lint:ignore U1000 as above
func (*knownInt) C()     {}
func (knownFunc) Error() {}

// checkHeaders compares headers with what reflection says.
func checkHeaders() error {
	const all = flagUncommon | flagNamed | flagRegularMemory | flagDirect
	for _, c := range []struct {
		typ   reflect.Type
		flags uint8
	}{
		{reflect.TypeFor[int32](), flagUncommon | flagNamed | flagRegularMemory},
		{reflect.TypeFor[string](), flagUncommon | flagNamed},
		{reflect.TypeFor[knownInt](), flagUncommon | flagNamed | flagRegularMemory},
		{reflect.TypeFor[*knownInt](), flagUncommon | flagRegularMemory | flagDirect},
		{reflect.TypeFor[struct{ p *byte }](), flagRegularMemory | flagDirect},
		{reflect.TypeFor[struct{ s string }](), 0},
		{reflect.TypeFor[func()](), flagDirect},
		{reflect.TypeFor[[]int](), 0},
	} {
		h := of(c.typ)
		if h.tFlag&all != c.flags || h.size != c.typ.Size() || int(h.align) != c.typ.Align() || int(h.fieldAlign) != c.typ.FieldAlign() ||
			reflect.Kind(h.kind) != c.typ.Kind() || (h.equal != nil) != c.typ.Comparable() || h.reflected() != c.typ {
			return fmt.Errorf("type %s has another header", c.typ)
		}
	}
	return nil
}

// checkBodies compares the rest of the structures with what reflection says.
func checkBodies() error {
	var (
		pointer  = reflect.TypeFor[*knownStruct]()
		slice    = reflect.TypeFor[[]knownStruct]()
		array    = reflect.TypeFor[[3]knownInt]()
		channel  = reflect.TypeFor[<-chan knownInt]()
		function = reflect.TypeFor[knownFunc]()
		maps     = reflect.TypeFor[map[knownInt]string]()
		inter    = reflect.TypeFor[knownInterface]()
	)
	f, m := as[funcType](of(function)), as[mapType](of(maps))
	args := (*struct {
		funcType
		uncommon
		args [3]*header
	})(unsafe.Pointer(f))
	methods := (*struct {
		header
		uncommon
	})(unsafe.Pointer(of(reflect.TypeFor[knownInt]())))
	for what, is := range map[string]bool{
		"pointer":   as[ptrType](of(pointer)).elem == of(pointer.Elem()),
		"slice":     as[sliceType](of(slice)).elem == of(slice.Elem()),
		"array":     as[arrayType](of(array)).elem == of(array.Elem()) && as[arrayType](of(array)).len == 3,
		"channel":   as[chanType](of(channel)).elem == of(channel.Elem()) && as[chanType](of(channel)).dir == int(reflect.RecvDir),
		"function":  f.inCount == 2 && f.outCount == 1|1<<15 && args.args == [3]*header{of(function.In(0)), of(function.In(1)), of(function.Out(0))},
		"map":       m.key == of(maps.Key()) && m.elem == of(maps.Elem()) && m.groupSize == m.group.size,
		"interface": len(as[interfaceType](of(inter)).methods) == inter.NumMethod(),
		"method":    methods.mcount == 2 && methods.xcount == 1 && uintptr(methods.moff) >= unsafe.Sizeof(methods.uncommon),
	} {
		if !is {
			return fmt.Errorf("the %s type has another structure", what)
		}
	}
	return nil
}

// checkNames compares the fields of a struct with what reflection says, and their names with those that this package makes.
func checkNames() error {
	known := reflect.TypeFor[knownStruct]()
	s := as[structType](of(known))
	if len(s.fields) != known.NumField() {
		return fmt.Errorf("type %s has other fields", known)
	}
	for i, mine := range s.fields {
		f := known.Field(i)
		n := name{text: f.Name, tag: string(f.Tag), exported: f.IsExported(), embedded: f.Anonymous}
		length := 1 + len(appendText(nil, n.text))
		if n.tag != "" {
			length += len(appendText(nil, n.tag))
		}
		encoded := unsafe.String(n.encode(), length)
		if mine.typ != of(f.Type) || mine.offset != f.Offset || unsafe.String(mine.name, length) != encoded {
			return fmt.Errorf("field %s of type %s has another structure", f.Name, known)
		}
	}
	return nil
}
