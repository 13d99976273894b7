package engine

import (
	"errors"
	"fmt"
	"go/token"
	"reflect"
	"sync"
	"unsafe"
)

// errVersion says that the interpreter has not the form that this package reaches into.
var errVersion = errors.New("engine: the interpreter is not the version this package was written for")

// A layout says where the fields are that the watch needs, in the engine's programs and in the nodes of their trees.
type layout struct {
	node                           reflect.Type
	root                           uintptr // of a program
	child, kind, action, pos       uintptr // of a node
	start, tnext, fnext, exec, gen uintptr
	ident, rval, findex, level     uintptr
	anc, data, done, mutex         uintptr // of a frame
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
	l.node = node
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
		{"ident", reflect.String, &l.ident, nil},
		{"rval", reflect.Struct, &l.rval, nil},
		{"findex", reflect.Int, &l.findex, nil},
		{"level", reflect.Int, &l.level, nil},
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
	exec, _ := node.FieldByName("exec")
	frame := exec.Type.In(0).Elem()
	anc, ok := frame.FieldByName("anc")
	if !ok || anc.Type != exec.Type.In(0) {
		return nil, fmt.Errorf("%w: frames", errVersion)
	}
	data, ok := frame.FieldByName("data")
	if !ok || data.Type != reflect.TypeFor[[]reflect.Value]() {
		return nil, fmt.Errorf("%w: frames", errVersion)
	}
	done, ok := frame.FieldByName("done")
	if !ok || done.Type != reflect.TypeFor[reflect.SelectCase]() {
		return nil, fmt.Errorf("%w: frames", errVersion)
	}
	mutex, ok := frame.FieldByName("mutex")
	if !ok || mutex.Type != reflect.TypeFor[sync.RWMutex]() {
		return nil, fmt.Errorf("%w: frames", errVersion)
	}
	l.anc, l.data, l.done, l.mutex = anc.Offset, data.Offset, done.Offset, mutex.Offset
	return l, nil
}

// A node is a node of the engine's tree.
type node unsafe.Pointer

// at returns a pointer to a field of a node.
func at[T any](n node, offset uintptr) *T { return (*T)(unsafe.Add(unsafe.Pointer(n), offset)) }

func (l *layout) children(n node) []node { return *at[[]node](n, l.child) }
func (l *layout) kindOf(n node) uint     { return *at[uint](n, l.kind) }
func (l *layout) actionOf(n node) uint   { return *at[uint](n, l.action) }

// body returns the body of a function; nil for what is none.
func (l *layout) body(n node) node {
	const body = 3 // behind receiver or type parameters, name and type
	if children := l.children(n); len(children) > body {
		return children[body]
	}
	return nil
}

func (l *layout) position(n node) token.Pos { return *at[token.Pos](n, l.pos) }

// value returns a value of a frame, or of the one that is so many levels around it.
func (l *layout) value(frame unsafe.Pointer, level, index int) reflect.Value {
	for range level {
		frame = *(*unsafe.Pointer)(unsafe.Add(frame, l.anc))
	}
	return (*(*[]reflect.Value)(unsafe.Add(frame, l.data)))[index]
}
