//go:build amd64 || arm64

package rtype

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// number decodes the first instruction of a stub: it puts the stub's number into a register.
func number(arch string, code []byte) (int, bool) {
	word := binary.LittleEndian.Uint32(code)
	switch {
	case arch == "amd64": // MOVL $n, R12
		return int(binary.LittleEndian.Uint32(code[2:])), code[0] == 0x41 && code[1] == 0xbc
	case word == 0xaa1f03f0: // MOVD ZR, R16
		return 0, true
	case word&^(0xffff<<5) == 0xd2800010: // MOVZ $n, R16
		return int(word >> 5 & 0xffff), true
	}
	// ORR $n, ZR, R16, where n is a run of ones: its length and its rotation to the right are in the instruction
	run := uint64(1)<<(word>>10&63+1) - 1
	return int(bits.RotateLeft64(run, -int(word>>16&63))), word&^(0xfff<<10) == 0xb24003f0
}

func TestNumber(t *testing.T) {
	for code, want := range map[uint32]int{0xaa1f03f0: 0, 0xb24003f0: 1, 0xd28000b0: 5, 0xd287fff0: 16383} {
		if n, ok := number("arm64", binary.LittleEndian.AppendUint32(nil, code)); n != want || !ok {
			t.Errorf("%x is %d", code, n)
		}
	}
}

func TestStubs(t *testing.T) {
	for i := range stubCount {
		code := unsafe.Slice((*byte)(unsafe.Add(firstStub(), i*stubSize)), stubSize)
		if n, ok := number(runtime.GOARCH, code); n != i || !ok {
			t.Fatalf("stub %d begins with % x", i, code)
		}
	}
	if uintptr(firstStub())%stubSize != 0 {
		t.Error("the stubs are not aligned")
	}
}

// Types are made by several goroutines, and their methods called by others.
func TestConcurrentDeclarations(t *testing.T) {
	u := reflect.TypeFor[int]()
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 20 {
				n := g*100 + i
				c := declare(t, "C", u, []Method{m[func() int]("N", returns(func(r reflect.Value) int { return n + int(r.Int()) }))}, nil)
				s := declareStruct(t, "S", []Field{{Name: "c", Type: c}, {Name: "L", Type: reflect.SliceOf(c)}}, nil, []Method{m[func() int]("N", returns(func(r reflect.Value) int { return -n }))})
				group.Go(func() {
					if got := to(c, 1).(interface{ N() int }).N(); got != n+1 {
						t.Error(got)
					}
					if got := reflect.New(s).Interface().(interface{ N() int }).N(); got != -n || View(s) == s {
						t.Error(got)
					}
				})
			}
		})
	}
	group.Wait()
}

func TestFull(t *testing.T) {
	stubLock.Lock()
	before := used
	used = stubCount
	stubLock.Unlock()
	defer func() { used = before }()
	str := stringer(reflect.TypeFor[int]())
	c := begin("C", reflect.Int, 0, str, nil)
	c.SetLayout(reflect.TypeFor[int]())
	if err := c.SetMethods(str, promoted(str)); err == nil || err.Error() != "method String of *main.C: too many methods were declared: restart the kernel" {
		t.Error(err)
	}
	stubLock.Lock()
	used = stubCount - 2
	stubLock.Unlock()
	if err := c.SetMethods(str, promoted(str)); err != nil {
		t.Error(err)
	}
	c.SetUnderlying(reflect.TypeFor[int]())
	if got := to(c.Reflect(), 3).(interface{ String() string }).String(); got != "<3>" {
		t.Error(got)
	}
}
