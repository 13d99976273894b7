package install

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// cachedBuild matches the folders in which go run keeps executables: below the working folder of a build, and, since
// Go 1.24, in the build cache under a hash.
var cachedBuild = regexp.MustCompile(`^(go-build.*|[0-9a-f]{64}-d)$`)

// isTemporary says whether an executable lies where it will not stay: in the build cache or a temporary folder.
func isTemporary(executable string) bool {
	executable = resolved(executable)
	for dir := filepath.Dir(executable); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if cachedBuild.MatchString(filepath.Base(dir)) {
			return true
		}
	}
	for _, dir := range temporaryDirs() {
		if within(resolved(dir), executable) {
			return true
		}
	}
	return false
}

// temporaryDirs lists folders whose content does not stay.
func temporaryDirs() []string {
	dirs := []string{os.TempDir()}
	if runtime.GOOS != "windows" {
		dirs = append(dirs, "/tmp", "/var/tmp")
	}
	for _, variable := range []string{"GOCACHE", "GOTMPDIR"} {
		if dir := os.Getenv(variable); filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// within says whether file lies below dir.
func within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolved follows symbolic links as far as the path exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// copyExecutable copies an executable to a new file.
func copyExecutable(to, from string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // only read: nothing can get lost
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close() // the first error is the one to report
		return err
	}
	return out.Close()
}

// copyName is the name of the copy in the kernelspec's folder.
func copyName() string {
	if runtime.GOOS == "windows" {
		return "orthant.exe"
	}
	return "orthant"
}
