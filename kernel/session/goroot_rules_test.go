package session_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxExcluded bounds how many programs may be left out by their name.
const maxExcluded = 60

// A gorootRule leaves out programs that are about something else than the language and its library as a cell sees them.
type gorootRule struct {
	name    string
	why     string
	applies func(*gorootProgram, gorootUses) bool
	except  map[string]string // programs that the rule would leave out for nothing, and why
}

// gorootRules are tried in order.
var gorootRules = []gorootRule{
	{name: "platform", why: "its build constraints do not hold here, without cgo",
		applies: func(p *gorootProgram, _ gorootUses) bool { return p.another }},
	{name: "instrumentation", why: "it is about what a flag makes of compiled code: race detector, pointer checks, hooks, experiments",
		applies: func(p *gorootProgram, _ gorootUses) bool { return slices.ContainsFunc(p.flags, instruments) }},
	{name: "several files", why: "it is more than one file",
		applies: func(p *gorootProgram, _ gorootUses) bool { return len(p.files) > 0 }},
	{name: "cgo", why: "it is about C, or about types of memory that only C has",
		applies: func(_ *gorootProgram, u gorootUses) bool { return u.imports["C"] || u.imports["runtime/cgo"] }},
	{name: "processes", why: "it runs the go command, the compiler, the linker or itself as a program of its own",
		applies: func(_ *gorootProgram, u gorootUses) bool { return u.imports["os/exec"] }},
	{name: "linkname", why: "it reaches into the symbols of a linked program",
		applies: func(_ *gorootProgram, u gorootUses) bool { return u.directives["go:linkname"] }},
	{name: "finalizers", why: "it watches when compiled code lets go of memory, which for an interpreter is later",
		applies: uses("runtime.SetFinalizer", "runtime.AddCleanup"),
		except: map[string]string{
			"typeparam/chans.go":      "the finalizer only ends a goroutine that nobody asks after",
			"typeparam/orderedmap.go": "the finalizer only ends a goroutine that nobody asks after",
		}},
	{name: "memory statistics", why: "it counts what compiled code allocates",
		applies: uses("runtime.ReadMemStats", "runtime.MemStats", "runtime.MemProfile", "runtime.MemProfileRate", "testing.AllocsPerRun")},
	{name: "frames", why: "it reads functions, files and lines out of the stack of a compiled program",
		applies: uses("runtime.Caller", "runtime.CallersFrames", "runtime.FuncForPC", "runtime.Stack", "runtime/debug.Stack"),
		except: map[string]string{
			"fixedbugs/issue76008.go": "the line is only for its message",
			"typeparam/issue58513.go": "it asks for a caller that there is not",
		}},
}

// instruments reports whether a flag of the go command changes what a program does. Others only change how code is
// compiled: inlining, optimization, checks within the compiler.
func instruments(flag string) bool {
	if flag == "-race" || strings.HasPrefix(flag, "-goexperiment") {
		return true
	}
	return strings.HasPrefix(flag, "-gcflags") && (strings.Contains(flag, "-d=checkptr") || strings.Contains(flag, "-d=maymorestack"))
}

// gorootUses is what of the outside world a program refers to.
type gorootUses struct {
	imports    map[string]bool // paths
	members    map[string]bool // path.Name
	directives map[string]bool // go:name
}

// uses makes the predicate of a rule: the program refers to one of the members.
func uses(members ...string) func(*gorootProgram, gorootUses) bool {
	return func(_ *gorootProgram, u gorootUses) bool {
		return slices.ContainsFunc(members, func(m string) bool { return u.members[m] })
	}
}

// usesOf finds what a program refers to. A package's name is taken for the last part of its path where the import does not
// say another; that holds for the standard library's packages that rules name.
func usesOf(source string) (gorootUses, error) {
	u := gorootUses{imports: map[string]bool{}, members: map[string]bool{}, directives: map[string]bool{}}
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return u, err
	}
	paths := map[string]string{} // by the name in this file
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return u, err
		}
		u.imports[p] = true
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = p
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && paths[x.Name] != "" {
			u.members[paths[x.Name]+"."+sel.Sel.Name] = true
		}
		return true
	})
	for _, group := range file.Comments {
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, "//go:"); ok {
				name, _, _ := strings.Cut(text, " ")
				u.directives["go:"+name] = true
			}
		}
	}
	return u, nil
}

// excludedPrograms returns why each program that is left out is: by a rule, or by its name in the list at path.
func excludedPrograms(t testing.TB, programs []*gorootProgram, path string) map[string]string {
	t.Helper()
	out := map[string]string{}
	exist := map[string]bool{}
	used := map[string]bool{}
	for _, p := range programs {
		exist[p.name] = true
		u, err := usesOf(p.source)
		if err != nil {
			t.Errorf("%s: %v", p.name, err)
			continue
		}
		for _, r := range gorootRules {
			if !r.applies(p, u) {
				continue
			}
			used[r.name] = true
			if r.except[p.name] != "" {
				used[r.name+" "+p.name] = true
				continue
			}
			if out[p.name] == "" {
				out[p.name] = r.name + ": " + r.why
			}
		}
	}
	for _, r := range gorootRules {
		if !used[r.name] {
			t.Errorf("the rule %q leaves no program out", r.name)
		}
		for name := range r.except {
			if !used[r.name+" "+name] {
				t.Errorf("the rule %q has %s as an exception, to which it does not apply", r.name, name)
			}
		}
	}
	list := readKnown(t, path).reasons
	if len(list) > maxExcluded {
		t.Errorf("%s names %d programs, more than %d", path, len(list), maxExcluded)
	}
	for name, why := range list {
		switch {
		case !exist[name]:
			t.Errorf("%s names %s, which is no program of GOROOT/test", path, name)
		case out[name] != "":
			t.Errorf("%s names %s, which a rule leaves out (%s)", path, name, out[name])
		default:
			out[name] = why
		}
	}
	return out
}
