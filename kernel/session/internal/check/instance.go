package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"orthant/kernel/session/internal/split"
)

// Generic functions and types are monomorphised: the engine gets one function or type for each list of type arguments.
// An instance of a function is checked as an ordinary function in a scope in which each type parameter is an alias of
// its argument. So go/types does the substitution, and the lowering sees concrete types only.

// A Generic is a generic function, or a method of a generic type, kept for later instances.
type Generic struct {
	number  int    // of the cell that declares it
	source  string // the cell's text
	index   int    // which of the cell's functions it is
	names   map[string]types.Object
	imports map[string]string
	dots    []string
	opaque  map[int]bool // see opaqueCalls
}

// Mentions reports whether a body names an object of the session.
func (g *Generic) Mentions(obj types.Object) bool { return g.names[obj.Name()] == obj }

// An Instance is a function or method with concrete types.
type Instance struct {
	Func
	Origin *types.Func  // the generic function or method
	Args   []types.Type // the type arguments, of the receiver's type for a method
}

// Instances is what the session has instantiated so far.
type Instances interface {
	HasFunc(origin *types.Func, args []types.Type) bool
	HasType(t *types.Named) bool
	// ArgsOf lists the type arguments of the instances of a function, InstancesOf those of a type.
	ArgsOf(origin *types.Func) [][]types.Type
	InstancesOf(origin *types.Named) [][]types.Type
}

// instances finds and checks the instances that the cell needs and the session lacks, until no new one turns up.
func (c *checker) instances() {
	c.keepGenerics()
	q := &queue{c: c}
	q.noteInfo(c.cell.Info)
	for _, f := range c.cell.Funcs {
		if !f.Generic || f.Recv != nil {
			continue
		}
		// A generic function that is declared again with its old signature takes its instances over.
		b, ok := c.env.Lookup(f.Object.Name())
		if old, isFunc := b.Object.(*types.Func); ok && isFunc && types.Identical(old.Type(), f.Object.Type()) {
			c.cell.Replaces[f.Object] = old
			for _, args := range c.env.Instances.ArgsOf(old) {
				q.function(f.Object, args)
			}
		}
	}
	for _, f := range c.cell.Funcs {
		if c.lateGeneric(f.Decl) {
			q.lateMethod(f)
		}
	}
	for len(q.funcs) > 0 && len(c.errs) == 0 {
		next := q.funcs[0]
		q.funcs = q.funcs[1:]
		if slices.ContainsFunc(next.Args, endless) {
			c.typeError(next.Origin.Pos(), "instantiation cycle: "+next.Origin.Name()+" needs itself for ever larger types")
			return
		}
		q.noteInfo(c.instantiate(next))
	}
}

// keepGenerics remembers what later instances of the cell's generic functions need.
func (c *checker) keepGenerics() {
	for i, f := range c.cell.Cell.Funcs {
		for _, fn := range c.cell.Funcs {
			if fn.Decl != f || !fn.Generic {
				continue
			}
			g := &Generic{number: c.cell.Number, source: c.cell.Source, index: i,
				names: map[string]types.Object{}, imports: map[string]string{}, dots: append(slices.Clip(c.env.Dots), c.cell.Dots...),
				opaque: opaqueCalls(f.Body, c.cell.Info)}
			ast.Inspect(f, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if obj := c.env.Package.Scope().Lookup(id.Name); obj != nil {
					g.names[id.Name] = obj
				} else if path := c.importPath(id.Name); path != "" {
					g.imports[id.Name] = path
				}
				return true
			})
			c.cell.Generics[fn.Object] = g
		}
	}
}

// importPath returns the path of the package that a name means in the cell; empty where it means none.
func (c *checker) importPath(name string) string {
	if path := c.cell.Imports[name]; path != "" {
		return path
	}
	if b, ok := c.env.Lookup(name); ok {
		return b.Import
	}
	return ""
}

// A queue collects instances, each once.
type queue struct {
	c     *checker
	funcs []*Instance
	seen  []*Instance
}

// noteInfo queues the instances that checked code mentions.
func (q *queue) noteInfo(info *types.Info) {
	for id, inst := range info.Instances {
		args := slices.Collect(inst.TypeArgs.Types())
		if slices.ContainsFunc(args, Parametric) {
			continue // in the body of a generic function
		}
		switch obj := info.Uses[id].(type) {
		case *types.Func:
			if inSession(obj) {
				q.function(obj.Origin(), args)
			}
		}
	}
	for _, tv := range info.Types {
		q.typ(tv.Type)
	}
	for _, obj := range info.Defs {
		if obj != nil {
			q.typ(obj.Type())
		}
	}
}

