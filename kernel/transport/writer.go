package transport

import (
	"bufio"
	"errors"
	"net"
	"os"
	"time"
)

const (
	// writeBuffer is how many bytes of small frames are gathered for one system call.
	writeBuffer = 64 << 10
	// writeChunk is how much is written under one deadline.
	writeChunk = 1 << 20
	// writeTick is that deadline. It only ends the wait within one system call; the chunk's rest is tried again.
	writeTick = time.Second
	// writePatience is how long a peer with something to read may take nothing before it loses its connection even
	// though its queue is not full. It is long: a suspended laptop or a client in a debugger comes back, and costs no
	// more than its queue until then.
	writePatience = 5 * time.Minute
)

// A pacedWriter writes to a connection and notes how far the peer has read.
type pacedWriter struct {
	conn  net.Conn
	queue *queue
}

// Write writes all of p unless the connection fails, the queue is aborted or the peer takes nothing for writePatience.
func (w pacedWriter) Write(p []byte) (int, error) {
	written, last := 0, time.Now()
	for written < len(p) {
		if err := w.conn.SetWriteDeadline(time.Now().Add(writeTick)); err != nil {
			return written, err
		}
		n, err := w.conn.Write(p[written:min(len(p), written+writeChunk)])
		if n > 0 {
			written, last = written+n, time.Now()
			w.queue.moved(n)
		}
		switch {
		case err == nil:
		case !errors.Is(err, os.ErrDeadlineExceeded), w.queue.aborted(), time.Since(last) > writePatience:
			return written, err
		}
	}
	return written, nil
}

// drain writes what is pushed to the queue until the queue ends or a write fails. Bytes are flushed when nothing more
// waits.
func drain(conn net.Conn, q *queue) error {
	w := bufio.NewWriterSize(pacedWriter{conn: conn, queue: q}, writeBuffer)
	for {
		var flushErr error
		items := q.take(func() error { flushErr = w.Flush(); return flushErr })
		if items == nil {
			return flushErr
		}
		for i, it := range items {
			if err := it.writeTo(w); err != nil {
				return err
			}
			q.wrote(it)
			items[i] = item{} // lets go of its frames
		}
	}
}
