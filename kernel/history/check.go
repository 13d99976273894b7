package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Check returns the file of the user's history, see [Path], and says why a store could not use it as it is. It changes nothing,
// and takes a folder that is not there for one that can be made. What it cannot see is damage inside a database.
func Check() (path string, err error) {
	path, err = Path()
	if err != nil || path == "" {
		return path, err
	}
	switch err := check(path); err {
	case nil:
		return path, nil
	case errNoDatabase:
		return path, fmt.Errorf("history: %s: %w", path, err)
	default:
		return path, fmt.Errorf("history: sessions are not kept: %s: %w", path, err)
	}
}

// The beginning of SQLite's files: https://sqlite.org/fileformat.html#the_database_header
const (
	fileMagic         = "SQLite format 3\x00"
	fileVersionAt     = 60 // of user_version
	fileApplicationAt = 68 // of application_id
	fileHeaderSize    = 100
)

// errNoDatabase says what becomes of a file that is none.
var errNoDatabase = errors.New("it is no history; the next kernel moves it aside and begins one")

func check(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return unwrapped(err)
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return unwrapped(err)
	}
	defer f.Close() // nothing was written
	header := make([]byte, fileHeaderSize)
	switch n, err := io.ReadFull(f, header); {
	case n == 0 && err == io.EOF:
		return nil // SQLite takes it for a new one
	case err == io.ErrUnexpectedEOF, err == nil && string(header[:len(fileMagic)]) != fileMagic:
		return errNoDatabase
	case err != nil:
		return unwrapped(err)
	}
	application := binary.BigEndian.Uint32(header[fileApplicationAt:])
	version := binary.BigEndian.Uint32(header[fileVersionAt:])
	switch {
	case application != applicationID:
		return errForeign
	case version > formatVersion:
		return errNewer
	}
	return nil
}

// unwrapped takes the operation and the path off an error, as the path stands in front already.
func unwrapped(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
