package typeinfo

import (
	"strings"
	"testing"
)

func TestDoc(t *testing.T) {
	tests := []struct {
		name string
		path string
		decl string
		want string // beginning
	}{
		{name: "package", path: "fmt", decl: "", want: "Package fmt implements formatted I/O"},
		{name: "function", path: "strings", decl: "Contains", want: "Contains reports whether substr is within s."},
		{name: "generic function", path: "slices", decl: "Sort", want: "Sort sorts a slice of any ordered type"},
		{name: "type", path: "gonum.org/v1/gonum/mat", decl: "Dense", want: "Dense is a dense matrix representation."},
		{name: "generic type", path: "sync/atomic", decl: "Pointer", want: "A Pointer is an atomic pointer of type *T."},
		{name: "method", path: "strings", decl: "Builder.Len", want: "Len returns the number of accumulated bytes"},
		{name: "method of a generic type", path: "sync/atomic", decl: "Pointer.Load", want: "Load atomically loads"},
		{name: "field", path: "net/http", decl: "Server.Addr", want: "Addr optionally specifies the TCP address"},
		{name: "field of a struct without a name", path: "gonum.org/v1/plot", decl: "Axis.Label.Text", want: "Text is the axis label string."},
		{name: "field of an element without a name", path: "runtime", decl: "MemStats.BySize.Mallocs", want: "Mallocs is the cumulative count of heap objects"},
		{name: "interface method", path: "context", decl: "Context.Done", want: "Done returns a channel that's closed"},
		{name: "constant with a trailing comment", path: "math", decl: "Pi", want: "https://oeis.org/A000796"},
		{name: "constant documented by its group", path: "time", decl: "Hour", want: "Common durations."},
		{name: "variable", path: "io", decl: "EOF", want: "EOF is the error returned by Read"},
		{name: "of another platform's file too", path: "syscall", decl: "", want: "Package syscall contains an interface"},
		{name: "predeclared function", path: "builtin", decl: "append", want: "The append built-in function appends elements"},
		{name: "predeclared type", path: "builtin", decl: "error", want: "The error built-in interface type"},
		{name: "unsafe", path: "unsafe", decl: "Sizeof", want: "Sizeof takes an expression x of any type"},
		{name: "no such name", path: "fmt", decl: "Prnt", want: ""},
		{name: "unexported name", path: "fmt", decl: "newPrinter", want: ""},
		{name: "stand-in of builtin", path: "builtin", decl: "Type1", want: ""},
		{name: "no such package", path: "example.com/x", decl: "", want: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Doc(tt.path, tt.decl)
			if !strings.HasPrefix(got, tt.want) || (tt.want == "") != (got == "") {
				t.Errorf("got %.80q, want %q", got, tt.want)
			}
		})
	}
}

// TestDocIsText looks for comment markers and directives.
func TestDocIsText(t *testing.T) {
	for _, path := range Paths() {
		for name, text := range documentation(path) {
			if strings.HasPrefix(text, "/*") || strings.Contains(text, "\n//go:") || text != strings.TrimSpace(text) {
				t.Errorf("%s.%s: %.60q", path, name, text)
			}
		}
	}
}
