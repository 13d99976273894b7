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
	"orthant/stdlib/symbols"
	"orthant/stdlib/typeinfo"
)

// A Session holds what the cells of one notebook have defined. Cells run one at a time: a call of Execute or Evaluate waits for
// the end of another. Complete, Inspect, IsComplete, Lookup and Names may be called while a cell runs.
type Session struct {
	engine    *engine.Engine
	world     *lower.World
	importer  types.Importer
	pkg       *types.Package // of everything that cells declare
	files     *token.FileSet
	streams   *streams
	stdin     *stdin
	memory    memory.Limit
	context   types.Type // context.Context
	native    native
	textLimit uint64 // of one cell, in bytes; 0 for none
	follow    func(cell, line int)
	lingers   bool // goroutines of a stopped run may be left, in compiled code
	runs      int  // cells and expressions run so far

	executing  sync.Mutex   // held while a cell runs
	checking   sync.Mutex   // held while the checker works in pkg: it has one scope at a time
	values     sync.RWMutex // read while a cell runs; written, so to speak, to read what variables hold
	goroutines atomic.Int32 // started by cells and not ended

	mu      sync.Mutex        // guards what follows
	names   map[string]*entry // what each name means
	dots    []string          // import paths that cells imported with a dot
	sources map[int]string    // the text of each cell, by its number
	users   map[string]user   // which functions use which variables and functions
	lookers map[int][]string  // the functions that look at fields of any type, by the cell that uses them
	current *run              // the running cell, or the last one
}

// New returns a session that knows the preloaded names.
func New() (*Session, error) {
	s := &Session{
		pkg:     check.NewPackage(),
		sources: map[int]string{},
		users:   map[string]user{},
		lookers: map[int][]string{},
		follow:  func(cell, line int) {},
	}
	var err error
	if s.memory, err = memory.Read(); err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	if s.textLimit, err = outputLimit(); err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	limitProcess(s.memory)
	st, err := newStreams(s.currentRun)
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	s.streams = st
	if s.stdin, err = newStdin(s.run); err != nil {
		st.close()
		return nil, fmt.Errorf("session: %w", err)
	}
	logger := logSymbols(st.writer(stderr), s.exitSaying)
	all := table(symbols.Symbols)
	own := overlay(table{
		".": {"MapTypes": reflect.ValueOf(map[reflect.Value][]reflect.Type{})},
		// A cell's os.Stdout and os.Stderr are pipes that the session reads; the process keeps its own.
		"os/os": {
			"Stdin":  reflect.ValueOf(&s.stdin.variable).Elem(),
			"Stdout": reflect.ValueOf(&st.pipes[stdout].w).Elem(),
			"Stderr": reflect.ValueOf(&st.pipes[stderr].w).Elem(),
		},
		"log/log":           logger,
		"flag/flag":         flagSymbols(all["flag/flag"], st.writer(stderr)),
		lower.HelperPackage: s.helpers(),
	}, s.exits(), refused(all), s.guardedBackgrounds(all))
	natives := overlay(all, own)
	s.world = lower.NewWorld(natives)
	s.world.Stdin = &s.stdin.Stdin
	s.engine, err = engine.New(engine.Options{
		Symbols: natives,
		Stdin:   assigned{s.stdin},
		Stdout:  st.writer(stdout),
		Stderr:  engine.PanicFilter{Next: st.writer(stderr)},
		Done:    func() chan struct{} { return s.run().done },
	})
	if err != nil {
		st.close()
		return nil, fmt.Errorf("session: %w", err)
	}
	// The engine puts functions of its own into these packages when it is given the symbols; ours come after.
	for key, values := range own {
		if err := s.engine.Use(key, values); err != nil {
			st.close()
			return nil, fmt.Errorf("session: %w", err)
		}
	}
	s.files = s.engine.Files()
	s.importer = typeinfo.Importer(s.files)
	pkg, err := s.importer.Import("context")
	if err != nil {
		st.close()
		return nil, fmt.Errorf("session: %w", err)
	}
	s.context = pkg.Scope().Lookup("Context").Type()
	s.names = preloaded(s.context)
	return s, nil
}

// OnStatement sets the function that is told the cell and line of each statement at the top of a cell before it runs, and
// line 0 when a cell has ended. To be called before the first cell.
func (s *Session) OnStatement(f func(cell, line int)) { s.follow = f }

// Close stops what the cells have left running and gives the session's pipes back. The session cannot be used afterwards.
func (s *Session) Close() error {
	s.engine.Stop()
	s.collect()
	return errors.Join(s.streams.close(), s.stdin.close())
}

// currentRun returns the run that text belongs to whose goroutine belongs to none.
func (s *Session) currentRun() *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

var _ io.Closer = (*Session)(nil)
