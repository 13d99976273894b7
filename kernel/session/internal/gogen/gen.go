package gogen

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"strings"
)

// The size of programs.
const (
	maxTypes      = 4
	maxFuncs      = 3
	maxTests      = 3
	maxStatements = 4 // of a test, besides what is in their blocks
	maxDepth      = 3 // of expressions and of blocks
)

// A gen is a program in the making.
type gen struct {
	rng      *rand.Rand
	plain    bool   // prints nothing that depends on names or methods of types
	serial   int    // of names
	types    []*typ // declared
	ifaces   []*typ // declared interfaces
	decls    []string
	generics map[string]bool // which of genericSources are used
	consts   []constant
	funcs    []*fn
	globals  []variable
	scope    []variable // of the function that is being written
	nesting  int        // of blocks
	body     strings.Builder
}

type variable struct {
	name string
	typ  *typ
}

// A constant is a declared one; typ is nil for an untyped one, which is an int then.
type constant struct {
	name string
	typ  *typ
}

// A fn is a declared function. It has no effect but for what it appends to trail.
type fn struct {
	name     string
	params   []*typ
	variadic bool // the last parameter is a slice and may be left out
	result   *typ
}

// Program returns the program of a seed. That of an even one is plain: it prints nothing that depends on names of types or
// on methods that package fmt calls, so that a mistake in these does not hide others.
func Program(seed uint64) string {
	const stream = 0x6f727468616e74 // any number; the generator needs two
	g := &gen{rng: rand.New(rand.NewPCG(seed, stream)), plain: seed%2 == 0, generics: map[string]bool{}}
	g.declareTypes()
	g.declareInterfaces()
	g.declareConsts()
	g.declareFuncs()
	var tests []string
	for range 1 + g.rng.IntN(maxTests) {
		tests = append(tests, g.test())
	}
	g.declareMain(tests)
	return g.source()
}

// source puts the program together.
func (g *gen) source() string {
	var decls strings.Builder
	decls.WriteString(helpers)
	if g.plain {
		decls.WriteString(plainReport)
	} else {
		decls.WriteString(report)
	}
	for _, gs := range genericSources {
		if g.generics[gs.name] {
			decls.WriteString(gs.source)
		}
	}
	for _, d := range g.decls {
		decls.WriteString(d)
		decls.WriteString("\n")
	}
	all := decls.String()
	var head strings.Builder
	head.WriteString("package main\n\nimport (\n")
	for _, name := range []string{"errors", "fmt", "runtime", "strings", "sync"} {
		if strings.Contains(all, name+".") {
			fmt.Fprintf(&head, "%q\n", name)
		}
	}
	head.WriteString(")\n\n")
	text, err := format.Source([]byte(head.String() + all))
	if err != nil {
		panic(fmt.Sprintf("gogen: %v in\n%s%s", err, head.String(), all)) // our own mistake
	}
	return string(text)
}

// helpers are declared in every program: trail collects what happened in which order, try runs a test. They call report. Where
// a test panics trail does not show: Go leaves open whether an index is looked at before what is called later in an expression.
const helpers = `var trail []string

func mark(s string) string {
	trail = append(trail, s)
	return s
}

func try(name string, f func()) {
	defer func() {
		r := recover()
		fmt.Println(name, report(r))
		if len(trail) > 0 && r == nil {
			fmt.Println("trail", trail)
		}
		trail = nil
	}()
	f()
}

`

// report tells all about what was recovered.
const report = `func report(r any) string {
	if r == nil {
		return "done"
	}
	kind := "panic"
	if _, ok := r.(runtime.Error); ok {
		kind = "runtime error"
	} else if _, ok := r.(error); ok {
		kind = "error"
	}
	return fmt.Sprintf("%s %v %T", kind, r, r)
}

`

// plainReport does not tell types, those in the text of a failed assertion included.
const plainReport = `func report(r any) string {
	if r == nil {
		return "done"
	}
	if e, ok := r.(runtime.Error); ok {
		text, _, _ := strings.Cut(e.Error(), ": interface ")
		return text
	}
	return fmt.Sprint("panic ", r)
}

`

// test declares a function with random statements and returns its name.
func (g *gen) test() string {
	name := g.fresh("test")
	g.scope = nil
	body := g.capture(func() {
		for range 1 + g.rng.IntN(maxStatements) {
			g.statement()
		}
	})
	g.decls = append(g.decls, fmt.Sprintf("func %s() {\n%s}\n", name, body))
	return name
}

// declareMain declares main: some statements of its own, which run at the top level where the program is split, and the
// tests.
func (g *gen) declareMain(tests []string) {
	g.scope = nil
	body := g.capture(func() {
		for range g.rng.IntN(4) {
			g.declareVar()
			g.print(g.scope[len(g.scope)-1])
		}
		for _, name := range tests {
			g.linef("try(%q, %s)", name, name)
		}
		for _, v := range g.scope {
			g.print(v)
		}
	})
	g.decls = append(g.decls, fmt.Sprintf("func main() {\n%s}\n", body))
}

func (g *gen) fresh(prefix string) string {
	g.serial++
	return fmt.Sprintf("%s%d", prefix, g.serial)
}

// chance is true in percent of the cases.
func (g *gen) chance(percent int) bool { return g.rng.IntN(100) < percent }

// pick returns one of several.
func pick[T any](g *gen, from []T) T { return from[g.rng.IntN(len(from))] }

// linef writes a line of the body.
func (g *gen) linef(format string, args ...any) {
	fmt.Fprintf(&g.body, format, args...)
	g.body.WriteString("\n")
}

// capture returns what write adds to the body, and takes it off.
func (g *gen) capture(write func()) string {
	saved := g.body
	g.body = strings.Builder{}
	write()
	out := g.body.String()
	g.body = saved
	return out
}

// block writes what is in a block: its variables end with it.
func (g *gen) block(write func()) {
	scope := len(g.scope)
	g.nesting++
	write()
	g.nesting--
	g.scope = g.scope[:scope]
}

// add brings a variable into scope.
func (g *gen) add(name string, t *typ) variable {
	v := variable{name, t}
	g.scope = append(g.scope, v)
	return v
}

// variables returns the variables in scope that satisfy a condition, the globals among them.
func (g *gen) variables(ok func(*typ) bool) []variable {
	var out []variable
	for _, vs := range [][]variable{g.globals, g.scope} {
		for _, v := range vs {
			if ok(v.typ) {
				out = append(out, v)
			}
		}
	}
	return out
}
