package gogen

import (
	"fmt"
	"strings"
)

// statement writes a statement of any kind, with what belongs to it: declarations before it, printing after it.
func (g *gen) statement() {
	simple := []func(){
		g.declareVar, g.declareVar, g.declareVar, g.assign, g.assign, g.printSome, g.printSome, g.multiAssign, g.swapElements,
		g.aliasing, g.methodStatement, g.methodValue, g.closures, g.pointers, g.mapStatement, g.sliceStatement, g.stringStatement,
		g.localType, g.genericValue, g.interfaceValue, g.multiValue, g.compareStructs,
	}
	if g.nesting < maxDepth-1 {
		simple = append(simple, g.ifStatement, g.loop, g.loop, g.loop, g.switchStatement, g.switchStatement, g.typeSwitch,
			g.typeSwitch, g.selectStatement, g.deferStatement, g.panicStatement, g.panicStatement, g.gotoStatement, g.errorStatement,
			g.goroutines)
	}
	pick(g, simple)()
}

// statements writes some statements as a block of its own.
func (g *gen) statements() {
	g.block(func() {
		for range 1 + g.rng.IntN(2) {
			g.statement()
		}
	})
}

// local declares a variable of a type with a random value, and returns it.
func (g *gen) local(t *typ) variable {
	name := g.fresh("v")
	e := g.expr(t, maxDepth-1)
	switch g.rng.IntN(4) {
	case 0:
		g.linef("var %s %s = %s", name, t, e)
	case 1:
		g.linef("var %s %s", name, t)
		g.linef("%s = %s", name, e)
	default:
		g.linef("%s := %s", name, g.typed(t, e))
	}
	g.linef("_ = %s", name)
	return g.add(name, t)
}

func (g *gen) declareVar() { g.local(g.anyType(2)) }

// target returns a variable of the function, one that is made for it where there is none that ok accepts.
func (g *gen) target(ok func(*typ) bool, make func() *typ) variable {
	var all []variable
	for _, v := range g.scope {
		if ok(v.typ) {
			all = append(all, v)
		}
	}
	if len(all) > 0 && g.chance(80) {
		return pick(g, all)
	}
	return g.local(make())
}

func always(*typ) bool { return true }

func (g *gen) printSome() {
	var vs []variable
	for range 1 + g.rng.IntN(2) {
		vs = append(vs, g.target(always, func() *typ { return g.anyType(2) }))
	}
	g.printAll(vs...)
}

// assign assigns to a variable or to a part of one.
func (g *gen) assign() {
	v := g.target(always, func() *typ { return g.anyType(2) })
	type place struct {
		e string
		t *typ
	}
	var places []place
	g.parts(v.name, v.typ, 2, func(e string, t *typ) { places = append(places, place{e, t}) })
	p := pick(g, places)
	switch {
	case p.t.kind == integer && g.chance(40):
		g.linef("%s %s %s", p.e, pick(g, []string{"+=", "-=", "*=", "|=", "&=", "^=", "&^="}), g.expr(p.t, 1))
	case p.t.kind == integer && g.chance(30):
		g.linef("%s%s", p.e, pick(g, []string{"++", "--"}))
	case p.t.kind == integer && g.chance(30):
		g.linef("%s %s %s", p.e, pick(g, []string{"<<=", ">>="}), g.shiftCount())
	case p.t.kind == text && g.chance(40):
		g.linef("%s += %s", p.e, g.expr(p.t, 1))
	default:
		g.linef("%s = %s", p.e, g.expr(p.t, maxDepth-1))
	}
	g.print(v)
}

// multiAssign assigns to several places at once, of which some are read on the right.
func (g *gen) multiAssign() {
	t := g.anyType(1)
	a, b := g.local(t), g.local(t)
	switch g.rng.IntN(4) {
	case 0:
		g.linef("%s, %s = %s, %s", a.name, b.name, b.name, a.name)
	case 1:
		g.linef("%s, %s = %s, %s", a.name, b.name, g.expr(t, 2), a.name)
	case 2:
		c := g.fresh("v")
		g.linef("%s, %s := %s, %s", a.name, c, b.name, a.name)
		g.linef("_ = %s", c)
		g.add(c, t)
	default:
		c, d := g.fresh("v"), g.fresh("v")
		g.linef("var %s, %s = %s, %s", c, d, b.name, g.typed(t, g.expr(t, 1)))
		g.linef("%s, %s, _ = %s, %s, %s", a.name, b.name, d, c, g.typed(t, g.expr(t, 1)))
	}
	g.printAll(a, b)
}