func inSession(obj types.Object) bool { return obj.Pkg() != nil && obj.Pkg().Path() == Path }

// function queues an instance of a generic function.
func (q *queue) function(origin *types.Func, args []types.Type) {
	if q.c.env.Instances.HasFunc(origin, args) {
		return
	}
	t, err := types.Instantiate(nil, origin.Type(), args, false)
	if err != nil {
		return // go/types has reported it
	}
	fn := types.NewFunc(origin.Pos(), origin.Pkg(), origin.Name(), t.(*types.Signature))
	q.add(&Instance{Func: Func{Object: fn}, Origin: origin, Args: args})
}

// lateMethod queues the instances of a method that an older generic type gets: the type may have instances already.
func (q *queue) lateMethod(f *Func) {
	origin := f.Recv.Type().(*types.Named)
	for _, args := range q.c.env.Instances.InstancesOf(origin) {
		t, err := types.Instantiate(nil, origin, args, false)
		if err != nil {
			continue // there are none for a type with other parameters
		}
		for m := range t.(*types.Named).Methods() {
			if m.Origin() == f.Object {
				q.add(&Instance{Func: Func{Object: m, Recv: f.Recv}, Origin: f.Object, Args: args})
			}
		}
	}
}

func (q *queue) add(inst *Instance) {
	for _, old := range q.seen {
		if old.Origin == inst.Origin && SameTypes(old.Args, inst.Args) {
			return
		}
	}
	q.seen = append(q.seen, inst)
	q.funcs = append(q.funcs, inst)
}

// typ queues the methods of the instances of generic types that a type mentions.
func (q *queue) typ(t types.Type) {
	eachNamed(t, func(n *types.Named) {
		if n.TypeArgs() == nil || !inSession(n.Obj()) || q.c.env.Instances.HasType(n) {
			return
		}
		args := slices.Collect(n.TypeArgs().Types())
		if slices.ContainsFunc(args, Parametric) {
			return
		}
		for _, old := range q.c.cell.Instantiated {
			if types.Identical(old, n) {
				return
			}
		}
		if slices.ContainsFunc(args, endless) {
			if len(q.c.errs) == 0 {
				q.c.typeError(n.Obj().Pos(), "instantiation cycle: type "+n.Obj().Name()+" needs ever larger types")
			}
			return
		}
		q.c.cell.Instantiated = append(q.c.cell.Instantiated, n)
		q.typ(n.Underlying())
		for m := range n.Methods() {
			q.add(&Instance{Func: Func{Object: m, Recv: n.Obj()}, Origin: m.Origin(), Args: args})
			q.typ(m.Type())
		}
	})
}

