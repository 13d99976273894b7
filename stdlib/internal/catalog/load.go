package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// A Program holds the importable packages of one platform. Positions in Fset
// name files as import path and base name ("fmt/print.go"), so that nothing
// of the machine gets into the tables.
type Program struct {
	Platform Platform
	Fset     *token.FileSet
	Packages []*Package // sorted as `go list` sorts them: by group, then by path
}

// A Package is one importable package, without function bodies.
type Package struct {
	Group string
	Types *types.Package
	Files []*ast.File // with comments
}

// Lookup returns the package with the given import path, or nil.
func (p *Program) Lookup(importPath string) *Package {
	for _, pkg := range p.Packages {
		if pkg.Types.Path() == importPath {
			return pkg
		}
	}
	return nil
}

// Load reads the packages of the groups, and all they depend on, for the
// platform. It runs `go list` in dir, a folder of this module. cgo is off, as
// in the released binary. Any error in any package is an error.
func Load(dir string, platform Platform, groups []Group) (*Program, error) {
	l := &loader{
		prog:   &Program{Platform: platform, Fset: token.NewFileSet()},
		loaded: map[string]*types.Package{"unsafe": types.Unsafe},
	}
	for _, g := range groups {
		if len(g.Patterns) == 0 {
			continue
		}
		list, err := goList(dir, platform, g.Patterns)
		if err != nil {
			return nil, err
		}
		for _, entry := range list {
			if err := l.load(g.Name, entry); err != nil {
				return nil, fmt.Errorf("catalog: %s for %s: %w", entry.ImportPath, platform, err)
			}
		}
	}
	return l.prog, nil
}

// Builtin returns the parsed files of package builtin, which only documents
// the predeclared names of the language and cannot be type-checked.
func Builtin(dir string) ([]*ast.File, error) {
	list, err := goList(dir, Platforms()[0], []string{"builtin"})
	if err != nil {
		return nil, err
	}
	l := &loader{prog: &Program{Fset: token.NewFileSet()}}
	for _, entry := range list {
		if entry.ImportPath == "builtin" {
			return l.parse(entry)
		}
	}
	return nil, errors.New("catalog: package builtin not found")
}

// listed is what we read of one package printed by `go list -json`.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	DepOnly    bool
	Module     *struct{ GoVersion string }
	Error      *struct{ Err string }
}

// goList lists the packages and their dependencies, dependencies first.
// Packages without files for the platform are left out.
func goList(dir string, platform Platform, patterns []string) ([]listed, error) {
	args := append([]string{"list", "-e", "-deps",
		"-json=ImportPath,Name,Dir,GoFiles,ImportMap,DepOnly,Module,Error", "--"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+platform.OS, "GOARCH="+platform.Arch, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("catalog: go list: %w: %s", err, stderr.Bytes())
	}
	var list []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var entry listed
		err := dec.Decode(&entry)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, fmt.Errorf("catalog: go list: %w", err)
		}
		if len(entry.GoFiles) == 0 && entry.ImportPath != "unsafe" {
			// Nothing to build here, such as log/syslog on Windows. A
			// package that does not exist at all has no folder either.
			if entry.Dir == "" {
				return nil, fmt.Errorf("catalog: %s: %s", entry.ImportPath, entry.Error.Err)
			}
			continue
		}
		list = append(list, entry)
	}
}

// A loader type-checks packages in the order of `go list -deps`.
type loader struct {
	prog   *Program
	loaded map[string]*types.Package // by resolved import path
}

func (l *loader) load(group string, entry listed) error {
	wanted := !entry.DepOnly && Importable(entry.ImportPath)
	if pkg := l.loaded[entry.ImportPath]; pkg != nil && pkg != types.Unsafe {
		// Already there as a dependency of an earlier group, which can
		// only be if it belongs to that group.
		if wanted && l.prog.Lookup(entry.ImportPath) == nil {
			return errors.New("loaded before its own group")
		}
		return nil
	}
	files, err := l.parse(entry)
	if err != nil {
		return err
	}
	pkg := types.Unsafe
	if entry.ImportPath != "unsafe" {
		if pkg, err = l.check(entry, files); err != nil {
			return err
		}
		l.loaded[entry.ImportPath] = pkg
	}
	if wanted {
		l.prog.Packages = append(l.prog.Packages, &Package{Group: group, Types: pkg, Files: files})
	}
	return nil
}

func (l *loader) parse(entry listed) ([]*ast.File, error) {
	mode := parser.SkipObjectResolution
	if !entry.DepOnly {
		mode |= parser.ParseComments
	}
	var files []*ast.File
	for _, name := range entry.GoFiles {
		src, err := os.ReadFile(filepath.Join(entry.Dir, name))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(l.prog.Fset, path.Join(entry.ImportPath, name), src, mode)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func (l *loader) check(entry listed, files []*ast.File) (*types.Package, error) {
	conf := types.Config{
		Importer:         importMap{l.loaded, entry.ImportMap},
		IgnoreFuncBodies: true,
		Sizes:            types.SizesFor("gc", l.prog.Platform.Arch),
	}
	if entry.Module != nil && entry.Module.GoVersion != "" {
		conf.GoVersion = "go" + entry.Module.GoVersion
	}
	return conf.Check(entry.ImportPath, l.prog.Fset, files, nil)
}

// importMap is the importer of one package: it resolves vendored paths.
type importMap struct {
	loaded  map[string]*types.Package
	resolve map[string]string
}

func (m importMap) Import(path string) (*types.Package, error) {
	if actual, ok := m.resolve[path]; ok {
		path = actual
	}
	if pkg := m.loaded[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("%s is not listed among the dependencies", path)
}