// swapElements assigns to elements with indices that the same statement changes.
func (g *gen) swapElements() {
	t := g.anyType(0)
	s, i := g.fresh("s"), g.fresh("i")
	form := pick(g, []string{"[]%s{%s, %s, %s}", "[3]%s{%s, %s, %s}"})
	g.linef("%s, %s := "+form+", 0", s, i, t, g.expr(t, 1), g.expr(t, 1), g.expr(t, 1))
	switch g.rng.IntN(4) {
	case 0:
		g.linef("%s, %s[%s] = %d, %s", i, s, i, 1+g.rng.IntN(2), g.expr(t, 1))
	case 1:
		g.linef("%s[%s], %s[%s+1] = %s[%s+1], %s[%s]", s, i, s, i, s, i, s, i)
	case 2:
		g.linef("%s[%s], %s = %s, 2", s, i, i, g.expr(t, 1))
		g.linef("%s[%s], %s = %s[0], 1", s, i, i, s)
	default:
		at := g.fresh("at")
		g.linef("%s := func(i int, s string) int { mark(s); return i }", at)
		g.linef("%s[%s(0, \"a\")], %s[%s(1, \"b\")] = %s[%s(1, \"c\")], %s[%s(2, \"d\")]", s, at, s, at, s, at, s, at)
		g.linef("fmt.Println(trail)")
	}
	g.linef("fmt.Println(%s, %s)", s, i)
}

// aliasing copies a value, changes the copy and prints both.
func (g *gen) aliasing() {
	a := g.target(func(t *typ) bool { return t.kind >= slice && t.kind != iface }, func() *typ { return g.unnamedType(1) })
	if a.typ.kind == iface {
		return
	}
	b := g.fresh("v")
	g.linef("%s := %s", b, a.name)
	g.add(b, a.typ)
	type place struct {
		e string
		t *typ
	}
	var places []place
	g.parts(b, a.typ, 2, func(e string, t *typ) {
		if e != b {
			places = append(places, place{e, t})
		}
	})
	if len(places) > 0 {
		p := pick(g, places)
		g.linef("%s = %s", p.e, g.expr(p.t, 1))
	}
	g.linef("fmt.Println(%s, %s)", a.name, b)
}

// withMethods returns a variable of a type with methods; ok is false where the program has none.
func (g *gen) withMethods() (v variable, ok bool) {
	var types []*typ
	for _, t := range g.types {
		for _, sig := range methodPool {
			if t.method(sig.name) != nil {
				types = append(types, t)
				break
			}
		}
	}
	if len(types) == 0 {
		g.declareVar()
		return variable{}, false
	}
	t := pick(g, types)
	return g.target(t.same, func() *typ { return t }), true
}

func (g *gen) methodsOf(t *typ) []*method {
	var out []*method
	for _, sig := range methodPool {
		if m := t.method(sig.name); m != nil {
			out = append(out, m)
		}
	}
	return out
}

func (g *gen) arguments(m *method) string {
	var args []string
	for _, p := range m.params {
		args = append(args, g.expr(p, 1))
	}
	return strings.Join(args, ", ")
}

// methodStatement calls a method of a variable, or of a pointer to it.
func (g *gen) methodStatement() {
	v, ok := g.withMethods()
	if !ok {
		return
	}
	m := pick(g, g.methodsOf(v.typ))
	recv := v.name
	if g.chance(30) {
		recv = "(&" + v.name + ")"
	}
	call := fmt.Sprintf("%s.%s(%s)", recv, m.name, g.arguments(m))
	if m.result == nil {
		g.linef("%s", call)
	} else {
		g.linef("fmt.Println(%s)", call)
	}
	g.print(v)
}