// instantiate checks the body of an instance and adds it to the cell.
func (c *checker) instantiate(inst *Instance) *types.Info {
	g := c.cell.Generics[inst.Origin]
	if g == nil {
		g = c.env.Generics[inst.Origin]
	}
	if g == nil {
		c.typeError(token.NoPos, "internal: the source of "+inst.Origin.Name()+" is lost")
		return newInfo()
	}
	syntax, errs := split.ParseFor(c.env.Files, g.number, g.source, c.cell.Number) // fresh nodes: each instance has types of its own
	if len(errs) > 0 {
		c.typeError(token.NoPos, "internal: "+errs.Error())
		return newInfo()
	}
	decl := syntax.Funcs[g.index]
	pkg := c.env.Package
	rescope(pkg)
	for i, name := range paramNames(decl) {
		if i < len(inst.Args) && name != "_" {
			pkg.Scope().Insert(types.NewTypeName(decl.Pos(), pkg, name, inst.Args[i]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g.names)) {
		if pkg.Scope().Lookup(name) == nil {
			pkg.Scope().Insert(byName(g.names[name], name))
		}
	}
	pkg.Scope().Insert(opaqueFunc())
	wrapOpaque(decl.Body, g.opaque)
	file := importFile(decl.Pos(), g.imports, g.dots)
	plain := *decl.Type
	plain.TypeParams = nil
	copied := *decl
	copied.Type = &plain
	copied.Recv = withNames(decl.Recv)
	file.Decls = append(file.Decls, asFunction(&copied, &ast.Ident{NamePos: decl.Name.Pos(), Name: "_"}, decl.Body))
	info := newInfo()
	var wrong []types.Error
	config := c.config(func(err types.Error) {
		if !err.Soft { // what is unused is so for every instance, and was reported
			wrong = append(wrong, err)
		}
	})
	types.NewChecker(config, c.env.Files, pkg, info).Files([]*ast.File{file})
	for _, err := range withoutArtifacts(wrong) {
		err.Msg = fmt.Sprintf("in the instance of %s for %s: %s", inst.Origin.Name(), typeList(inst.Args), err.Msg)
		c.errs = append(c.errs, err)
	}
	inst.Decl = &copied
	c.noteLocals(localTypes(c.env.Files, syntax), info, inst.Args)
	c.cell.Instances = append(c.cell.Instances, inst)
	maps.Copy(c.cell.Info.Types, info.Types)
	maps.Copy(c.cell.Info.Instances, info.Instances)
	maps.Copy(c.cell.Info.Defs, info.Defs)
	maps.Copy(c.cell.Info.Uses, info.Uses)
	maps.Copy(c.cell.Info.Implicits, info.Implicits)
	maps.Copy(c.cell.Info.Selections, info.Selections)
	maps.Copy(c.cell.Info.Scopes, info.Scopes)
	return info
}

// byName returns an object for a scope in which it has a name, which was its own: a type that was replaced has another.
func byName(obj types.Object, name string) types.Object {
	if tn, ok := obj.(*types.TypeName); ok && tn.Name() != name {
		return types.NewTypeName(tn.Pos(), tn.Pkg(), name, tn.Type())
	}
	return obj
}

// paramNames returns the names of a function's type parameters, or of its receiver's.
func paramNames(f *ast.FuncDecl) []string {
	var out []string
	if f.Recv != nil {
		_, args := receiver(f)
		for _, id := range args {
			out = append(out, id.Name)
		}
		return out
	}
	if f.Type.TypeParams != nil {
		for _, field := range f.Type.TypeParams.List {
			for _, id := range field.Names {
				out = append(out, id.Name)
			}
		}
	}
	return out
}

func typeList(args []types.Type) string {
	text := ""
	for i, a := range args {
		if i > 0 {
			text += ", "
		}
		text += types.TypeString(a, func(p *types.Package) string {
			if p.Path() == Path {
				return ""
			}
			return p.Name()
		})
	}
	return text
}

// SameTypes reports whether two lists of types are identical one by one.
func SameTypes(a, b []types.Type) bool {
	return slices.EqualFunc(a, b, types.Identical)
}

// Parametric reports whether a type mentions a type parameter. A type that a generic function declares may do so in what it
// is declared as.
func Parametric(t types.Type) bool {
	found := false
	looked := map[*types.Named]bool{}
	var look func(types.Type)
	look = func(t types.Type) {
		switch t := t.(type) {
		case *types.TypeParam:
			found = true
		case *types.Named:
			if isLocal(t.Obj()) && !looked[t] {
				looked[t] = true
				Each(t.Underlying(), look)
			}
		}
	}
	Each(t, look)
	return found
}

// isLocal reports whether a function declares a type.
func isLocal(tn *types.TypeName) bool {
	return inSession(tn) && tn.Parent() != nil && tn.Parent().Parent() != types.Universe
}

// eachNamed calls f for every named type that a type mentions.
func eachNamed(t types.Type, f func(*types.Named)) {
	Each(t, func(t types.Type) {
		if n, ok := t.(*types.Named); ok {
			f(n)
		}
	})
}

// Each calls f for a type and every type that it is written with. It does not look into declared types.
func Each(t types.Type, f func(types.Type)) {
	seen := map[types.Type]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		t = types.Unalias(t)
		f(t)
		switch t := t.(type) {
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				walk(a)
			}
		case *types.Map:
			walk(t.Key())
			walk(t.Elem())
		case interface{ Elem() types.Type }:
			walk(t.Elem())
		case *types.Tuple:
			for v := range t.Variables() {
				walk(v.Type())
			}
		case *types.Signature:
			walk(t.Params())
			walk(t.Results())
		case *types.Struct:
			for v := range t.Fields() {
				walk(v.Type())
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				walk(m.Type())
			}
			for e := range t.EmbeddedTypes() {
				walk(e)
			}
		case *types.Union:
			for term := range t.Terms() {
				walk(term.Type())
			}
		}
	}
	walk(t)
}
