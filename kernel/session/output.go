package session

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"orthant/stdlib/display"
)

// The streams by index.
const (
	stdout = iota
	stderr
)

var streamNames = [2]display.Stream{stdout: display.Stdout, stderr: display.Stderr}

// streams carry the text of cells to their sinks. fmt.Print and log write to it directly, on the goroutine that prints, so
// the text finds its cell. What goes to the files os.Stdout and os.Stderr comes through pipes and belongs to
// the running cell. Where a cell assigns another file to os.Stdout, fmt.Print writes to that, as in compiled Go.
type streams struct {
	pipes   [2]*pipe
	used    atomic.Bool // a cell has mentioned os.Stdout or os.Stderr: the pipes must be emptied to keep the order
	current func() *run
}

func newStreams(current func() *run) (*streams, error) {
	st := &streams{current: current}
	for i := range st.pipes {
		p, err := newPipe(func(text string) {
			if r := current(); r != nil {
				r.out.Text(streamNames[i], text)
			}
		})
		if err != nil {
			st.close()
			return nil, err
		}
		st.pipes[i] = p
	}
	return st, nil
}

func (st *streams) close() error {
	var errs []error
	for _, p := range st.pipes {
		if p != nil {
			errs = append(errs, p.close())
		}
	}
	return errors.Join(errs...)
}

// drain waits until everything written to the pipes so far has reached the sink.
func (st *streams) drain() {
	if st.used.Load() {
		st.pipes[stdout].drain()
		st.pipes[stderr].drain()
	}
}

// writer returns the writer that the engine's printing functions use.
func (st *streams) writer(stream int) *streamWriter { return &streamWriter{st, stream} }

type streamWriter struct {
	st     *streams
	stream int
}

// Write hands text to the sink of the cell that the goroutine belongs to, or of the running cell where it belongs to none.
func (w *streamWriter) Write(p []byte) (int, error) {
	r, ok := display.Current().(*run)
	if !ok {
		r = w.st.current() // a goroutine that a native callback started
	}
	if r != nil {
		r.Text(streamNames[w.stream], string(p))
	}
	return len(p), nil
}

// A printer is what fmt.Print, Printf and Println write to: os.Stdout, whatever that is now.
type printer struct{ *streamWriter }

func (p printer) Write(text []byte) (int, error) {
	if out := p.st.pipes[stdout]; out.variable != out.w {
		return out.variable.Write(text)
	}
	return p.streamWriter.Write(text)
}

// A pipe is a file that cells write to and the session reads.
type pipe struct {
	r, w     *os.File
	variable *os.File   // the variable of cells that has w, and to which they may assign
	mu       sync.Mutex // one drain at a time
	marks    int
	seen     chan int
	done     chan struct{}
}

// A mark in the pipe tells the reader that a drain waits. NUL bytes keep it apart from text.
func mark(n int) []byte { return []byte("\x00orthant:" + strconv.Itoa(n) + "\x00") }

func newPipe(deliver func(text string)) (*pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	p := &pipe{r: r, w: w, variable: w, seen: make(chan int), done: make(chan struct{})}
	go p.read(deliver)
	return p, nil
}

// read delivers what is written to the pipe until it is closed, without the marks.
func (p *pipe) read(deliver func(string)) {
	defer close(p.done)
	const size = 64 << 10
	var rest []byte
	next := 1 // the mark that will come next
	buf := make([]byte, size)
	for {
		n, err := p.r.Read(buf)
		rest = append(rest, buf[:n]...)
		for {
			m := mark(next)
			text, after, found := bytes.Cut(rest, m)
			if !found {
				keep := partial(rest, m)
				text, after = rest[:len(rest)-keep], rest[len(rest)-keep:]
			}
			if len(text) > 0 {
				deliver(string(text))
			}
			rest = append([]byte(nil), after...)
			if !found {
				break
			}
			p.seen <- next
			next++
		}
		if err != nil {
			if len(rest) > 0 {
				deliver(string(rest))
			}
			return
		}
	}
}

// partial returns the length of the longest end of text with which m begins.
func partial(text, m []byte) int {
	for n := min(len(text), len(m)-1); n > 0; n-- {
		if bytes.HasSuffix(text, m[:n]) {
			return n
		}
	}
	return 0
}

// drain writes a mark and waits until the reader has seen it.
func (p *pipe) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.marks++
	if _, err := p.w.Write(mark(p.marks)); err != nil {
		return // a cell has closed the file: nothing more can come
	}
	select {
	case <-p.seen:
	case <-p.done:
	}
}

func (p *pipe) close() error {
	err := p.w.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil // a cell has closed it
	}
	<-p.done
	return errors.Join(err, p.r.Close())
}
