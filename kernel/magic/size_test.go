package magic

import (
	"reflect"
	"testing"
	"time"
)

// sizeOf measures one variable.
func sizeOf(m *measure, pointer any) size {
	m.add(reflect.ValueOf(pointer).Elem())
	return m.size()
}

func TestSize(t *testing.T) {
	type node struct {
		next *node
		_    [4]int64
	}
	ring := &node{}
	ring.next = &node{next: ring}
	list := make([]float64, 10, 20)
	rows := [][]float64{list, list[2:5], list[5:]}
	shared := [2]*[100]byte{}
	shared[0] = new([100]byte)
	shared[1] = shared[0]
	text := string(make([]byte, 50))
	texts := []string{text, text[10:20], text}
	var box any = [3]int64{}
	var nothing map[string]int
	tests := []struct {
		name string
		ptr  any
		want uint64
	}{
		{"a number", new(int64), 8},
		{"a slice has its capacity", &list, 24 + 20*8},
		{"slices of one array", &rows, 24 + 3*24 + 20*8},
		{"pointers to one value", &shared, 16 + 100},
		{"a ring", &ring, 8 + 2*40},
		{"strings of one text", &texts, 24 + 3*16 + 50},
		{"what an interface holds", &box, 16 + 24},
		{"no map", &nothing, 8},
		{"a map", &map[int64]int32{1: 1, 2: 2}, 8 + 2*13},
		{"a map of slices", &map[int64][]byte{1: make([]byte, 100)}, 8 + 33 + 100},
		{"a channel", new(make(chan int64, 5)), 8 + 40},
		{"a function", new(func() {}), 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sizeOf(newMeasure(false), tt.ptr); got != (size{tt.want, false}) {
				t.Errorf("got %v, want %d", got, tt.want)
			}
		})
	}
	t.Run("while goroutines run", func(t *testing.T) {
		const outermost = 24 + 3*24
		if got := sizeOf(newMeasure(true), &rows); got != (size{outermost, true}) {
			t.Errorf("got %v, want %d+", got, outermost)
		}
		if got := sizeOf(newMeasure(true), &list); got.atLeast {
			t.Errorf("got %v: there is nothing below", got)
		}
	})
	t.Run("in bounded time", func(t *testing.T) {
		many := make([]*int64, 500_000)
		for i := range many {
			many[i] = new(int64)
		}
		m := newMeasure(false)
		m.deadline = time.Now() // has passed
		if got := sizeOf(m, &many); !got.atLeast || got.bytes < 4_000_000 {
			t.Errorf("got %v", got)
		}
	})
	if got := (size{1234567, true}).String(); got != "1,234,567+" {
		t.Errorf("got %s", got)
	}
}

func TestWhoWithGoroutines(t *testing.T) {
	i := newInterpreter(t)
	got := play(t, i, "rows := [][]int{{1}}\nstop := make(chan bool)\ngo func() { <-stop }()", "%who")
	want := "shown name  kind      type       cell  bytes\nrows  variable  [][]int       1    48+\nstop  variable  chan bool     1      8\n" +
		"all variables together: 56+ bytes"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
