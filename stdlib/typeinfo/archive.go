package typeinfo

import (
	"archive/zip"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// index finds the entries of the embedded archives by import path. It is
// made when first used and does not change.
type index struct {
	types map[string]*zip.File // export data; unsafe has none
	docs  map[string]*zip.File // documentation, also of builtin
	paths []string             // sorted import paths
	names map[string][]string  // sorted import paths by package name
}

// archives reads the directories of the embedded archives. The archives are
// part of the program, so a broken one is our own bug.
var archives = sync.OnceValue(func() *index {
	x := &index{
		types: map[string]*zip.File{},
		docs:  map[string]*zip.File{},
		names: map[string][]string{},
	}
	for _, fsys := range []embed.FS{common, platform} {
		if err := x.addAll(fsys); err != nil {
			panic(fmt.Sprintf("typeinfo: embedded data: %v", err))
		}
	}
	for path, f := range x.types {
		x.addPath(path, f.Comment)
	}
	x.addPath("unsafe", "unsafe")
	slices.Sort(x.paths)
	for _, paths := range x.names {
		slices.Sort(paths)
	}
	return x
})

func (x *index) addPath(path, name string) {
	x.paths = append(x.paths, path)
	x.names[name] = append(x.names[name], path)
}

// addAll adds the entries of all archives in fsys.
func (x *index) addAll(fsys embed.FS) error {
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		table := x.types
		if strings.HasSuffix(name, ".docs.zip") {
			table = x.docs
		}
		return addArchive(table, fsys, name)
	})
}

// addArchive adds the entries of one archive to the table.
func addArchive(table map[string]*zip.File, fsys embed.FS, name string) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	// Files of an embed.FS are io.ReaderAt: nothing is copied here.
	r, err := zip.NewReader(f.(io.ReaderAt), info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, entry := range r.File {
		table[entry.Name] = entry
	}
	return nil
}

// read returns the uncompressed content of an entry.
func read(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	data := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, err
	}
	return data, r.Close()
}