// methodValue binds a method, or takes it from its type, changes the variable and calls it.
func (g *gen) methodValue() {
	v, ok := g.withMethods()
	if !ok {
		return
	}
	m := pick(g, g.methodsOf(v.typ))
	f := g.fresh("m")
	args := g.arguments(m)
	if g.chance(50) {
		g.linef("%s := %s.%s", f, v.name, m.name)
	} else {
		recv, self := v.typ.name, v.name
		if m.pointer || g.chance(30) {
			recv, self = "(*"+recv+")", "&"+self
		}
		g.linef("%s := %s.%s", f, recv, m.name)
		args = strings.TrimSuffix(self+", "+args, ", ")
	}
	if g.chance(60) {
		g.linef("%s = %s", v.name, g.expr(v.typ, 1))
	}
	if m.result == nil {
		g.linef("%s(%s)", f, args)
		g.print(v)
	} else {
		g.linef("fmt.Println(%s(%s))", f, args)
	}
}

// closures makes functions that share a variable, and calls them.
func (g *gen) closures() {
	t := g.anyType(1)
	v := g.local(t)
	set, get := g.fresh("set"), g.fresh("get")
	g.linef("%s := func(x %s) { %s = x }", set, t, v.name)
	g.linef("%s := func() (%s, string) { return %s, fmt.Sprint(%s) }", get, t, v.name, v.name)
	g.linef("%s(%s)", set, g.expr(t, 2))
	g.linef("fmt.Println(%s())", get)
	g.linef("%s = %s", v.name, g.expr(t, 1))
	a, b := g.fresh("v"), g.fresh("v")
	g.linef("%s, %s := %s()", a, b, get)
	g.linef("fmt.Println(%s, %s)", a, b)
	g.add(a, t)
	g.add(b, tString)
}

// pointers changes a variable through a pointer, or a pointer to a pointer.
func (g *gen) pointers() {
	t := g.anyType(1)
	v := g.local(t)
	p := g.fresh("p")
	g.linef("%s := &%s", p, v.name)
	switch {
	case g.chance(30):
		g.linef("%sp := &%s", p, p)
		g.linef("**%sp = %s", p, g.expr(t, 1))
	case t.kind == structure:
		f := pick(g, t.fields)
		g.linef("%s.%s = %s", p, f.name, g.expr(f.typ, 1))
	case t.kind == array:
		g.linef("%s[0] = %s", p, g.expr(t.elem, 1))
		g.linef("for i, x := range %s {\nfmt.Println(i, x, len(%s))\n}", p, p)
		g.linef("fmt.Println(%s[:1])", p)
	default:
		g.linef("*%s = %s", p, g.expr(t, 1))
	}
	fresh := g.fresh("n")
	g.linef("%s := new(%s)", fresh, t)
	g.linef("*%s = *%s", fresh, p)
	g.linef("fmt.Println(*%s, %s == %s, %s == nil)", fresh, fresh, p, p)
	g.print(v)
}

// mapStatement reads, changes and deletes elements of a map.
func (g *gen) mapStatement() {
	v := g.target(func(t *typ) bool { return t.kind == mapping }, func() *typ {
		return &typ{kind: mapping, key: g.keyType(), elem: g.anyType(1)}
	})
	if g.chance(50) {
		g.linef("if %s == nil {\n%s = %s{}\n}", v.name, v.name, v.typ)
	}
	key := g.typed(v.typ.key, g.key(v.typ.key, 0))
	ok, x := g.fresh("ok"), g.fresh("x")
	switch g.rng.IntN(4) {
	case 0:
		g.linef("%s, %s := %s[%s]", x, ok, v.name, key)
		g.linef("fmt.Println(%s, %s)", x, ok)
	case 1:
		g.linef("delete(%s, %s)", v.name, key)
	case 2:
		g.linef("if %s, %s := %s[%s]; %s {\nfmt.Println(%s)\n} else {\nfmt.Println(\"none\", %s)\n}", x, ok, v.name, key, ok, x, x)
	default:
		g.linef("%s[%s] = %s", v.name, key, g.expr(v.typ.elem, 2))
	}
	g.linef("fmt.Println(%s, len(%s))", v.name, v.name)
}

