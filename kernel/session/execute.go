package session

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/types"
	"maps"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/engine"
	"orthant/kernel/session/internal/lower"
	"orthant/kernel/session/internal/split"
	"orthant/stdlib/display"
)

// A Cell is one unit of source text.
type Cell struct {
	Number int    // names the cell in messages: "cell 3 line 2"; a front end's execution count, or see CellNumber; 0 for none
	Source string // the text as typed
}

// CellNumber returns the number of a cell that is the count-th of a subshell, which counts from 1 as other shells do: it is named
// "cell 3 of subshell 1". Subshell 0 is the main shell, and a count of 0 stands for a cell without a number.
func CellNumber(subshell, count int) int { return split.Number(subshell, count) }

// CellName returns how messages call the cell with a number: "cell 3", "cell 3 of subshell 1".
func CellName(number int) string { return split.FileName(number) }

// Execute checks, lowers and runs a cell. What it outputs goes to out, all of it before Execute returns, but for what
// goroutines output that the cell leaves running. Cancelling ctx interrupts the cell: first the cell's own ctx is
// cancelled; what has not ended a moment later stops at its next statement.
//
// The bundle is the cell's result, nil where it shows none. A cell that fails returns an Error and no bundle: one that the
// check refuses has changed nothing; one that fails while it runs keeps each name whose defining statement had finished.
func (s *Session) Execute(ctx context.Context, c Cell, out display.Sink) (*display.Bundle, *Error) {
	b, _, failure := s.execute(ctx, whole(c), out, keep)
	return b, failure
}

// Evaluate returns the value of one expression, as Execute would show it. It defines no names.
func (s *Session) Evaluate(ctx context.Context, expr string, out display.Sink) (*display.Bundle, *Error) {
	if _, err := parser.ParseExpr(expr); err != nil {
		return nil, noExpression(expr, err)
	}
	b, _, failure := s.execute(ctx, whole(Cell{Source: expr}), out, forget)
	return b, failure
}

// noExpression makes the error of a text that the parser takes for none.
func noExpression(expr string, err error) *Error {
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 || strings.TrimSpace(expr) == "" {
		return &Error{Name: compileError, Value: "there is no expression", Traceback: []string{"there is no expression"}}
	}
	first := *list[0]
	first.Pos.Filename = split.FileName(0)
	return compileErrors(expr, []check.Error{{Pos: first.Pos, Msg: "not an expression: " + first.Msg}})
}

// Whether the names that a cell defines are kept.
const (
	keep   = true
	forget = false
)

// execute runs a part; left reports that a return came before its end.
func (s *Session) execute(ctx context.Context, c Part, out display.Sink, keep bool) (b *display.Bundle, left bool, failure *Error) {
	r, done, failure := s.open(ctx, c, out)
	if failure != nil {
		return nil, false, failure
	}
	defer done()
	p, failure := s.prepare(r, keep)
	if failure != nil {
		return nil, false, failure
	}
	defer s.end(r)
	for _, w := range p.warnings {
		r.out.note(w + "\n")
	}
	defer s.follow(r.name, 0)
	defer s.collecting()()
	failure = s.perform(r)
	s.streams.drain()
	if keep {
		s.commitVars(r, p)
	}
	if failure != nil {
		return nil, false, failure
	}
	failure = s.guarded(r, func() (failed *Error) { b, failed = s.result(r, p); return failed })
	if failure != nil {
		return nil, false, failure
	}
	if len(r.notes) > 0 {
		r.out.note(strings.Join(r.notes, ""))
	}
	return b, r.left(), nil
}

// open makes a run, for which done is to be called at its end.
func (s *Session) open(ctx context.Context, c Part, out display.Sink) (r *run, done func(), failure *Error) {
	if ctx.Err() != nil {
		return nil, nil, &Error{Name: interrupted, Value: "interrupted before it began", Traceback: []string{}}
	}
	s.values.RLock()
	s.collect() // what came between the runs is not this one's
	o, end := s.outputTo(out)
	r = s.newRun(ctx, c, o)
	return r, func() {
		r.cancel()
		end()
		s.values.RUnlock()
	}, nil
}

