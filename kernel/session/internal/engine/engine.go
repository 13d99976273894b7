package engine

import (
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"maps"
	"os"
	"reflect"
	"regexp"
	"sync/atomic"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// An Engine is one interpreter.
type Engine struct {
	in        *interp.Interpreter
	runID     *uint64 // compared by every function frame; see Stop
	keeper    *keeper
	watch     *watch                   // notes where panics pass
	leavers   leavers                  // who is to end at a watched operation
	done      func() <-chan struct{}   // see Options
	functions map[string]reflect.Value // pointers to variables that hold declared functions, by their names
}

// Options say what a new engine is connected to.
type Options struct {
	Symbols        interp.Exports
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Done returns the channel whose closing ends the channel operations of the calling goroutine; nil where nothing shall.
	Done func() <-chan struct{}
}

// New returns an engine with the given symbols.
func New(o Options) (*Engine, error) {
	in := interp.New(interp.Options{
		Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr,
		// The process's own environment; exits stay restricted, as the symbols decide that.
		Env: os.Environ(), Unrestricted: true,
	})
	if err := in.Use(o.Symbols); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	w, err := newWatch()
	if err != nil {
		return nil, err
	}
	e := &Engine{in: in, watch: w, done: o.Done, functions: map[string]reflect.Value{}}
	var cancelable *bool // whether channel operations look at a frame's done
	if !field(in, "id", &e.runID) || !field(in, "cancelChan", &cancelable) {
		return nil, errVersion
	}
	*cancelable = true
	if e.keeper, err = newKeeper(in); err != nil {
		return nil, err
	}
	return e, nil
}

// field points ptr to an unexported field of the interpreter; false where it has no field of that name and type. The
// interpreter's own way to stop (ExecuteWithContext) leaves closures dead and abandons the execution to a data race.
func field[T any](in *interp.Interpreter, name string, ptr **T) bool {
	f, ok := reflect.TypeOf(in).Elem().FieldByName(name)
	if !ok || f.Type != reflect.TypeFor[T]() {
		return false
	}
	*ptr = (*T)(unsafe.Add(unsafe.Pointer(in), f.Offset))
	return true
}

// Files is the file set that files given to Compile must use.
func (e *Engine) Files() *token.FileSet { return e.in.FileSet() }

// Use makes native values importable: key is the import path, a slash and the package name.
func (e *Engine) Use(key string, values map[string]reflect.Value) error {
	return e.in.Use(interp.Exports{key: values})
}

// Forget lets go of a declared function that no file compiled from now on names. Code that calls it goes on to do so.
func (e *Engine) Forget(function string) {
	e.keeper.forget(function)
	delete(e.functions, function)
}

// A Program is a compiled file.
type Program struct{ p *interp.Program }

// A Source is a lowered file.
type Source struct {
	File *ast.File
	Own  string // the import path of the package that no other file imports
	// Functions has the functions that the file declares, by their names: pointers to variables that hold them when the
	// file has run.
	Functions map[string]reflect.Value
	// Calm has the places of the functions that contain no recover themselves, though what they call may.
	Calm map[token.Pos]bool
	// Code is what the compiled operations of the file refer to.
	Code *Code
}

// A Code stands for the code of a file. Once it is garbage, nothing of the file can run any more, and no panic can pass a place in
// it. It is so large that the runtime gives it memory of its own: of smaller objects, which share some, it may not tell that one
// is garbage (runtime.AddCleanup).
type Code struct{ _ [16]byte }

// Compile compiles a lowered file. An error here is a mistake of ours: the file was checked before it was lowered.
func (e *Engine) Compile(src Source) (prog *Program, err error) {
	defer func() {
		if r := recover(); r != nil { // the compiler panics on what it does not expect
			err = fmt.Errorf("engine: %v", r)
		}
	}()
	p, err := e.in.CompileAST(src.File)
	e.keeper.release(src.Own)
	if err != nil {
		return nil, err
	}
	maps.Copy(e.functions, src.Functions)
	e.watch.program(p, unit{e, src.Code}, src.Calm)
	return &Program{p}, nil
}

// Execute runs a program to its end. The engine keeps books meanwhile: Compile, Use, Forget and Execute must not overlap. What
// a program has handed out, such as a function, may be called at any time and by any number of goroutines.
func (e *Engine) Execute(p *Program) error {
	_, err := e.in.Execute(p.p)
	return err
}

// Stop makes everything that the engine runs end at its next statement, for good.
func (e *Engine) Stop() { atomic.AddUint64(e.runID, 1) }

// A PanicFilter is the engine's standard error: it takes away the lines in which the engine reports the functions that a
// panic passes through.
type PanicFilter struct{ Next io.Writer }

// passed is such a line: a position in a cell (split.FileName), or none, and a function.
var passed = func() *regexp.Regexp {
	const cell = `(?:cell \d+(?: of subshell \d+)?|file#\d+|expression)`
	return regexp.MustCompile(`^(?:` + cell + `(?:/` + cell + `)?:\d+:\d+|-): panic: .*\(\.\.\.\)\n$`)
}()

// Write passes on what is not a report of the engine.
func (f PanicFilter) Write(p []byte) (int, error) {
	if passed.Match(p) {
		return len(p), nil
	}
	return f.Next.Write(p)
}
