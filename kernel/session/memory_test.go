package session

import (
	"runtime/debug"
	"strings"
	"testing"

	"orthant/kernel/session/internal/memory"
)

// newLimitedSession returns a session that may have some more memory than the process has now.
func newLimitedSession(t *testing.T, limit string) *Session {
	t.Helper()
	t.Setenv(memory.Variable, limit)
	before := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(before) })
	return newSession(t)
}

// TestMemory lets cells ask for more memory than there is.
func TestMemory(t *testing.T) {
	for _, test := range []struct {
		name string
		src  string
		want string // part of the error's value; empty for success
	}{
		{"a slice that grows", "var list [][]float64\nfor {\n\tlist = append(list, make([]float64, 1<<16))\n}", "limit is 400.0 MiB (ORTHANT_MEMORY)"},
		{"a map that grows", "m := map[int][]byte{}\nfor i := 0; ; i++ {\n\tm[i] = make([]byte, 1<<15)\n}", "limit is 400.0 MiB (ORTHANT_MEMORY)"},
		{"compiled code", "import \"strings\"\nvar list []string\nfor {\n\tlist = append(list, strings.Repeat(\"x\", 1<<20))\n}", "out of memory: the heap has "},
		{"make", "x := make([]float64, 1e8)", "out of memory: make needs 762.9 MiB"},
		{"make with a variable", "n := 100000000\nx := make([]float64, n)", "out of memory: make needs 762.9 MiB"},
		{"make with a capacity", "n := 100000000\nx := make([]float64, 0, n)", "out of memory: make needs 762.9 MiB"},
		{"make of a channel", "var n int64 = 100000000\nx := make(chan float64, n)", "out of memory: make needs 762.9 MiB"},
		{"make of a map", "var n uint8 = 1\nx := make(map[int]int, int(n)<<30)", "out of memory: make needs 16.0 GiB"},
		{"make of a generic function", "func Make[T any](n int) []T { return make([]T, n) }\nx := Make[[1000]float64](100000)", "out of memory: make needs 762.9 MiB"},
		{"too large for any memory", "n := 1 << 60\nx := make([]float64, n)", "runtime error: makeslice: len out of range"},
		{"no length", "n := -1\nx := make([]int, n)", "runtime error: makeslice: len out of range"},
		{"no capacity", "n := -1\nx := make([]int, 0, n)", "runtime error: makeslice: cap out of range"},
		{"no buffer", "n := -1\nx := make(chan int, n)", "makechan: size out of range"},
		{"length above capacity", "n := 3\nx := make([]int, n, 2)", "runtime error: makeslice: cap out of range"},
		{"garbage", "x := 0\nfor range 2000 {\n\tx += len(make([]byte, 1<<20))\n}", ""},
		{"a large slice", "x := make([]float64, 1e7)", ""},
		{"no size", "x := make([]struct{}, 1<<40)\nvar m = make(map[int]int, -1+len(x)-len(x))", ""},
		{"recovered", "func f() (err any) {\n\tdefer func() { err = recover() }()\n\tn := 1 << 31\n\t_ = make([]int, n)\n\treturn nil\n}\nx := f().(error).Error()", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			heap() // waits until what the sessions before held has been freed
			s := newLimitedSession(t, "400MiB")
			_, e := s.Execute(t.Context(), Cell{1, test.src}, &recorder{})
			switch {
			case test.want == "" && e != nil:
				t.Errorf("got %v, want success", e)
			case test.want != "" && (e == nil || e.Name != panicError || !strings.Contains(e.Value, test.want)):
				t.Errorf("got %v, want %s", e, test.want)
			}
			if got := run1(t, s, 2, "1 + 1"); got != "2" {
				t.Errorf("the next cell gives %s, want 2", got)
			}
		})
	}
}

// TestMemoryIsGivenBack runs a cell where the heap has passed the limit before it: it may free what holds it.
func TestMemoryIsGivenBack(t *testing.T) {
	s := newLimitedSession(t, "400MiB")
	_, e := s.Execute(t.Context(), Cell{1, "var list [][]byte\nfor {\n\tlist = append(list, make([]byte, 1<<20))\n}"}, &recorder{})
	if e == nil {
		t.Fatal("no error")
	}
	run1(t, s, 2, "import \"time\"\ntime.Sleep(100 * time.Millisecond)\nn := len(list)\nlist = nil")
	if got := run1(t, s, 3, "n > 200"); got != "true" {
		t.Errorf("the list is %s long", run1(t, s, 4, "n"))
	}
	if heap() > 100<<20 {
		t.Errorf("%d MiB are in use", heap()>>20)
	}
}

func TestMemoryVariable(t *testing.T) {
	t.Setenv(memory.Variable, "lots")
	if s, err := New(); err == nil || !strings.Contains(err.Error(), `ORTHANT_MEMORY="lots"`) {
		t.Errorf("got %v, %v, want an error", s, err)
	}
}