// A program is a cell that is ready to run.
type program struct {
	cell   *check.Cell
	low    *lower.Cell
	body   *engine.Program
	names  map[string]*entry // the session's names as the check took them: copies where a type got new methods
	lines  []int             // the line of each statement
	copied bool              // some of these names mean copies
	// warnings are lines for standard error before it runs.
	warnings []string
}

// prepare makes a cell ready to run. An interrupt is heard meanwhile: the cell fails soon, and what has been begun is taken back when
// it has come to its end, for which the next cell waits.
func (s *Session) prepare(r *run, keep bool) (*program, *Error) {
	var p *program // read when prepared is closed, as failure
	var failure *Error
	prepared := make(chan struct{})
	decided := make(chan bool, 1) // takes one token, from whoever decides whether the cell goes on
	go func() {
		defer close(prepared)
		p, failure = s.take(r, keep, decided)
	}()
	select {
	case <-prepared:
		return p, failure
	case <-r.ctx.Done():
	}
	if waitFor(prepared, politely) {
		return p, failure
	}
	select {
	case decided <- true:
		const text = "interrupted while it was checked"
		return nil, &Error{Name: interrupted, Value: text, Traceback: []string{bold + red + text + reset}}
	default: // it goes on, and is about to be ready
		<-prepared
		return p, failure
	}
}

// take checks and lowers a cell, has the engine take it up, and makes known what it defines before it runs, unless it has been
// decided that it does not. Nothing of another cell comes in between.
func (s *Session) take(r *run, keep bool, decided chan<- bool) (*program, *Error) {
	s.checking.Lock()
	defer s.checking.Unlock()
	s.runs++
	p, failure := s.compile(r, keep)
	if failure != nil {
		return nil, failure
	}
	select {
	case decided <- true:
	default:
		p.low.Undo()
		p.cell.Undo()
		return nil, nil // nobody waits for it
	}
	if failure := s.load(r, p); failure != nil {
		return nil, failure
	}
	s.begin(r, p, keep)
	p.warnings = s.warnings(p)
	return p, nil
}

// load lets the engine take up a compiled cell and hand out its body. Nothing of it runs yet.
func (s *Session) load(r *run, p *program) *Error {
	s.loading = r
	defer func() { s.loading = nil }()
	err := s.engine.Execute(p.body)
	if err == nil && r.body == nil {
		err = errors.New("the engine has handed out no body")
	}
	if err != nil {
		return &Error{Name: internalError, Value: err.Error(), Traceback: []string{err.Error()}}
	}
	r.lines = p.lines
	return nil
}

// compile takes a cell through split, check and lower into the engine. Nothing of the session changes. A mistake of ours
// that panics costs the cell, not the session. The caller holds s.checking, as for all up to begin.
func (s *Session) compile(r *run, keep bool) (p *program, failure *Error) {
	fset := s.files
	from := fset.Base()
	defer func() {
		if v := recover(); v != nil {
			p, failure = nil, s.notLowered(r, fmt.Errorf("%v\n%s", v, debug.Stack()))
		}
		if failure != nil {
			s.texts.removeSince(from)
		}
	}()
	syntax, errs := split.Parse(fset, r.number, r.source)
	if len(errs) > 0 {
		return nil, compileErrors(r.typed, syntaxErrors(errs))
	}
	p = &program{names: s.names}
	checked, failure := s.check(r, p, syntax)
	if failure != nil {
		return nil, failure
	}
	p.cell = checked
	for _, st := range checked.Body {
		p.lines = append(p.lines, fset.Position(st.Pos()).Line)
	}
	p.low = lower.New(s.world, checked, s.runs)
	body, err := p.low.Body()
	if err == nil {
		err = s.engine.Use(p.low.Package(), p.low.Exports())
	}
	if err == nil {
		own := path.Dir(p.low.Package())
		p.body, err = s.engine.Compile(engine.Source{File: body, Own: own, Functions: p.low.Functions(), Calm: p.low.Calm(),
			Code: s.texts.add(r, checked, from, keep)})
	}
	if err != nil {
		p.low.Undo()
		checked.Undo()
		return nil, s.notLowered(r, err)
	}
	return p, nil
}

