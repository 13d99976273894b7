package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"orthant/stdlib/internal/catalog"
)

// writeTypeinfo writes the archives of the groups into dir: export data of
// the packages that are equal on all platforms into common, the others into a
// folder for each platform, and the documentation into common. An entry is
// named by the import path and carries the package's name as its comment.
func writeTypeinfo(dir string, w *world, groups []catalog.Group) error {
	for _, g := range groups {
		common := &archive{}
		special := make([]*archive, len(w.platforms))
		for i := range special {
			special[i] = &archive{}
		}
		for _, pkg := range w.reference().Packages {
			if pkg.Group != g.Name {
				continue
			}
			if err := addTypes(common, special, w, pkg.Types.Path()); err != nil {
				return fmt.Errorf("%s: %w", pkg.Types.Path(), err)
			}
		}
		docs, err := docsArchive(w, g.Name)
		if err != nil {
			return err
		}
		if err := common.write(filepath.Join(dir, "common", g.Name+".types.zip")); err != nil {
			return err
		}
		if err := docs.write(filepath.Join(dir, "common", g.Name+".docs.zip")); err != nil {
			return err
		}
		for i, prog := range w.platforms {
			folder := strings.TrimPrefix(prog.Platform.Suffix(), "_")
			if err := special[i].write(filepath.Join(dir, folder, g.Name+".types.zip")); err != nil {
				return err
			}
		}
		log.Printf("typeinfo of %s: %d packages, %d of them by platform", g.Name, len(docs.entries), len(special[0].entries))
	}
	return nil
}

// addTypes adds the export data of a package to common if it is the same on
// all platforms, else to the archive of each platform.
func addTypes(common *archive, special []*archive, w *world, path string) error {
	if path == "unsafe" {
		return nil // go/types has it built in
	}
	var (
		data = make([][]byte, len(w.platforms))
		same = true
	)
	for i, prog := range w.platforms {
		var err error
		if data[i], err = exportData(prog.Lookup(path).Types); err != nil {
			return err
		}
		same = same && bytes.Equal(data[i], data[0])
	}
	name := w.reference().Lookup(path).Types.Name()
	if same {
		common.add(path, name, data[0])
		return nil
	}
	for i := range special {
		special[i].add(path, name, data[i])
	}
	return nil
}

// exportData returns the export data of a package without positions: a cell
// cannot look at the sources, and a comment more or less in them shall not
// change the data.
func exportData(pkg *types.Package) ([]byte, error) {
	var b bytes.Buffer
	err := gcexportdata.Write(&b, token.NewFileSet(), pkg)
	return b.Bytes(), err
}

// docsArchive returns the documentation of a group. That of the standard
// library includes the predeclared names, as package builtin.
func docsArchive(w *world, group string) (*archive, error) {
	docs := &archive{}
	add := func(path, name string, texts map[string]string) error {
		// Keys are sorted and HTML is left as it is.
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(texts); err != nil {
			return err
		}
		docs.add(path, name, b.Bytes())
		return nil
	}
	for _, pkg := range w.reference().Packages {
		if pkg.Group != group {
			continue
		}
		path := pkg.Types.Path()
		if err := add(path, pkg.Types.Name(), documentation(w, path)); err != nil {
			return nil, err
		}
	}
	if group == "std" {
		return docs, add("builtin", "builtin", predeclared(w.builtin))
	}
	return docs, nil
}

// An archive is a zip file in the making.
type archive struct {
	entries []entry
}

type entry struct {
	path, name string
	data       []byte
}

func (a *archive) add(path, name string, data []byte) {
	a.entries = append(a.entries, entry{path, name, data})
}

// write writes the file: the entries in their order, without times, so that
// the same content gives the same bytes. Its comment is the Go version. An archive without entries has no
// file.
func (a *archive) write(file string) error {
	if len(a.entries) == 0 {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var b bytes.Buffer
	zw := zip.NewWriter(&b)
	zw.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, e := range a.entries {
		w, err := zw.CreateHeader(&zip.FileHeader{Name: e.path, Comment: e.name, Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := w.Write(e.data); err != nil {
			return err
		}
	}
	if err := zw.SetComment(runtime.Version()); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}
