package rt

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// childVariable is set in the environment of the process that TestPrint starts.
const childVariable = "ORTHANT_TEST_PRINT"

// A printing is a call of the builtin println in compiled Go, and its arguments.
type printing struct {
	name     string
	compiled func()
	args     []any
}

type (
	named     string
	number    float32
	structure struct{ x int }
)

func printings() []printing {
	var (
		pointer  *structure
		function func()
		slice    []int
		mapping  map[string]int
		channel  chan int
		zero     float64
		full     = make([]int, 2, 5)
		object   = &structure{1}
		hash     = map[string]int{}
		negative = -zero
	)
	negative = math.Copysign(0, -1)
	list := []printing{
		{"nothing", func() { println() }, nil},
		{"integers", func() { println(1, -5, int8(-7), int64(math.MinInt64)) }, []any{1, -5, int8(-7), int64(math.MinInt64)}},
		{"unsigned", func() { println(uint(1), uint8(255), uint64(math.MaxUint64), uintptr(10)) },
			[]any{uint(1), uint8(255), uint64(math.MaxUint64), uintptr(10)}},
		{"bool", func() { println(true, false) }, []any{true, false}},
		{"strings", func() { println("a b", "", "é\t") }, []any{"a b", "", "é\t"}},
		{"rune", func() { println('x', byte('y')) }, []any{'x', byte('y')}},
		{"named types", func() { println(named("n"), number(0.1)) }, []any{named("n"), number(0.1)}},
		{"floats", func() { println(1.5, 0.1, 100.0, 1e20, 1e21, 1e-5, 123456.75) }, []any{1.5, 0.1, 100.0, 1e20, 1e21, 1e-5, 123456.75}},
		{"small and large", func() { println(math.MaxFloat64, math.SmallestNonzeroFloat64) }, []any{math.MaxFloat64, math.SmallestNonzeroFloat64}},
		{"zeros", func() { println(zero, negative) }, []any{zero, negative}},
		{"no numbers", func() { println(math.NaN(), math.Inf(1), math.Inf(-1)) }, []any{math.NaN(), math.Inf(1), math.Inf(-1)}},
		{"float32", func() { println(float32(0.1), float32(16777216), float32(1e30)) }, []any{float32(0.1), float32(16777216), float32(1e30)}},
		{"complex", func() { println(complex(1, -2), complex(math.Inf(1), math.NaN())) }, []any{complex(1, -2), complex(math.Inf(1), math.NaN())}},
		{"complex64", func() { println(complex64(complex(0.1, 3))) }, []any{complex64(complex(0.1, 3))}},
		{"nil", func() { println(pointer, function, slice, mapping, channel) }, []any{pointer, function, slice, mapping, channel}},
		{"addresses", func() { println(object, full, hash, unsafe.Pointer(object)) }, []any{object, full, hash, unsafe.Pointer(object)}},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		f, g := math.Float64frombits(r.Uint64()), math.Float32frombits(r.Uint32())
		list = append(list, printing{"random", func() { println(f, g, complex(f, 1)) }, []any{f, g, complex(f, 1)}})
	}
	return list
}

// TestPrint lets a process of its own print with the builtin and with Fprintln in turns, because the builtin writes to
// descriptor 2.
func TestPrint(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		for _, p := range printings() {
			p.compiled()
			Fprintln(os.Stderr, p.args...)
		}
		print(1, 2.5, "x", true)
		print("\n")
		Fprint(os.Stderr, 1, 2.5, "x", true)
		Fprint(os.Stderr, "\n")
		os.Exit(0)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run=^TestPrint$")
	cmd.Env = append(os.Environ(), childVariable+"=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
	list := append(printings(), printing{name: "print"})
	if len(lines) != 2*len(list) {
		t.Fatalf("%d lines for %d printings:\n%s", len(lines), len(list), stderr.String())
	}
	for i, p := range list {
		if want, got := lines[2*i], lines[2*i+1]; got != want {
			t.Errorf("%s: got %q, want %q", p.name, got, want)
		}
	}
}

// What lowered code passes as any, and compiled Go could not print so.
func TestPrintAny(t *testing.T) {
	var b strings.Builder
	Fprintln(&b, nil, structure{1}, [2]int{})
	if got, want := b.String(), "nil (rt.structure) ([2]int)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A counter counts the writes.
type counter struct{ writes int }

func (c *counter) Write(p []byte) (int, error) {
	c.writes++
	return 0, errors.New("full")
}

func TestPrintWritesOnce(t *testing.T) {
	c := &counter{}
	Fprintln(c, 1, "two", 3.0)
	if c.writes != 1 {
		t.Errorf("%d writes, want 1", c.writes)
	}
}

func TestClear(t *testing.T) {
	type pair struct{ a, b int }
	m := map[float64]int{1: 1, math.NaN(): 2}
	Clear(m)
	if len(m) != 0 {
		t.Errorf("map has %v", m)
	}
	s := []pair{{1, 2}, {3, 4}, {5, 6}}
	Clear(s[:2])
	if want := []pair{{}, {}, {5, 6}}; !slices.Equal(s, want) {
		t.Errorf("got %v, want %v", s, want)
	}
	for _, v := range []any{nil, map[string]int(nil), []int(nil)} {
		Clear(v)
	}
}

func TestMinMaxFloat(t *testing.T) {
	nan, inf, negative := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	for _, pair := range [][2]float64{{1, 2}, {2, 1}, {nan, 1}, {1, nan}, {nan, inf}, {inf, -inf}, {0, negative}, {negative, 0}, {negative, negative}} {
		a, b := pair[0], pair[1]
		if got, want := MinFloat(a, b), min(a, b); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("min(%v, %v): got %v, want %v", a, b, got, want)
		}
		if got, want := MaxFloat(a, b), max(a, b); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("max(%v, %v): got %v, want %v", a, b, got, want)
		}
	}
	if !math.Signbit(MinFloat(0, negative)) || math.Signbit(MaxFloat(0, negative)) {
		t.Error("the sign of zero is lost")
	}
}