// check has a cell's syntax judged against what the session knows. It sets p's names.
func (s *Session) check(r *run, p *program, syntax *split.Cell) (*check.Cell, *Error) {
	env := check.Env{Files: s.files, Importer: s.importer, Package: s.pkg, Lookup: binding(s.names), Dots: s.dots,
		Instances: s.world, Generics: s.world.Generics}
	env.Without = func(drop map[*types.TypeName][]string) (func(string) (check.Binding, bool), map[*types.Func]*check.Generic) {
		copied := check.Rebuild(drop)
		p.names = rebuilt(s.names, copied)
		generics := copied.Generics(s.world.Generics)
		s.world.Copied(copied.Originals())
		p.copied = true
		return binding(p.names), generics
	}
	checked, wrong := check.Check(env, syntax)
	if len(wrong) > 0 {
		return nil, compileErrors(r.typed, s.explain(r.source, wrong))
	}
	checked.Later = r.later
	return checked, nil
}

// notLowered makes the error of a cell that is right Go but cannot be run: a known limit, or a mistake of ours.
func (s *Session) notLowered(r *run, err error) *Error {
	var list []check.Error
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			var limit *lower.Unsupported
			if errors.As(e, &limit) {
				list = append(list, limit.At)
			}
		}
	}
	if len(list) > 0 {
		return compileErrors(r.typed, list)
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	head := "orthant cannot run this cell, though Go could: " + first
	e := &Error{Name: internalError, Value: head, Traceback: []string{bold + red + head + reset}}
	e.Traceback = append(e.Traceback, strings.Split(err.Error(), "\n")[1:]...)
	return e
}

// rebuilt returns names that mean copied objects.
func rebuilt(names map[string]*entry, copied check.Rebuilt) map[string]*entry {
	names = maps.Clone(names)
	for name, e := range names {
		if e.obj == nil || e.obj.Pkg() == nil {
			continue
		}
		if obj := copied.Object(e.obj); obj != e.obj {
			names[name] = &entry{obj: obj, path: e.path, cell: e.cell}
		}
	}
	return names
}

// begin lets the run be one of those that run and, for a cell, binds what is defined before the first statement runs: imports,
// types, constants and functions.
func (s *Session) begin(r *run, p *program, keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.enter(r)
	for _, name := range p.low.Replaced() {
		s.engine.Forget(name)
	}
	if p.usesFiles() {
		s.streams.used.Store(true)
	}
	if !keep {
		return
	}
	if p.copied {
		migrate, slots := p.low.Migration(), s.slots(s.names)
		s.whenAlone(r, func() { migrate(slots) })
	}
	s.names = maps.Clone(p.names) // whoever reads the old map while completing goes on undisturbed
	for name, path := range p.cell.Imports {
		s.names[name] = &entry{path: path, cell: r.number}
	}
	for _, path := range p.cell.Dots {
		if !slices.Contains(s.dots, path) {
			s.dots = append(slices.Clip(s.dots), path)
		}
	}
	var notes strings.Builder
	bind := func(obj types.Object) {
		notes.WriteString(s.leftBehind(obj.Name(), s.names[obj.Name()], obj))
		s.bind(r, obj)
	}
	for _, tn := range p.cell.Types {
		bind(tn)
	}
	for _, k := range p.cell.Consts {
		bind(k)
	}
	for _, f := range p.cell.Funcs {
		if f.Recv == nil && f.Object.Name() != "init" {
			bind(f.Object)
		}
		s.users[f.Name()] = user{f.Name(), r.number, p.slotsUsedBy(f.Decl)}
	}
	for _, v := range p.cell.Vars {
		if v.Object.Name() != lower.ContextName {
			notes.WriteString(s.leftBehind(v.Object.Name(), s.names[v.Object.Name()], v.Object))
		}
	}
	if notes.Len() > 0 {
		r.notes = append(r.notes, notes.String())
	}
}

