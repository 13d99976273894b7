package kernel

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
	"orthant/stdlib/display"
)

// A recorder is a broadcaster that keeps what is published; while it is held, Publish waits.
type recorder struct {
	mu       sync.Mutex
	messages []*wire.Message
	held     chan struct{} // nil when not held
}

func (r *recorder) Publish(ctx context.Context, _ string, m *wire.Message) error {
	if r.held != nil {
		select {
		case <-r.held:
		case <-ctx.Done():
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages = append(r.messages, m)
	return nil
}

// lines prints what has been published, streams as name "text".
func (r *recorder) lines(t *testing.T) []string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for _, m := range r.messages {
		if m.Header.MsgType != "stream" {
			lines = append(lines, m.Header.MsgType)
			continue
		}
		var s wire.Stream
		if err := m.Unmarshal(&s); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %q", s.Name, s.Text))
	}
	return lines
}

// testRequest returns a message to be a parent.
func testRequest(t testing.TB) *wire.Message {
	t.Helper()
	m, err := wire.NewSender("test").New(nil, wire.ExecuteRequest{Code: "x"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// testOutput returns the output of a cell; released is closed when that is interrupted.
func testOutput(t testing.TB, p *publisher, released <-chan struct{}) *output {
	t.Helper()
	return newOutput(commChannel{pub: p, parent: testRequest(t), released: released})
}

func testPublisher(out broadcaster) *publisher {
	return newPublisher(out, wire.NewSender("test"), slog.New(slog.DiscardHandler))
}

// never is the release of an output that is not interrupted.
var never <-chan struct{}

func TestPublisherJoinsText(t *testing.T) {
	tests := []struct {
		name string
		do   func(a, b *output)
		want []string
	}{
		{
			"one stream becomes one message",
			func(a, _ *output) {
				a.Text(display.Stdout, "one\n")
				a.Text(display.Stdout, "two\n")
			},
			[]string{`stdout "one\ntwo\n"`},
		},
		{
			"order between the streams is kept",
			func(a, _ *output) {
				a.Text(display.Stdout, "1")
				a.Text(display.Stderr, "2")
				a.Text(display.Stdout, "3")
			},
			[]string{`stdout "1"`, `stderr "2"`, `stdout "3"`},
		},
		{
			"cells that print in turn are joined each",
			func(a, b *output) {
				for range 3 {
					a.Text(display.Stdout, "a")
					b.Text(display.Stdout, "b")
				}
			},
			[]string{`stdout "aaa"`, `stdout "bbb"`},
		},
		{
			"other messages stay between the texts",
			func(a, _ *output) {
				a.Text(display.Stdout, "before")
				a.Clear(false)
				a.Text(display.Stdout, "after")
				a.Display(display.Text("x"))
			},
			[]string{`stdout "before"`, "clear_output", `stdout "after"`, "display_data"},
		},
		{
			"no text is no message",
			func(a, _ *output) { a.Text(display.Stdout, "") },
			nil,
		},
		{
			"a character cut by a write is whole",
			func(a, _ *output) {
				a.Text(display.Stdout, "h\xc3")
				a.Display(display.Text("x"))
				a.Text(display.Stdout, "\xa9!")
			},
			[]string{`stdout "h"`, "display_data", `stdout "é!"`},
		},
		{
			"the streams' characters are cut apart",
			func(a, _ *output) {
				a.Text(display.Stdout, "\xe2\x82")
				a.Text(display.Stderr, "\xf0\x9f")
				a.Text(display.Stdout, "\xac")
				a.Text(display.Stderr, "\x98\x80")
			},
			[]string{`stdout "€"`, `stderr "😀"`},
		},
		{
			"a character that never ends shows as such",
			func(a, _ *output) {
				a.Text(display.Stdout, "x\xe2\x82")
				a.finish()
			},
			[]string{"stdout \"x\ufffd\ufffd\""},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := new(recorder)
			p := testPublisher(out)
			tt.do(testOutput(t, p, never), testOutput(t, p, never))
			p.close(t.Context())
			if got := out.lines(t); !slices.Equal(got, tt.want) {
				t.Errorf("published\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestPublisherSendsTextInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(recorder)
		p := testPublisher(out)
		o := testOutput(t, p, never)
		o.Text(display.Stdout, "a")
		time.Sleep(coalesceTime / 2)
		o.Text(display.Stdout, "b")
		synctest.Wait()
		if got := out.lines(t); got != nil {
			t.Errorf("published %q before the time to join text was over", got)
		}
		time.Sleep(coalesceTime / 2)
		synctest.Wait()
		if got, want := out.lines(t), []string{`stdout "ab"`}; !slices.Equal(got, want) {
			t.Errorf("published %q, want %q", got, want)
		}
		p.close(t.Context())
	})
}

func TestPublisherSendsMuchTextAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(recorder)
		p := testPublisher(out)
		o := testOutput(t, p, never)
		o.Text(display.Stdout, strings.Repeat("x", coalesceBytes))
		synctest.Wait() // time does not pass
		if got := len(out.lines(t)); got != 1 {
			t.Errorf("published %d messages, want 1", got)
		}
		p.close(t.Context())
	})
}

func TestPublisherHoldsUpWhoeverOutputsTooMuch(t *testing.T) {
	line := strings.Repeat("x", coalesceBytes)
	fill := func(o *output, lines int) {
		for range lines {
			o.Text(display.Stdout, line)
		}
	}
	const lines = 2 * pendingBytes / coalesceBytes
	t.Run("until there is room", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			out := &recorder{held: make(chan struct{})}
			p := testPublisher(out)
			written := false
			go func() {
				fill(testOutput(t, p, never), lines)
				written = true
			}()
			synctest.Wait()
			if written {
				t.Errorf("wrote %d bytes while nothing was sent; the limit is %d", lines*coalesceBytes, pendingBytes)
			}
			close(out.held)
			synctest.Wait()
			if !written {
				t.Error("still held up when all has been sent")
			}
			p.close(t.Context())
			if got := len(out.lines(t)); got != lines {
				t.Errorf("published %d messages, want %d", got, lines)
			}
		})
	})
	t.Run("until the interrupt", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			out := &recorder{held: make(chan struct{})}
			p := testPublisher(out)
			interrupt := make(chan struct{})
			written := false
			go func() {
				fill(testOutput(t, p, interrupt), lines)
				written = true
			}()
			synctest.Wait()
			close(interrupt)
			synctest.Wait()
			if !written {
				t.Error("still held up after the interrupt")
			}
			p.close(t.Context()) // does not wait for the slow one
			if got := len(out.lines(t)); got != lines {
				t.Errorf("published %d messages, want %d", got, lines)
			}
		})
	})
}

