package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"orthant/stdlib/internal/catalog"
)

// A job is one extraction: a package, on one platform, into one file.
type job struct {
	path     string           // import path
	group    string           // name of the Go package that gets the file
	platform catalog.Platform // where the package is read
	file     string           // base name of the file
	rewrite  rewriter
}

// writeSymbols writes the tables of the groups.
func writeSymbols(root string, w *world, groups []catalog.Group) error {
	yaegi, err := yaegiCommand(root)
	if err != nil {
		return err
	}
	for _, g := range groups {
		if err := writeGroup(yaegi, filepath.Join(root, "stdlib", "symbols", "internal", g.Name), w, g.Name); err != nil {
			return err
		}
	}
	return nil
}

// writeGroup writes the tables of a group into dir: one file a package (and
// platform, if it differs), and exports.go with the list. The old files stay
// until all new ones are there.
func writeGroup(yaegi, dir string, w *world, group string) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	staging, err := os.MkdirTemp(dir, ".new-")
	if err != nil {
		return err
	}
	defer func() {
		if e := os.RemoveAll(staging); err == nil {
			err = e
		}
	}()
	jobs := jobsOf(w, group)
	log.Printf("symbols of %s: %d files", group, len(jobs))
	if err := extractAll(yaegi, staging, jobs); err != nil {
		return err
	}
	if err := writeExports(filepath.Join(staging, "exports.go"), w, group); err != nil {
		return err
	}
	if err := removeGenerated(dir); err != nil {
		return err
	}
	made, err := os.ReadDir(staging)
	if err != nil {
		return err
	}
	for _, file := range made {
		if err := os.Rename(filepath.Join(staging, file.Name()), filepath.Join(dir, file.Name())); err != nil {
			return err
		}
	}
	return nil
}

// yaegiCommand builds the tool that go.mod names and returns its path. It is
// run directly, not by `go tool`, since GOOS in its environment shall change
// what it reads, not what it is built for.
func yaegiCommand(root string) (string, error) {
	cmd := exec.Command("go", "tool", "-n", "yaegi")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go tool -n yaegi: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// removeGenerated removes the generated files from dir.
func removeGenerated(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !bytes.HasPrefix(src, []byte("// Code generated ")) {
			continue
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return nil
}

func jobsOf(w *world, group string) []job {
	var jobs []job
	for _, pkg := range w.reference().Packages {
		importPath := pkg.Types.Path()
		if pkg.Group != group || importPath == "unsafe" {
			continue // yaegi has a table of unsafe of its own
		}
		rw := rewriter{path: importPath, group: group}
		if !w.differs(importPath) {
			rw.varying = w.varying(importPath)
			jobs = append(jobs, job{importPath, group, w.reference().Platform, fileName(importPath) + ".go", rw})
			continue
		}
		for _, prog := range w.platforms {
			name := fileName(importPath) + prog.Platform.Suffix() + ".go"
			jobs = append(jobs, job{importPath, group, prog.Platform, name, rw})
		}
	}
	return jobs
}

// fileName returns a stem for the file of a package. It has no underscore:
// the go command takes what follows one for a platform.
func fileName(importPath string) string {
	return strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(importPath)
}

// extractAll runs the jobs, as many at a time as there are processors.
func extractAll(yaegi, dir string, jobs []job) error {
	var (
		wg    sync.WaitGroup
		queue = make(chan job)
		errs  = make([]error, runtime.NumCPU())
	)
	for i := range errs {
		wg.Go(func() {
			for j := range queue {
				if err := extract(yaegi, dir, j); err != nil && errs[i] == nil {
					errs[i] = fmt.Errorf("%s for %s: %w", j.path, j.platform, err)
				}
			}
		})
	}
	for _, j := range jobs {
		queue <- j
	}
	close(queue)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// extract runs yaegi in a temporary folder inside the module, because it
// resolves import paths from the folder it is in and writes there, and puts
// the rewritten result into dir.
func extract(yaegi, dir string, j job) (err error) {
	tmp, err := os.MkdirTemp(dir, ".extract-")
	if err != nil {
		return err
	}
	defer func() {
		if e := os.RemoveAll(tmp); err == nil {
			err = e
		}
	}()
	cmd := exec.Command(yaegi, "extract", "-name", j.group, j.path)
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "GOOS="+j.platform.OS, "GOARCH="+j.platform.Arch, "CGO_ENABLED=0")
	// yaegi reports a failed package on stderr and exits with success.
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		return fmt.Errorf("yaegi extract: %v %s", err, out)
	}
	made, err := filepath.Glob(filepath.Join(tmp, "*.go"))
	if err != nil {
		return err
	}
	if len(made) != 1 {
		return fmt.Errorf("yaegi extract made %d files", len(made))
	}
	src, err := os.ReadFile(made[0])
	if err != nil {
		return err
	}
	out, err := j.rewrite.file(src)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, j.file), out, 0o666)
}

// writeExports writes the function that collects the tables of a group.
func writeExports(file string, w *world, group string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code generated by stdlib/internal/generate with %s. DO NOT EDIT.\n\n", runtime.Version())
	fmt.Fprintf(&b, "package %s\n\nimport \"reflect\"\n\n", group)
	fmt.Fprintf(&b, "// Exports returns the symbols of each package of this group, by import path and package name.\n")
	fmt.Fprintf(&b, "func Exports() map[string]map[string]reflect.Value {\n\treturn map[string]map[string]reflect.Value{\n")
	for _, pkg := range w.reference().Packages {
		if importPath := pkg.Types.Path(); pkg.Group == group && importPath != "unsafe" {
			fmt.Fprintf(&b, "%q: %s(),\n", path.Join(importPath, pkg.Types.Name()), funcName(importPath))
		}
	}
	b.WriteString("}\n}\n")
	src, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	return os.WriteFile(file, src, 0o666)
}

// funcName returns the name of the function that makes the table of a
// package. The prefix keeps it apart from the names of imported packages.
func funcName(importPath string) string {
	return "pkg_" + strings.NewReplacer("/", "_", ".", "_", "-", "_").Replace(importPath)
}