// slots returns the storage of the variables and functions that have names.
func (s *Session) slots(names map[string]*entry) []*lower.Slot {
	var out []*lower.Slot
	for _, e := range names {
		if e.obj != nil {
			if slot := s.world.Slot(e.obj); slot != nil {
				out = append(out, slot)
			}
		}
	}
	return out
}

// commitVars binds the variables of the statements that had finished when the run ended, the at-th being the first that
// had not. Of cells that run at the same time the one that ends last is the one whose names stay.
func (s *Session) commitVars(r *run, p *program) {
	s.checking.Lock()
	defer s.checking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	at := int(r.at.Load())
	s.names = maps.Clone(s.names)
	for _, v := range p.cell.Vars {
		if v.Stmt >= at || v.Object.Name() == lower.ContextName {
			continue
		}
		s.bind(r, v.Object)
	}
}

// bind lets a name mean what a run has defined, and lets go of what it meant before. The caller holds s.checking and s.mu, and has
// made s.names a map of its own.
func (s *Session) bind(r *run, obj types.Object) {
	old := s.names[obj.Name()]
	s.names[obj.Name()] = &entry{obj: obj, cell: r.number}
	if old != nil && old.obj != nil {
		s.whenAlone(r, func() { s.release(old) })
	}
}

// enter lets a run be one of those that run. The caller holds s.mu.
func (s *Session) enter(r *run) { s.running, s.last = append(s.running, r), r }

// whenAlone calls a function that touches what cells use: at once where no other cell runs than r, which may be nil, and else when
// none does any more. The caller holds s.checking and s.mu, and so does whoever calls the function.
func (s *Session) whenAlone(r *run, f func()) {
	others := slices.ContainsFunc(s.running, func(other *run) bool { return other != r })
	if !others && len(s.later) == 0 {
		f()
		return
	}
	s.later = append(s.later, f)
}

// end takes a run out of those that run.
func (s *Session) end(r *run) {
	r.release()
	s.checking.Lock()
	defer s.checking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = slices.DeleteFunc(s.running, func(other *run) bool { return other == r })
	s.sweepTexts()
	if len(s.running) > 0 {
		return
	}
	for _, f := range s.later {
		f()
	}
	s.later = nil
}

// release frees what a name meant that means something else now: the value, where the name got other storage, unless something may
// still refer to it.
func (s *Session) release(old *entry) {
	if s.world.Mentioned(old.obj) {
		return
	}
	slot := s.world.Slot(old.obj)
	s.world.Release(old.obj)
	if slot == nil || slot.Held {
		return
	}
	for _, e := range s.names {
		if e.obj == nil {
			continue
		}
		if now := s.world.Slot(e.obj); now != nil && now.Storage == slot.Storage {
			return // the name was defined anew with the same type
		}
	}
	slot.Value().SetZero()
}

// slotsUsedBy returns the storage that a function refers to.
func (p *program) slotsUsedBy(f *ast.FuncDecl) map[*lower.Storage]bool {
	used := map[*lower.Storage]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if s := p.low.SlotOf(p.cell.Info.Uses[id]); s != nil {
				used[s.Storage] = true
			}
		}
		return true
	})
	return used
}

// usesFiles reports whether the cell mentions os.Stdout or os.Stderr.
func (p *program) usesFiles() bool {
	for _, obj := range p.cell.Info.Uses {
		if obj.Pkg() != nil && obj.Pkg().Path() == "os" && (obj.Name() == "Stdout" || obj.Name() == "Stderr") {
			return true
		}
	}
	return false
}