// TestPublisherKeepsLinesWhole lets many goroutines print at once: each one's lines arrive whole and in its order.
func TestPublisherKeepsLinesWhole(t *testing.T) {
	const writers, lines = 8, 1000
	out := new(recorder)
	p := testPublisher(out)
	shared := testOutput(t, p, never)
	var group sync.WaitGroup
	for w := range writers {
		o := shared
		if w%2 == 1 {
			o = testOutput(t, p, never)
		}
		group.Go(func() {
			for i := range lines {
				o.Text(display.Stdout, fmt.Sprintf("%d %d é\n", w, i))
			}
		})
	}
	group.Wait()
	p.close(t.Context())
	next := make([]int, writers)
	for _, m := range out.messages {
		var s wire.Stream
		if err := m.Unmarshal(&s); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(s.Text) {
			var w, i int
			if _, err := fmt.Sscanf(line, "%d %d é\n", &w, &i); err != nil || i != next[w] {
				t.Fatalf("got line %q (%v), want line %d of writer %d", line, err, next[w], w)
			}
			next[w]++
		}
	}
	for w, n := range next {
		if n != lines {
			t.Errorf("%d lines of writer %d, want %d", n, w, lines)
		}
	}
}

func TestPublisherFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := new(recorder)
		p := testPublisher(out)
		testOutput(t, p, never).Text(display.Stdout, "a")
		start := time.Now()
		p.flush(t.Context())
		if got := len(out.lines(t)); got != 1 || time.Since(start) != 0 {
			t.Errorf("published %d messages in %v, want 1 at once", got, time.Since(start))
		}
		p.close(t.Context())
		p.flush(t.Context()) // does not hang
	})
}

// A closedTransport is a broadcaster that sends nothing more.
type closedTransport struct{}

func (closedTransport) Publish(context.Context, string, *wire.Message) error {
	return transport.ErrClosed
}

// TestPublisherEndsWithTheTransport checks that what a cell has left in the queue when the time of the kernel is over costs the
// log one line and not one a message, and that nobody waits for it.
func TestPublisherEndsWithTheTransport(t *testing.T) {
	var log strings.Builder
	p := newPublisher(closedTransport{}, wire.NewSender("test"), slog.New(slog.NewTextHandler(&log, nil)))
	for range 100 {
		p.status(nil, wire.Idle)
	}
	p.flush(t.Context())
	p.waitForRoom(never)
	<-p.done
	if n := strings.Count(log.String(), "\n"); n != 1 {
		t.Errorf("the log has %d lines, want 1:\n%s", n, &log)
	}
}

func TestOutputThatHasNoForm(t *testing.T) {
	out := new(recorder)
	p := testPublisher(out)
	o := testOutput(t, p, never)
	o.Display(display.Bundle{Data: map[string]any{"text/plain": "x", "application/json": func() {}}})
	o.Display(display.Bundle{Data: map[string]any{"text/plain": "x"}, Metadata: map[string]any{"m": make(chan int)}})
	o.Update(display.Text("x")) // of which display?
	p.close(t.Context())
	got := out.lines(t)
	if len(got) != 3 || !strings.HasPrefix(got[0], `stderr "not shown: `) || got[1] != "display_data" || !strings.HasPrefix(got[2], `stderr "not shown: `) || !strings.Contains(got[2], "without an id") {
		t.Errorf("published\n%s\nwant a line on stderr, the display without the JSON, two lines on stderr", strings.Join(got, "\n"))
	}
}

func TestUnfinished(t *testing.T) {
	tests := []struct {
		text string
		want int
	}{
		{"", 0},
		{"a", 0},
		{"é", 0},
		{"\xc3", 1},
		{"a\xe2\x82", 2},
		{"\xf0\x9f\x98", 3},
		{"😀", 0},
		{"\xff", 0},             // begins nothing
		{"\x80\x80\x80", 0},     // goes on with nothing
		{"\xe2\x82\x80\x80", 0}, // more than a character's end
	}
	for _, tt := range tests {
		if got := unfinished(tt.text); got != tt.want {
			t.Errorf("unfinished(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func BenchmarkPublisherText(b *testing.B) {
	out := new(recorder)
	p := testPublisher(out)
	o := testOutput(b, p, never)
	b.ReportAllocs()
	for b.Loop() {
		o.Text(display.Stdout, "a line of an ordinary length\n")
	}
	p.close(b.Context())
}
