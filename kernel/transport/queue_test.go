package transport

import (
	"errors"
	"testing"
	"time"
)

// frames of n bytes, as an item.
func bytesItem(n int) item { return item{frames: [][]byte{make([]byte, n)}} }

// TestQueueClock looks at when a peer counts as not reading.
func TestQueueClock(t *testing.T) {
	const hour = time.Hour
	for _, tc := range []struct {
		name string
		act  func(q *queue)
		idle bool // for an hour
	}{
		{"nothing sent for an hour, then much at once", func(q *queue) {
			q.push(bytesItem(200 << 10))
		}, false},
		{"much waiting for an hour", func(q *queue) {
			q.push(bytesItem(200 << 10))
			q.progress = q.progress.Add(-hour)
			q.push(bytesItem(1))
		}, true},
		{"a little taken", func(q *queue) {
			q.push(bytesItem(200 << 10))
			q.progress = q.progress.Add(-hour)
			q.moved(progressBytes - 1)
		}, true},
		{"enough taken, in two parts", func(q *queue) {
			q.push(bytesItem(200 << 10))
			q.progress = q.progress.Add(-hour)
			q.moved(progressBytes - 1)
			q.moved(1)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			q := newQueue(100 << 10)
			q.progress = q.progress.Add(-hour)
			tc.act(q)
			_, idle, full := q.full()
			if !full || idle >= hour != tc.idle {
				t.Errorf("got full %v, idle for %v", full, idle)
			}
		})
	}
}

// TestQueueEnds looks at what each state takes in and gives out.
func TestQueueEnds(t *testing.T) {
	flushed := 0
	idle := func() error { flushed++; return nil }

	q := newQueue(1000)
	for q.push(bytesItem(1000)) == nil {
	}
	if err := q.push(bytesItem(0)); !errors.Is(err, errQueueFull) {
		t.Errorf("over the hard limit: got %v", err)
	}
	room, _, _ := q.full()
	q.finish()
	<-room // those who wait are let go
	if err := q.push(bytesItem(0)); !errors.Is(err, errQueueClosed) {
		t.Errorf("finishing: got %v", err)
	}
	items := q.take(idle)
	if len(items) != 4 || flushed != 0 {
		t.Errorf("got %d items after %d flushes, want 4 after 0", len(items), flushed)
	}
	if items := q.take(idle); items != nil || flushed != 1 {
		t.Errorf("got %d items after %d flushes, want the end after 1", len(items), flushed)
	}

	q = newQueue(1000)
	q.push(bytesItem(1))
	q.abort()
	q.finish() // does not bring it back
	if items := q.take(idle); items != nil || !q.aborted() || flushed != 1 {
		t.Errorf("aborted: got %d items, aborted %v, %d flushes", len(items), q.aborted(), flushed)
	}
	q = newQueue(1000)
	if items := q.take(func() error { return errors.New("flush failed") }); items != nil {
		t.Errorf("failed flush: got %d items", len(items))
	}
}
