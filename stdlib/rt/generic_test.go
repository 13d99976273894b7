package rt

import (
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"
)

// A cleanup cannot be waited for in a cell: the engine may keep what a function has used.
func TestAddCleanup(t *testing.T) {
	done := make(chan string, 1)
	add, _ := Generic("runtime.AddCleanup", reflect.TypeOf(runtime.AddCleanup[[64]int, string]), nil)
	add.Interface().(func(*[64]int, func(string), string) runtime.Cleanup)(new([64]int), func(s string) { done <- s }, "arg")
	for range 100 {
		runtime.GC()
		select {
		case got := <-done:
			if got != "arg" {
				t.Errorf("the cleanup got %q, want arg", got)
			}
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("no cleanup ran")
}

type celsius float64

// TestSort sorts a slice of every ordered kind.
func TestSort(t *testing.T) {
	for kind := range sorters {
		var elem reflect.Type
		for _, v := range []any{0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0),
			uintptr(0), float32(0), 0.0, ""} {
			if reflect.TypeOf(v).Kind() == kind {
				elem = reflect.TypeOf(v)
			}
		}
		s := reflect.MakeSlice(reflect.SliceOf(elem), 3, 3)
		s.Index(0).Set(reflect.ValueOf(byte('b')).Convert(elem))
		s.Index(1).Set(reflect.ValueOf(byte('a')).Convert(elem))
		sortOrdered(s)
		if !s.Index(0).IsZero() || compare(s.Index(1), s.Index(2)) >= 0 {
			t.Errorf("kind %s: got %v", kind, s)
		}
	}
	temperatures := []celsius{2, celsius(math.NaN()), -1}
	sortOrdered(reflect.ValueOf(temperatures))
	if temperatures[0] == temperatures[0] || !slices.Equal(temperatures[1:], []celsius{-1, 2}) {
		t.Errorf("got %v, want NaN, -1, 2", temperatures)
	}
	sortOrdered(reflect.ValueOf([]string(nil)))
}
