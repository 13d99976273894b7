package session

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"reflect"
	"sync"
	"sync/atomic"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/engine"
	"orthant/kernel/session/internal/lower"
	"orthant/kernel/session/internal/memory"
	"orthant/stdlib/display"
	"orthant/stdlib/rt"
	"orthant/stdlib/symbols"
	"orthant/stdlib/typeinfo"
)

// A Session holds what the cells of one notebook have defined. Its methods are safe for concurrent use; cells may run at the same
// time (see the package's documentation).
type Session struct {
	engine    *engine.Engine
	world     *lower.World
	importer  types.Importer
	pkg       *types.Package // of everything that cells declare
	files     *token.FileSet
	texts     *cellTexts
	streams   *streams
	stdin     *stdin
	memory    memory.Limit
	context   types.Type // context.Context
	native    native
	textLimit uint64 // of one cell, in bytes; 0 for none
	follow    func(cell string, line int)

	// checking is held while the checker works in pkg, which has one scope at a time, and while a cell is made known: what a cell
	// is checked against stays until its own definitions are among it. It also guards what follows.
	checking sync.Mutex
	runs     int      // cells and expressions run so far
	loading  *run     // the one whose body the engine hands out
	later    []func() // what must not be done while another cell runs

	values     sync.RWMutex // read while a cell runs; written, so to speak, to read what variables hold
	goroutines atomic.Int32 // started by cells and not ended

	mu      sync.Mutex        // guards what follows; names and dots change with checking held, too
	names   map[string]*entry // what each name means
	dots    []string          // import paths that cells imported with a dot
	users   map[string]user   // which functions use which variables and functions
	lookers map[int][]string  // the functions that look at fields of any type, by the cell that uses them
	running []*run            // the cells that run, in the order in which they began
	last    *run              // the cell that began last
	leaving int               // how many stopped runs may have something left that is to end
}

// New returns a session that knows the preloaded names.
func New() (*Session, error) {
	s := &Session{
		pkg:     check.NewPackage(),
		users:   map[string]user{},
		lookers: map[int][]string{},
		follow:  func(cell string, line int) {},
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("session: %w", errors.Join(err, s.closeFiles()))
	}
	return s, nil
}

// start reads the settings, opens the files that cells see, and makes the engine.
func (s *Session) start() (err error) {
	if s.memory, err = memory.Read(); err != nil {
		return err
	}
	if s.textLimit, err = outputLimit(); err != nil {
		return err
	}
	limitProcess(s.memory)
	if s.streams, err = newStreams(s.currentRun); err != nil {
		return err
	}
	if s.stdin, err = newStdin(s.run); err != nil {
		return err
	}
	if err := s.startEngine(); err != nil {
		return err
	}
	s.files = s.engine.Files()
	s.texts = &cellTexts{files: s.files, cells: map[int]*text{}}
	s.importer = typeinfo.Importer(s.files)
	pkg, err := s.importer.Import("context")
	if err != nil {
		return err
	}
	s.context = pkg.Scope().Lookup("Context").Type()
	s.names = preloaded(s.context)
	return nil
}

// startEngine makes the engine, with what is not the libraries' own in its symbols.
func (s *Session) startEngine() error {
	all := table(symbols.Symbols)
	own := overlay(table{
		".": {"MapTypes": reflect.ValueOf(map[reflect.Value][]reflect.Type{})},
		// A cell's os.Stdout and os.Stderr are pipes that the session reads; the process keeps its own.
		"os/os": {
			"Stdin":   reflect.ValueOf(&s.stdin.variable).Elem(),
			"Stdout":  reflect.ValueOf(&s.streams.pipes[stdout].variable).Elem(),
			"Stderr":  reflect.ValueOf(&s.streams.pipes[stderr].variable).Elem(),
			"NewFile": reflect.ValueOf(new(standardFiles).newFile),
		},
		"log/log":           logSymbols(s.streams.writer(stderr), s.exitSaying),
		"flag/flag":         flagSymbols(all["flag/flag"], s.streams.writer(stderr)),
		"time/time":         {"Sleep": reflect.ValueOf(s.sleep)},
		lower.HelperPackage: s.helpers(),
	}, s.exits(), refused(all), s.guardedBackgrounds(all))
	natives := overlay(all, own)
	s.world = lower.NewWorld(natives)
	s.world.Stdin = &s.stdin.Stdin
	var err error
	s.engine, err = engine.New(engine.Options{
		Symbols: natives,
		Stdin:   assigned{s.stdin},
		Stdout:  printer{s.streams.writer(stdout)},
		Stderr:  engine.PanicFilter{Next: s.streams.writer(stderr)},
		Done:    s.done,
	})
	if err != nil {
		return err
	}
	// The engine puts functions of its own into these packages when it is given the symbols; ours come after.
	for key, values := range own {
		if err := s.engine.Use(key, values); err != nil {
			return err
		}
	}
	return nil
}

// OnStatement sets the function that is told the cell ("cell 3") and line of each statement at the top of a cell before it runs,
// and line 0 when the cell has ended. Cells that run at the same time call it at the same time. To be called before the first
// cell.
func (s *Session) OnStatement(f func(cell string, line int)) { s.follow = f }

// Close stops what the cells have left running and gives the session's pipes back. The session cannot be used afterwards.
func (s *Session) Close() error {
	s.engine.Stop()
	if s.native.stop != nil {
		s.native.stop()
	}
	s.collect()
	return s.closeFiles()
}

// closeFiles closes those of the files that cells see which are open.
func (s *Session) closeFiles() error {
	var errs []error
	if s.streams != nil {
		errs = append(errs, s.streams.close())
	}
	if s.stdin != nil {
		errs = append(errs, s.stdin.close())
	}
	return errors.Join(errs...)
}

// currentRun returns the run that text belongs to whose goroutine belongs to none: of those that run the one that began last,
// and where none runs the last of all.
func (s *Session) currentRun() *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.running); n > 0 {
		return s.running[n-1]
	}
	return s.last
}

// done returns the channel whose closing ends the channel operations of the calling goroutine.
func (s *Session) done() <-chan struct{} {
	if r, ok := display.Current().(*run); ok {
		return r.doneFor(rt.Goroutine())
	}
	return nil
}

var _ io.Closer = (*Session)(nil)