// sliceStatement slices, appends and copies.
func (g *gen) sliceStatement() {
	v := g.target(func(t *typ) bool { return t.kind == slice }, func() *typ { return &typ{kind: slice, elem: g.anyType(1)} })
	w := g.fresh("s")
	switch g.rng.IntN(6) {
	case 0:
		g.linef("%s := append(%s[:0:0], %s...)", w, v.name, v.name)
		g.linef("%s = append(%s, %s)", v.name, v.name, g.expr(v.typ.elem, 1))
	case 1:
		g.linef("%s := make(%s, %d, 4)", w, v.typ, g.rng.IntN(4))
		g.linef("fmt.Println(copy(%s, %s), cap(%s))", w, v.name, w)
	case 2:
		g.linef("%s := %s[len(%s)/2:]", w, v.name, v.name)
		g.linef("if len(%s) > 0 {\n%s[0] = %s\n}", w, w, g.expr(v.typ.elem, 1))
	case 3:
		g.linef("%s := [2]%s(append(%s, %s, %s))", w, v.typ.elem, v.name, g.expr(v.typ.elem, 1), g.expr(v.typ.elem, 1))
		g.linef("%s[1] = %s[0]", w, w)
	case 4:
		g.linef("%s := append(%s, %s)", w, v.name, g.expr(v.typ.elem, 1))
		g.linef("clear(%s)", w)
	default:
		g.linef("%s := append(append(%s(nil), %s...), %s, %s)[%s:]", w, conversionName(v.typ), v.name, g.expr(v.typ.elem, 1), g.expr(v.typ.elem, 1), pick(g, []string{"0", "1", "2"}))
	}
	g.linef("fmt.Println(%s, %s, len(%s))", v.name, w, w)
}

// stringStatement takes strings apart.
func (g *gen) stringStatement() {
	v := g.target(func(t *typ) bool { return t.kind == text }, func() *typ { return tString })
	switch g.rng.IntN(4) {
	case 0:
		g.linef("fmt.Println([]rune(%s), []byte(%s), len(%s))", v.name, v.name, v.name)
	case 1:
		g.linef("for i, r := range %s {\nfmt.Print(i, \" \", r, \" \", string(r), \";\")\n}", v.name)
		g.linef("fmt.Println()")
	case 2:
		g.linef("fmt.Printf(\"%%q\\n\", %s[:len(%s)/2])", v.name, v.name)
		g.show("%T", v.name+"[:]")
	default:
		g.linef("fmt.Println(%s[%d], %s > \"m\")", v.name, g.rng.IntN(3), v.name)
	}
}

// localType declares a type in the function.
func (g *gen) localType() {
	name, v := g.fresh("L"), g.fresh("v")
	t := g.anyType(1)
	g.linef("type %s struct {\nX %s\ny []%s\n}", name, t, t)
	g.linef("%s := %s{%s, []%s{%s}}", v, name, g.expr(t, 1), t, g.expr(t, 1))
	if g.chance(50) {
		g.linef("type %sb %s", name, t)
		x := fmt.Sprintf("%sb(%s.X)", name, v)
		g.show("%T %v", x, x)
	}
	g.show("%v %+v %#v %T", v, v, v, v)
}

// genericValue makes a value of a generic type and uses its methods.
func (g *gen) genericValue() {
	t, u := g.anyType(1), g.anyType(0)
	v := g.fresh("v")
	switch g.rng.IntN(3) {
	case 0:
		g.generics["pair"] = true
		g.linef("%s := pair[%s, %s]{%s, %s}", v, t, u, g.expr(t, 1), g.expr(u, 1))
		g.linef("%s.Set(%s, %s.Second)", v, g.expr(t, 1), v)
		g.show("%v %+v %T %T", v, v+".Swap()", v, v+".Swap")
	case 1:
		g.generics["stack"] = true
		g.linef("%s := new(stack[%s]).Push(%s).Push(%s)", v, t, g.expr(t, 1), g.expr(t, 1))
		g.linef("%s.Push(%s)", v, g.expr(t, 1))
		g.linef("for i, x := range %s.All {\nfmt.Println(i, x)\nif i == %d {\nbreak\n}\n}", v, g.rng.IntN(4))
		g.show("%T", "*"+v)
	default:
		g.generics["set"] = true
		k := g.keyType()
		g.linef("%s := set[%s]{}", v, k)
		keys := g.key(k, 0)
		if k.ordered() || k.kind == boolean { // fmt sorts others by where they are in memory
			keys += ", " + g.expr(k, 1)
		}
		g.linef("%s.Add(%s)", v, keys)
		g.linef("fmt.Println(%s, %s.Has(%s), len(%s))", v, v, g.expr(k, 1), v)
	}
}

