package engine

import (
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"unsafe"
)

// errVersion says that the interpreter has not the form that this package reaches into.
var errVersion = errors.New("engine: the interpreter is not the version this package was written for")

// A layout says where the fields are that the watch needs, in the engine's programs and in the nodes of their trees.
type layout struct {
	root                           uintptr // of a program
	child, kind, action, pos       uintptr // of a node
	start, tnext, fnext, exec, gen uintptr
	kindName, actionName           func(uint) string
}

// newLayout finds the fields.
func newLayout(program reflect.Type) (*layout, error) {
	root, ok := program.FieldByName("root")
	if !ok || root.Type.Kind() != reflect.Pointer {
		return nil, errVersion
	}
	l := &layout{root: root.Offset}
	node := root.Type.Elem()
	for _, f := range []struct {
		name   string
		kind   reflect.Kind
		offset *uintptr
		text   *func(uint) string
	}{
		{"child", reflect.Slice, &l.child, nil},
		{"kind", reflect.Uint, &l.kind, &l.kindName},
		{"action", reflect.Uint, &l.action, &l.actionName},
		{"pos", reflect.Int, &l.pos, nil},
		{"start", reflect.Pointer, &l.start, nil},
		{"tnext", reflect.Pointer, &l.tnext, nil},
		{"fnext", reflect.Pointer, &l.fnext, nil},
		{"exec", reflect.Func, &l.exec, nil},
		{"gen", reflect.Func, &l.gen, nil},
	} {
		field, ok := node.FieldByName(f.name)
		if !ok || field.Type.Kind() != f.kind {
			return nil, fmt.Errorf("%w: %s of %s", errVersion, f.name, node)
		}
		*f.offset = field.Offset
		if f.text == nil {
			continue
		}
		if !field.Type.Implements(reflect.TypeFor[fmt.Stringer]()) {
			return nil, fmt.Errorf("%w: %s has no text", errVersion, field.Type)
		}
		*f.text = func(n uint) string {
			v := reflect.New(field.Type).Elem()
			v.SetUint(uint64(n))
			return v.Interface().(fmt.Stringer).String()
		}
	}
	return l, nil
}

// A node is a node of the engine's tree.
type node unsafe.Pointer

// at returns a pointer to a field of a node.
func at[T any](n node, offset uintptr) *T { return (*T)(unsafe.Add(unsafe.Pointer(n), offset)) }

func (l *layout) children(n node) []node    { return *at[[]node](n, l.child) }
func (l *layout) kindOf(n node) uint        { return *at[uint](n, l.kind) }
func (l *layout) position(n node) token.Pos { return *at[token.Pos](n, l.pos) }
