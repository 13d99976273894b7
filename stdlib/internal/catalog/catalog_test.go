package catalog

import (
	"go/token"
	"runtime"
	"strings"
	"testing"
)

func TestImportable(t *testing.T) {
	tests := []struct {
		path string
		want bool
	}{
		{path: "fmt", want: true},
		{path: "os/exec", want: true},
		{path: "gonum.org/v1/gonum/mat", want: true},
		{path: "internal/poll", want: false},
		{path: "crypto/internal/fips140", want: false},
		{path: "vendor/golang.org/x/net/idna", want: false},
		{path: "plugin", want: false},
		{path: "runtime/cgo", want: false},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			if got := Importable(tt.path); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// small is a group that loads fast.
var small = []Group{{Name: "small", Patterns: []string{"unicode/utf8", "log/syslog", "gonum.org/v1/gonum/floats"}}}

func TestLoad(t *testing.T) {
	tests := []struct {
		platform Platform
		hasNew   bool // whether log/syslog has New
	}{
		{platform: Platform{"linux", "amd64"}, hasNew: true},
		{platform: Platform{"darwin", "arm64"}, hasNew: true},
		{platform: Platform{"windows", "amd64"}, hasNew: false},
		{platform: Narrow(), hasNew: true},
	}
	for _, tt := range tests {
		t.Run(tt.platform.String(), func(t *testing.T) {
			prog, err := Load(".", tt.platform, small)
			if err != nil {
				t.Fatal(err)
			}
			if len(prog.Packages) != 3 {
				t.Fatalf("got %d packages, want 3 without their dependencies", len(prog.Packages))
			}
			syslog := prog.Lookup("log/syslog").Types.Scope()
			if got := syslog.Lookup("New") != nil; got != tt.hasNew {
				t.Errorf("log/syslog has New: %v, want %v", got, tt.hasNew)
			}
			sum := prog.Lookup("gonum.org/v1/gonum/floats").Types.Scope().Lookup("Sum")
			if got := prog.Fset.Position(sum.Pos()).Filename; got != "gonum.org/v1/gonum/floats/floats.go" {
				t.Errorf("position in %q names more than import path and file", got)
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	tests := []struct {
		name    string
		pattern string
		want    string
	}{
		{name: "no such package", pattern: "orthant/nowhere", want: "orthant/nowhere"},
		{name: "no such module", pattern: "example.com/nowhere", want: "example.com/nowhere"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(".", Host(), []Group{{Name: "bad", Patterns: []string{tt.pattern}}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want one about %s", err, tt.want)
			}
		})
	}
}

func TestBuiltin(t *testing.T) {
	files, err := Builtin(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Name.Name != "builtin" || files[0].Package == token.NoPos {
		t.Errorf("got %d files", len(files))
	}
}

func TestSameRelease(t *testing.T) {
	tests := []struct {
		name      string
		generated string
		exact     bool
		fails     bool
	}{
		{name: "this version", generated: runtime.Version(), exact: true},
		{name: "another patch of this release", generated: strings.Join(strings.Split(runtime.Version(), ".")[:2], ".") + ".999"},
		{name: "another release", generated: "go1.18.3", fails: true},
		{name: "no version", generated: "", fails: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			exact, err := SameRelease(tt.generated)
			if exact != tt.exact || (err != nil) != tt.fails {
				t.Errorf("got %v, %v; want exact %v, failing %v", exact, err, tt.exact, tt.fails)
			}
			if err != nil && !strings.Contains(err.Error(), "go generate ./stdlib/...") {
				t.Errorf("error %q does not say what to do", err)
			}
		})
	}
}