// interfaceValue stores a value in an interface, looks at it and takes it out.
func (g *gen) interfaceValue() {
	all := append([]*typ{tAny, tAny, tError}, g.ifaces...)
	i := pick(g, all)
	v := g.fresh("v")
	g.linef("var %s %s", v, i)
	var fits []*typ
	for _, t := range g.types {
		if i == tAny || t.kind != iface && t.implements(i, true) {
			fits = append(fits, t)
		}
	}
	if len(fits) > 0 && g.chance(85) {
		t := pick(g, fits)
		if i != tAny && !t.implements(i, false) || g.chance(20) {
			x := g.local(t)
			g.linef("%s = &%s", v, x.name)
			g.show("%T", v)
		} else {
			g.linef("%s = %s", v, g.typed(t, g.expr(t, 1)))
			g.show("%v %+v %T", v, v, v)
		}
	}
	for _, m := range i.methods {
		call := fmt.Sprintf("%s.%s(%s)", v, m.name, g.arguments(m))
		if m.result != nil {
			call = "fmt.Println(" + call + ")"
		}
		g.linef("if %s != nil {\n%s\n}", v, call)
	}
	target := pick(g, append([]*typ{tString, tInt, tError}, append(g.types, g.ifaces...)...))
	if i != tAny && target.kind != iface && !target.implements(i, false) {
		target = pick(g, all)
	}
	ok := g.fresh("ok")
	if target.kind == iface {
		g.linef("_, %s := %s.(%s)", ok, v, target)
	} else {
		g.linef("_, %s := any(%s).(%s)", ok, v, target)
	}
	g.linef("fmt.Println(%s, %s == nil)", ok, v)
}

// multiValue calls a function with several results, as arguments and in an assignment.
func (g *gen) multiValue() {
	a, b := g.anyType(1), g.anyType(0)
	f := g.fresh("f")
	g.linef("%s := func(n int) (x %s, y %s, err error) {", f, a, b)
	g.linef("if n > 1 {\nerr = fmt.Errorf(\"n is %%d\", n)\nreturn\n}")
	g.linef("x = %s", g.expr(a, 1))
	g.linef("return x, %s, nil\n}", g.expr(b, 1))
	g.linef("fmt.Println(%s(%d))", f, g.rng.IntN(4))
	x, y, err := g.fresh("v"), g.fresh("v"), g.fresh("err")
	g.linef("%s, %s, %s := %s(%d)", x, y, err, f, g.rng.IntN(4))
	g.linef("fmt.Println(%s, %s, %s)", x, y, err)
	g.linef("%s, _, %s = %s(%d)", x, err, f, g.rng.IntN(4))
	g.linef("fmt.Println(%s, %s != nil)", x, err)
	g.add(x, a)
	g.add(y, b)
}

// compareStructs compares values of a type written out, as values and in interfaces.
func (g *gen) compareStructs() {
	t := g.anyType(1)
	for range 3 {
		if t.comparable() {
			break
		}
		t = g.anyType(1)
	}
	if !t.comparable() {
		return
	}
	a, b := g.local(t), g.local(t)
	g.linef("fmt.Println(%s == %s, any(%s) == any(%s), [1]%s{%s} == [1]%s{%s})", a.name, b.name, a.name, b.name, t, a.name, t, b.name)
	g.linef("fmt.Println(map[any]int{%s: 1}[%s], map[%s]bool{%s: true}[%s])", a.name, b.name, t, a.name, a.name)
}

func (g *gen) ifStatement() {
	if g.chance(40) {
		t := g.anyType(1)
		x := g.fresh("x")
		g.linef("if %s := (%s); (%s) {", x, g.typed(t, g.expr(t, 1)), g.expr(tBool, 2))
		g.block(func() {
			g.print(g.add(x, t))
			g.statements()
		})
	} else {
		g.linef("if (%s) {", g.expr(tBool, 2)) // in parentheses for composite literals
		g.statements()
	}
	if g.chance(50) {
		g.linef("} else {")
		g.statements()
	}
	g.linef("}")
}
