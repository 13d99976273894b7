package rt

import (
	"fmt"
	"reflect"
	"testing"
)

// TestBounds compares what reflection's panics become with what compiled code panics with.
func TestBounds(t *testing.T) {
	s, text, array := make([]int, 2, 4), "ab", [2]int{}
	two, six, minus, huge := 2, 6, int8(-3), uint64(1<<63)
	value := reflect.ValueOf
	for _, test := range []struct {
		name   string
		code   func()
		x, i   any   // x[i]
		bounds []any // or x[low:high:max]
	}{
		{"slice", func() { _ = s[six] }, s, six, nil},
		{"negative", func() { _ = s[minus] }, s, minus, nil},
		{"unsigned", func() { _ = s[huge] }, s, huge, nil},
		{"string", func() { _ = text[two] }, text, two, nil},
		{"array", func() { _ = array[six] }, array, six, nil},
		{"low above length", func() { _ = s[six:] }, s, nil, []any{six}},
		{"low above high", func() { _ = s[two:1] }, s, nil, []any{two, 1}},
		{"negative low", func() { _ = s[minus:] }, s, nil, []any{minus}},
		{"huge low", func() { _ = s[huge:] }, s, nil, []any{huge}},
		{"high above capacity", func() { _ = s[:six] }, s, nil, []any{0, six}},
		{"huge high", func() { _ = s[1:huge] }, s, nil, []any{1, huge}},
		{"max above capacity", func() { _ = s[1:2:six] }, s, nil, []any{1, 2, six}},
		{"high above max", func() { _ = s[1:six:3] }, s, nil, []any{1, six, 3}},
		{"low above high and max", func() { _ = s[six:two:3] }, s, nil, []any{six, two, 3}},
		{"low above length of a string", func() { _ = text[six:] }, text, nil, []any{six}},
		{"high above length of a string", func() { _ = text[:six] }, text, nil, []any{0, six}},
		{"of an empty string", func() { _ = ""[:two] }, "", nil, []any{0, two}},
		{"high above length of an array", func() { _ = array[:six] }, array, nil, []any{0, six}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := panicOf(test.code)
			x := reflect.New(reflect.TypeOf(test.x)).Elem() // an array has to be addressable to be sliced
			x.Set(value(test.x))
			var got any
			if test.bounds == nil {
				i := value(test.i)
				got = IndexPanic(panicOf(func() { x.Index(asInt(i)) }), x, i)
			} else {
				var bounds []reflect.Value
				numbers := []int{0, x.Len()}
				for k, b := range test.bounds {
					bounds = append(bounds, value(b))
					numbers = append(numbers[:k], asInt(value(b)))
				}
				if len(numbers) == 1 {
					numbers = append(numbers, x.Len())
				}
				got = SlicePanic(panicOf(func() {
					if len(numbers) == 3 {
						x.Slice3(numbers[0], numbers[1], numbers[2])
					}
					x.Slice(numbers[0], numbers[1])
				}), x, bounds)
			}
			if fmt.Sprintf("%v %[1]T", got) != fmt.Sprintf("%v %[1]T", want) {
				t.Errorf("got %v (%[1]T), want %v (%[2]T)", got, want)
			}
		})
	}
	if got := IndexPanic("other", value(s), value(0)); got != "other" {
		t.Errorf("got %v for a panic of another kind", got)
	}
	if got := SlicePanic("other", value(s), []reflect.Value{value(0)}); got != "other" {
		t.Errorf("got %v for a panic of another kind", got)
	}
}

// asInt is the index that the engine hands to reflection.
func asInt(v reflect.Value) int { return int(v.Convert(reflect.TypeFor[int64]()).Int()) }

// panicOf returns what a function panics with.
func panicOf(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}
