package session_test

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// maxBatch is how many programs are compiled at once: what a package of a batch is called is as long as "main".
const maxBatch = 50

// panicMark begins the last line of a program that ended with a panic; the value follows.
const panicMark = "\x01panic "

// compiledLimit is how long a compiled program may run.
const compiledLimit = 10 * time.Second

// An outcome is what a compiled program did.
type outcome struct {
	output string
	panics bool   // it ended with a panic
	broken string // why there is no outcome: the program did not end, or has crashed
}

// compiled runs programs, each a package main, compiled: all are built at once, each as a package of its own, into one
// binary, which runs the one that its argument names. What programs print about their own package is what they would print
// as main.
func compiled(ctx context.Context, t testing.TB, sources []string) ([]outcome, error) {
	if len(sources) > maxBatch {
		return nil, fmt.Errorf("%d programs, more than %d", len(sources), maxBatch)
	}
	dir := t.TempDir()
	var imports, table strings.Builder
	for i, source := range sources {
		name := packageName(i)
		library, err := asLibrary(source, name)
		if err != nil {
			return nil, err
		}
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name, "program.go"), []byte(library), 0o600); err != nil {
			return nil, err
		}
		fmt.Fprintf(&imports, "import %q\n", "batch/"+name)
		fmt.Fprintf(&table, "%q: %s.Main,\n", name, name)
	}
	main := fmt.Sprintf(`package main

import (
	"fmt"
	"os"
)

%s
func main() {
	defer func() {
		if r := recover(); r != nil {
			fmt.Printf("%%s%%v\n", %q, r)
		}
	}()
	map[string]func(){
		%s
	}[os.Args[1]]()
}
`, imports.String(), panicMark, table.String())
	for name, text := range map[string]string{"go.mod": "module batch\n\ngo 1.26\n", "main.go": main} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	binary := filepath.Join(dir, "batch.exe")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "PWD="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	var outcomes []outcome
	for i := range sources {
		outcomes = append(outcomes, runCompiled(ctx, binary, packageName(i)))
	}
	return outcomes, ctx.Err()
}

// runCompiled runs one program of a batch.
func runCompiled(ctx context.Context, binary, name string) outcome {
	ctx, cancel := context.WithTimeout(ctx, compiledLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, name)
	var stdout, stderr clipped
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	output, _, panics := strings.Cut(stdout.String(), panicMark)
	output = strings.NewReplacer("batch/"+name+".", "main.", name+".", "main.").Replace(output)
	o := outcome{output: output, panics: panics}
	switch {
	case ctx.Err() != nil:
		o.broken = "the compiled program does not end"
	case err != nil:
		o.broken = fmt.Sprintf("the compiled program: %v: %s", err, firstLine(stderr.String()))
	case stdout.full:
		o.broken = "the compiled program outputs too much"
	}
	return o
}

// A clipped is a buffer that drops what is too much.
type clipped struct {
	bytes.Buffer
	full bool
}

func (c *clipped) Write(p []byte) (int, error) {
	if c.full = c.full || c.Len()+len(p) > playOutput; c.full {
		return len(p), nil
	}
	return c.Buffer.Write(p)
}

func packageName(i int) string { return fmt.Sprintf("m%03d", i) }

// asLibrary makes a package with a function Main of a program.
func asLibrary(source, name string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	start := fset.Position(file.Name.Pos()).Offset
	source = source[:start] + name + source[start+len("main"):]
	const signature = "\nfunc main() {"
	if strings.Count(source, signature) != 1 {
		return "", fmt.Errorf("no func main in\n%s", source)
	}
	return strings.Replace(source, signature, "\nfunc Main() {", 1), nil
}
