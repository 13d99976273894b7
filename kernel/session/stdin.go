package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"orthant/stdlib/display"
	"orthant/stdlib/rt"
)

// stdin is what cells see as os.Stdin: a file, as its type demands, from which nothing comes, and the reader that has the
// front end asked in its place (rt.Stdin).
//
// A pipe that is filled when a cell reads it would be simpler, if there were a way to learn that it is being read. None is
// portable, and a pipe could neither say why nothing comes nor end and go on afterwards, as a terminal does after Ctrl-D.
type stdin struct {
	rt.Stdin
	variable *os.File // the variable os.Stdin of cells, which they may assign to
}

const stdinName = "/dev/stdin"

func newStdin(run func() *run) (*stdin, error) {
	null, err := syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", os.DevNull, err)
	}
	f := os.NewFile(uintptr(null), stdinName)
	return &stdin{rt.Stdin{File: f, Typed: typist{run}}, f}, nil
}

func (s *stdin) close() error {
	if err := s.File.Close(); !errors.Is(err, os.ErrClosed) { // a cell may have closed it
		return err
	}
	return nil
}

// assigned is what fmt.Scan, Scanln and Scanf read: os.Stdin, whatever that is now.
type assigned struct{ *stdin }

func (s assigned) Read(p []byte) (int, error) {
	if f := s.variable; f != nil {
		return s.FileRead(f, p)
	}
	return 0, os.ErrInvalid
}

// A typist reads what the user types in answer to the cell whose goroutine reads.
type typist struct{ run func() *run }

func (t typist) Read(p []byte) (int, error) { return t.run().read(p) }

// typed is what is left of the line that the user has typed last, in answer to one cell. With the cell it goes: what somebody
// typed for one cell must not answer the next.
type typed struct {
	turn chan struct{} // holds a token while a goroutine reads
	rest []byte
}

func newTyped() typed { return typed{turn: make(chan struct{}, 1)} }

// read is Read of the cell's os.Stdin: of one line at a time, for each of which the user is asked.
func (r *run) read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	typed := &r.out.typed
	select {
	case typed.turn <- struct{}{}:
		defer func() { <-typed.turn }()
	case <-r.ctx.Done():
		r.await()
		return 0, &fs.PathError{Op: "read", Path: stdinName, Err: r.ctx.Err()}
	}
	if len(typed.rest) == 0 {
		line, err := r.Ask(r.ctx, "", false)
		if err == io.EOF {
			return 0, err
		}
		if err != nil {
			err = &fs.PathError{Op: "read", Path: stdinName, Err: err}
			if errors.Is(err, display.ErrNoInput) {
				r.refused(err)
			}
			return 0, err
		}
		typed.rest = append([]byte(line), '\n')
	}
	n := copy(p, typed.rest)
	typed.rest = typed.rest[n:]
	return n, nil
}
