package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/lower"
)

// Where a cell may give another result than compiled Go, without an error to tell, it is warned before it runs (Known limits).

// warnings returns what is to be said of a checked cell, a line each.
func (s *Session) warnings(p *program) []string {
	w := &warner{session: s, cell: p.cell, said: map[string]bool{}, lookers: map[string]bool{}}
	for n := range p.cell.Nodes() {
		ast.Inspect(n, w.node)
	}
	w.declared()
	if p.copied {
		if boxers := p.low.Boxers(); len(boxers) > 0 {
			w.out = append(w.out, fmt.Sprintf("as keys of a map, values that earlier functions put into interfaces will differ from new ones, which have more methods: %s",
				strings.Join(boxers, ", ")))
		}
	}
	return w.out
}

// A warner collects the warnings of a cell.
type warner struct {
	session *Session
	cell    *check.Cell
	said    map[string]bool
	lookers map[string]bool // the packages by which the cell looks at fields of any type
	out     []string
}

// say adds a warning about a place, once.
func (w *warner) say(pos token.Pos, text string) {
	if !w.said[text] {
		w.said[text] = true
		w.out = append(w.out, fmt.Sprintf("line %d: %s", w.cell.Env.Files.Position(pos).Line, text))
	}
}

// callers are what tells of the callers of a function, by full name. What they tell is of the interpreter.
var callers = map[string]bool{
	"log.Llongfile": true, "log.Lshortfile": true, "log/slog.AddSource": true,
	"runtime.Caller": true, "runtime.Callers": true, "runtime.Stack": true,
	"runtime/debug.PrintStack": true, "runtime/debug.Stack": true,
}

// node looks at a node of the cell.
func (w *warner) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident:
		obj := w.cell.Info.Uses[n]
		if obj == nil || obj.Pkg() == nil || obj.Pkg().Path() == check.Path {
			break
		}
		if callers[obj.Pkg().Path()+"."+obj.Name()] {
			w.say(n.Pos(), fmt.Sprintf("%s.%s tells of the interpreter, not of cells", obj.Pkg().Name(), obj.Name()))
		}
		if f, ok := obj.(*types.Func); ok && reflects(f) {
			w.fields(n.Pos(), f, types.Universe.Lookup("any").Type())
		}
	case *ast.CallExpr:
		w.call(n)
	}
	return true
}

// reflects reports whether a function or method of package reflect tells hidden fields from exported ones.
func reflects(f *types.Func) bool {
	name := f.Name()
	return f.Pkg().Path() == "reflect" && (strings.HasPrefix(name, "Field") || name == "VisibleFields" || name == "IsExported" ||
		name == "CanSet" || name == "CanInterface")
}

// lookers are the packages whose functions look by reflection at the fields of what they get as an any.
var lookers = map[string]bool{
	"encoding/asn1": true, "encoding/binary": true, "encoding/gob": true, "html/template": true, slog: true,
	"net/rpc": true, "testing/quick": true, "text/template": true,
}

// call looks at the arguments of a call of such a function.
func (w *warner) call(e *ast.CallExpr) {
	f, ok := typeutil.Callee(w.cell.Info, e).(*types.Func)
	if !ok || f.Pkg() == nil || !lookers[f.Pkg().Path()] {
		return
	}
	for i, a := range e.Args {
		if p, ok := lower.ParamType(f.Signature(), i, false).Underlying().(*types.Interface); ok && p.Empty() {
			w.fields(e.Lparen, f, w.cell.Info.Types[a].Type)
		}
	}
}

// fields warns of a function that takes hidden fields for exported ones, where it looks at a value of type t.
func (w *warner) fields(pos token.Pos, f *types.Func, t types.Type) {
	pkg := f.Pkg().Path()
	list := hiddenFields(t, pkg)
	if isOpen(t) {
		w.lookers[pkg] = true
		for _, named := range w.types() {
			list = append(list, hiddenFields(named, pkg)...)
		}
	}
	if len(list) > 0 {
		w.say(pos, takesHidden(pkg, list))
	}
}

// takesHidden says so.
func takesHidden(pkg string, fields []string) string {
	const most = 3
	slices.Sort(fields)
	fields = slices.Compact(fields)
	if len(fields) > most {
		fields = append(fields[:most:most], "...")
	}
	return fmt.Sprintf("package %s takes hidden fields for exported ones: %s", pkg, strings.Join(fields, ", "))
}

// types returns the types that cells have declared, this one's included, and those inside functions and of variables.
func (w *warner) types() []types.Type {
	var out []types.Type
	add := func(obj types.Object) {
		switch obj.(type) {
		case *types.TypeName, *types.Var: // a variable's type may have no name
			out = append(out, obj.Type())
		}
	}
	w.session.mu.Lock()
	defer w.session.mu.Unlock()
	for _, e := range w.session.names {
		add(e.obj)
	}
	for _, v := range w.cell.Vars {
		add(v.Object)
	}
	for tn := range w.session.world.Locals() {
		add(tn)
	}
	return out
}

// declared warns where the cell declares what functions of earlier cells take for exported, and keeps what this one uses.
func (w *warner) declared() {
	s := w.session
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lookers, w.cell.Number)
	declared := slices.AppendSeq(slices.Clone(w.cell.Types), maps.Keys(w.cell.Locals))
	for _, number := range slices.Sorted(maps.Keys(s.lookers)) {
		for _, pkg := range s.lookers[number] {
			var list []string
			for _, tn := range declared {
				list = append(list, hiddenFields(tn.Type(), pkg)...)
			}
			if len(list) > 0 {
				w.out = append(w.out, fmt.Sprintf("%s: %s", CellName(number), takesHidden(pkg, list)))
			}
		}
	}
	if len(w.lookers) > 0 {
		s.lookers[w.cell.Number] = slices.Sorted(maps.Keys(w.lookers))
	}
}
