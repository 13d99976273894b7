package engine

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// An Engine is one interpreter.
type Engine struct {
	in    *interp.Interpreter
	runID *uint64
}

// Options say what a new engine is connected to.
type Options struct {
	Symbols        interp.Exports
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// New returns an engine with the given symbols.
func New(o Options) (*Engine, error) {
	if f := reflect.TypeFor[interp.Interpreter]().Field(0); f.Name != "id" || f.Type.Kind() != reflect.Uint64 {
		return nil, errors.New("engine: the interpreter is not the version this package was written for")
	}
	in := interp.New(interp.Options{
		Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr,
		// The process's own environment; exits stay restricted, as the symbols decide that.
		Env: os.Environ(), Unrestricted: true,
	})
	if err := in.Use(o.Symbols); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return &Engine{in: in, runID: (*uint64)(unsafe.Pointer(in))}, nil
}

// Files is the file set that files given to Compile must use.
func (e *Engine) Files() *token.FileSet { return e.in.FileSet() }

// Use makes native values importable: key is the import path, a slash and the package name.
func (e *Engine) Use(key string, values map[string]reflect.Value) error {
	return e.in.Use(interp.Exports{key: values})
}

// A Program is a compiled file.
type Program struct{ p *interp.Program }

// Compile compiles a lowered file. An error here is a mistake of ours: the file was checked before it was lowered.
func (e *Engine) Compile(f *ast.File) (prog *Program, err error) {
	defer func() {
		if r := recover(); r != nil { // the compiler panics on what it does not expect
			err = fmt.Errorf("engine: %v", r)
		}
	}()
	p, err := e.in.CompileAST(f)
	if err != nil {
		return nil, err
	}
	return &Program{p}, nil
}

// Execute runs a program to its end, or until ctx is cancelled: then whatever the engine runs stops for good at its next
// statement or channel operation, and Execute returns at once.
func (e *Engine) Execute(ctx context.Context, p *Program) error {
	_, err := e.in.ExecuteWithContext(ctx, p.p)
	return err
}

// Stop makes everything that the engine runs end at its next statement. The returned function lets it run again; call it
// when what had to end has ended.
func (e *Engine) Stop() (resume func()) {
	before := atomic.LoadUint64(e.runID)
	atomic.AddUint64(e.runID, 1<<32) // far from what cancelling Execute adds
	return func() { atomic.StoreUint64(e.runID, before) }
}

// A PanicFilter is the engine's standard error: it takes away the lines in which the engine reports the functions that a
// panic passes through.
type PanicFilter struct{ Next io.Writer }

// Write passes on what is not a report of the engine.
func (f PanicFilter) Write(p []byte) (int, error) {
	if text := string(p); strings.Contains(text, ": panic: ") && strings.HasSuffix(text, "(...)\n") && strings.HasPrefix(text, "cell ") {
		return len(p), nil
	}
	return f.Next.Write(p)
}
