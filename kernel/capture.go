package kernel

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// What compiled code writes to descriptors 1 and 2 (its own println, a library's log, a program that it starts) must come to the
// cell and not to the server's log. So both lead to files, which are read while a cell runs and at its end.
//
// Files and no pipes, because nobody reads a pipe when the process dies: the runtime, whose last words may be longer than a pipe
// holds, would hang instead of ending. For standard error the file is the crash file, where these words are to stay; the
// original gets them too, by debug.SetCrashOutput.
//
// What has been read is freed where the file system can, on Linux: as a hole in the file. To truncate it would lose what is written
// between the reading and that, and another file in its place what programs write that have the first one.

// A capture is descriptors 1 and 2 as files.
type capture struct {
	mu     sync.Mutex // held by who reads
	spools [2]*spool
}

// A spool is a descriptor that leads to a file.
type spool struct {
	file     *os.File // read from
	append   *os.File // what the descriptor is a duplicate of
	original *os.File // what it was
	offset   int64    // up to where the file has been read
	freed    int64    // up to where what has been read takes no room any more
	read     func(offset int64)
	number   int
	created  bool // the file is ours
	named    bool // and is still to be removed
}

// startCapture leads descriptors 1 and 2 to files; the latter to the crash file, if there is one.
func startCapture(crash *crashFile) (*capture, error) {
	c := new(capture)
	for i := range c.spools {
		s := &spool{number: i + 1, read: func(int64) {}}
		var err error
		if i == 1 && crash != nil {
			s.file, s.offset, s.freed, s.read = crash.f, placeLength, placeLength, crash.consumedTo
		} else if s.file, err = os.CreateTemp("", "orthant-output-*"); err == nil {
			s.created, s.named = true, true
		}
		if err == nil {
			err = s.divert()
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("descriptor %d: %w", s.number, err), s.remove(), c.end())
		}
		// Without a name it goes with the process, however that ends. Windows keeps the name while a file is open, until remove.
		s.named = s.named && os.Remove(s.file.Name()) != nil
		c.spools[i] = s
	}
	return c, nil
}

// divert leads the descriptor to the file.
func (s *spool) divert() (err error) {
	if s.append, err = os.OpenFile(s.file.Name(), os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return err
	}
	if s.original, err = duplicate(s.number); err != nil {
		return err
	}
	return redirect(s.number, s.append)
}

// take returns what has been written since the last time.
func (c *capture) take() (stdout, stderr string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spools[0].take(), c.spools[1].take()
}

func (s *spool) take() string {
	info, err := s.file.Stat()
	if err != nil || info.Size() <= s.offset {
		return ""
	}
	text, err := io.ReadAll(io.NewSectionReader(s.file, s.offset, info.Size()-s.offset)) // no more, or a busy writer would keep us
	if err != nil || len(text) == 0 {
		return "" // there is nothing to say it to: what cannot be read is read the next time
	}
	s.offset += int64(len(text))
	s.read(s.offset)
	s.free()
	return string(text)
}

// freeBytes is how much has been read before it is freed.
const freeBytes = 1 << 20

// free frees what has been read. A file system that cannot do that keeps it until the kernel ends.
func (s *spool) free() {
	if s.offset-s.freed >= freeBytes && free(s.file, s.freed, s.offset) == nil {
		s.freed = s.offset
	}
}

// end leads the descriptors to where they led before.
func (c *capture) end() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, s := range c.spools {
		if s != nil {
			errs = append(errs, redirect(s.number, s.original), s.remove())
		}
	}
	return errors.Join(errs...)
}

// remove closes what the spool has opened, and removes the file where it is its own.
func (s *spool) remove() error {
	var errs []error
	for _, f := range []*os.File{s.append, s.original} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	if s.created {
		errs = append(errs, s.file.Close())
	}
	if s.named {
		errs = append(errs, os.Remove(s.file.Name()))
	}
	return errors.Join(errs...)
}

// OwnStderr returns a duplicate of the process's standard error, for Options.Stderr and for the log: it stays what it is while
// descriptor 2 is the cells'.
func OwnStderr() (*os.File, error) {
	f, err := duplicate(2)
	if err != nil {
		return nil, fmt.Errorf("kernel: standard error: %w", err)
	}
	return f, nil
}
