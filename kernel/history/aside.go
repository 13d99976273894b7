package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// moveAside renames a damaged file, so that it is kept and a new one can take its place. If another kernel was quicker, the
// file at the path is not the damaged one, and stays.
func (s *Store) moveAside(db *database) error {
	unlock, err := lockAside(s.path)
	if err != nil {
		return fmt.Errorf("damaged, and cannot be moved aside: %w", err)
	}
	defer unlock()
	if !db.here() {
		return nil
	}
	kept, err := asideName(s.path)
	if err != nil {
		return err
	}
	// The journal first: SQLite would play it back into the new file.
	err = os.Rename(s.path+journalSuffix, kept+journalSuffix)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(s.path, kept)
	}
	if err != nil {
		return fmt.Errorf("damaged, and cannot be moved aside: %w", err)
	}
	s.tell(fmt.Sprintf("history: %s was damaged; a new one is begun, and the old one kept as %s", s.path, kept))
	return nil
}

// journalSuffix is what SQLite calls a file's journal.
const journalSuffix = "-journal"

// asideName returns a name in the folder of path that no file has.
func asideName(path string) (string, error) {
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(path, ext) + "-damaged-" + time.Now().UTC().Format("20060102T150405")
	const names = 100
	for i := range names {
		name := base + ext
		if i > 0 {
			name = fmt.Sprintf("%s-%d%s", base, i, ext)
		}
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return "", fmt.Errorf("damaged, and no name is left to keep it: %s exists", base+ext)
}

// lockAside keeps other kernels from moving the file at path meanwhile. The lock is a folder, which one of all can make.
func lockAside(path string) (unlock func(), err error) {
	const life = 10 * time.Second // of the lock of a kernel that was killed just then
	const pause = 10 * time.Millisecond
	lock := path + ".moving"
	for deadline := time.Now().Add(busyTime); ; time.Sleep(pause) {
		err := os.Mkdir(lock, 0o700)
		if err == nil {
			return func() { os.Remove(lock) }, nil // if it stays, it is old some day
		}
		if !errors.Is(err, fs.ErrExist) || time.Now().After(deadline) {
			return nil, err
		}
		if info, err := os.Stat(lock); err == nil && time.Since(info.ModTime()) > life {
			os.Remove(lock) // the next attempt says how it went
		}
	}
}
