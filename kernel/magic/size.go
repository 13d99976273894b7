package magic

import (
	"cmp"
	"reflect"
	"slices"
	"time"
	"unsafe"
)

// A size is how many bytes values take.
type size struct {
	bytes   uint64
	atLeast bool // not all was counted
}

// String returns the number, with a + where it is a lower bound.
func (s size) String() string {
	text := thousands(int(s.bytes))
	if s.atLeast {
		text += "+"
	}
	return text
}

// whoTime is how long %who may count.
const whoTime = 100 * time.Millisecond

// A measure collects the memory that values reach: as ranges of addresses, of which those that overlap are counted once.
type measure struct {
	shallow  bool // follow no pointers: goroutines may be changing what is there
	deadline time.Time
	steps    int
	partial  bool
	ranges   []addresses
	maps     map[uintptr]uint64 // bytes by the address of a map
	seen     map[visit]bool
	boxed    uint64 // values inside of interfaces, whose addresses reflection does not tell
}

type addresses struct{ start, end uintptr }

// A visit is a value that was looked at: a struct and its first field have one address.
type visit struct {
	at uintptr
	t  reflect.Type
	n  int // the length of a slice
}

func newMeasure(shallow bool) *measure {
	return &measure{
		shallow: shallow, deadline: time.Now().Add(whoTime), maps: map[uintptr]uint64{}, seen: map[visit]bool{},
	}
}

// add counts a variable.
func (m *measure) add(v reflect.Value) {
	m.own(v)
	m.walk(v, true)
}

// addFlat counts a variable without reading it.
func (m *measure) addFlat(v reflect.Value) {
	m.own(v)
	m.partial = m.partial || refers(v.Type())
}

// own counts what a variable takes itself.
func (m *measure) own(v reflect.Value) {
	if v.CanAddr() {
		m.block(v.Addr().Pointer(), v.Type().Size())
	} else {
		m.boxed += uint64(v.Type().Size())
	}
}

// block counts memory.
func (m *measure) block(at uintptr, bytes uintptr) {
	if at != 0 && bytes > 0 {
		m.ranges = append(m.ranges, addresses{at, at + bytes})
	}
}

// over reports whether the time is up. The clock is looked at now and then.
func (m *measure) over() bool {
	if m.steps++; m.steps%1024 == 0 && time.Now().After(m.deadline) {
		m.partial = true
	}
	return m.partial
}

// walk counts what a value refers to. The value itself is counted. exported says that the way to it leads through nothing
// that a compiled package hides.
func (m *measure) walk(v reflect.Value, exported bool) {
	if !refers(v.Type()) || m.over() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			m.block(uintptr(unsafe.Pointer(unsafe.StringData(v.String()))), uintptr(v.Len()))
		}
	case reflect.Pointer:
		m.follow(v.Pointer(), v.Type().Elem(), func() { m.walk(v.Elem(), exported) })
	case reflect.Slice:
		elem := v.Type().Elem()
		m.block(v.Pointer(), uintptr(v.Cap())*elem.Size())
		m.enter(visit{v.Pointer(), v.Type(), v.Len()}, refers(elem), func() { m.elements(v, exported) })
	case reflect.Array:
		m.elements(v, exported)
	case reflect.Struct:
		for i := range v.NumField() {
			m.walk(v.Field(i), exported && v.Type().Field(i).IsExported())
		}
	case reflect.Interface:
		if !v.IsNil() {
			inner := v.Elem()
			if inner.Kind() != reflect.Pointer {
				m.boxed += uint64(inner.Type().Size())
			}
			m.walk(inner, exported)
		}
	case reflect.Map:
		m.mapped(v, exported)
	case reflect.Chan:
		m.block(v.Pointer(), uintptr(v.Cap())*v.Type().Elem().Size())
		m.partial = m.partial || m.shallow && v.Len() > 0
	}
}

// follow counts what a pointer leads to.
func (m *measure) follow(at uintptr, elem reflect.Type, walk func()) {
	if at != 0 {
		m.block(at, elem.Size())
		m.enter(visit{at: at, t: elem}, refers(elem), walk)
	}
}

// enter walks on behind a reference, once, where that is allowed.
func (m *measure) enter(v visit, deeper bool, walk func()) {
	switch {
	case v.at == 0 || !deeper || m.seen[v]:
	case m.shallow:
		m.partial = true
	default:
		m.seen[v] = true
		walk()
	}
}

func (m *measure) elements(v reflect.Value, exported bool) {
	for i := 0; i < v.Len() && !m.partial; i++ {
		m.walk(v.Index(i), exported)
	}
}

// mapped counts a map. The maps that compiled packages hide are not looked into: they may be theirs to lock.
func (m *measure) mapped(v reflect.Value, exported bool) {
	if v.IsNil() {
		return
	}
	at, key, elem := v.Pointer(), v.Type().Key(), v.Type().Elem()
	if _, ok := m.maps[at]; ok {
		return
	}
	const control = 1 // a byte for each entry beside key and element
	m.maps[at] = uint64(v.Len()) * uint64(key.Size()+elem.Size()+control)
	if !refers(key) && !refers(elem) {
		return
	}
	if m.shallow || !exported {
		m.partial = m.partial || v.Len() > 0
		return
	}
	for entries := v.MapRange(); entries.Next() && !m.partial; {
		m.walk(entries.Key(), exported)
		m.walk(entries.Value(), exported)
	}
}

// refers reports whether values of a type may refer to others.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Pointer, reflect.Slice, reflect.Interface, reflect.Map, reflect.Chan:
		return true
	case reflect.Array:
		return t.Len() > 0 && refers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if refers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// merge adds what another measure has counted.
func (m *measure) merge(other *measure) {
	m.ranges = append(m.ranges, other.ranges...)
	for at, bytes := range other.maps {
		m.maps[at] = bytes
	}
	m.boxed += other.boxed
	m.partial = m.partial || other.partial
}

// size returns what was counted.
func (m *measure) size() size {
	s := size{m.boxed, m.partial}
	for _, bytes := range m.maps {
		s.bytes += bytes
	}
	slices.SortFunc(m.ranges, func(a, b addresses) int { return cmp.Compare(a.start, b.start) })
	var end uintptr
	for _, r := range m.ranges {
		if start := max(r.start, end); start < r.end {
			s.bytes += uint64(r.end - start)
			end = r.end
		}
	}
	return s
}
