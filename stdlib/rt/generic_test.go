package rt

import (
	"reflect"
	"runtime"
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
