package kernel

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// lastWords say how an earlier kernel of the session ended, until they are told: once, with the first cell that shows
// anything.
type lastWords struct{ text atomic.Pointer[string] }

func (w *lastWords) set(text string) { w.text.Store(&text) }

// take returns the words, nothing where there are none any more.
func (w *lastWords) take() string {
	if text := w.text.Swap(nil); text != nil {
		return *text
	}
	return ""
}

// readCrashes reads and removes what kernels of a session have left, and removes what is too old of others. It returns the
// newest of the session's.
func readCrashes(dir, name string) (lastWords string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var errs []error
	var newest time.Time
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name(), crashSuffix)
		session, process, found := strings.Cut(base, "-")
		pid, bad := strconv.Atoi(process)
		if !ok || !found || bad != nil || pid != os.Getpid() && processAlive(pid) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another kernel was quicker
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		file := filepath.Join(dir, e.Name())
		if session != name {
			if time.Since(info.ModTime()) > crashLife {
				errs = append(errs, removeCrash(file))
			}
			continue
		}
		text, err := readCrash(file)
		if info.ModTime().After(newest) && text != "" {
			newest, lastWords = info.ModTime(), text
		}
		errs = append(errs, err, removeCrash(file))
	}
	return lastWords, errors.Join(errs...)
}

func removeCrash(file string) error {
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readCrash says in a line how the kernel ended that left a file; nothing where it was killed between cells.
func readCrash(file string) (string, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, placeLength)
	if _, err := io.ReadFull(f, head); err == io.EOF || err == io.ErrUnexpectedEOF {
		return "", nil
	} else if err != nil {
		return "", err
	}
	place, from := splitHead(head)
	words, err := io.ReadAll(io.NewSectionReader(f, from, crashText))
	if err != nil {
		return "", err
	}
	reason := crashReason(string(words))
	switch {
	case place == idle && reason == "":
		return "", nil
	case place == idle:
		return "the kernel ended between cells: " + reason, nil
	case reason == "":
		return "the kernel ended in " + place + ": it was killed, perhaps because the system was out of memory", nil
	}
	return "the kernel ended in " + place + ": " + reason, nil
}

// splitHead returns what the first line of a crash file says.
func splitHead(head []byte) (place string, from int64) {
	at := placeLength - 1 - offsetLength
	from, err := strconv.ParseInt(string(bytes.TrimSpace(head[at:])), 10, 64)
	if err != nil {
		from = placeLength // of an earlier version
	}
	return string(bytes.TrimSpace(head[:at])), from
}
