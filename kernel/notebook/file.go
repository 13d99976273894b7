package notebook

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
)

// replaceFile gives the file the content by writing another one beside it and renaming that, so that nobody ever sees
// half a notebook. An existing file's permissions go on.
func replaceFile(name string, content []byte) (err error) {
	f, err := createTemp(name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(os.Remove(f.Name())))
		}
	}()
	_, err = f.Write(content)
	if info, statErr := os.Stat(name); err == nil && statErr == nil {
		err = f.Chmod(info.Mode().Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// createTemp creates a new file beside name, with the permissions that the umask gives to new files (os.CreateTemp
// would make it private).
func createTemp(name string) (*os.File, error) {
	for {
		temp := fmt.Sprintf("%s.%08x.tmp", name, rand.Uint32())
		f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// cause takes the path off an error of package os, for messages that name the file by the name the user gave it.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
