package gogen

import (
	"fmt"
	"slices"
	"strings"
)

// declareTypes declares types of every underlying kind, each with some of the methods of the pool.
func (g *gen) declareTypes() {
	for range 1 + g.rng.IntN(maxTypes) {
		g.declareType()
	}
}

func (g *gen) declareType() {
	var under *typ
	switch g.rng.IntN(10) {
	case 0, 1, 2:
		under = pick(g, basics)
	case 3, 4, 5, 6:
		under = g.structType()
	default:
		under = g.compositeType()
	}
	t := *under
	t.name, t.under, t.methods = g.fresh("T"), under, nil
	decl := fmt.Sprintf("type %s %s\n\n", t.name, under)
	pool := slices.Clone(methodPool)
	g.rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	var bodies []*method
	for _, sig := range pool[:g.rng.IntN(len(pool))] {
		if sig.name == "Error" && g.chance(60) || g.plain && sig.result == tString && sig.name != "Name" {
			continue
		}
		// The method is not one of the type's while the bodies are written, or they would call each other for ever.
		bodies = append(bodies, &method{sig, sig.name == "Grow" || g.chance(25)})
	}
	for _, m := range bodies {
		decl += g.methodDecl(&t, m)
	}
	t.methods = bodies
	g.types = append(g.types, &t)
	g.decls = append(g.decls, decl)
}

// structType returns a struct type with up to four fields; one of them may be embedded.
func (g *gen) structType() *typ {
	t := &typ{kind: structure}
	if len(g.types) > 0 && g.chance(40) {
		e := pick(g, g.types)
		if e.kind != iface {
			t.fields = append(t.fields, field{e.name, e, true})
		}
	}
	for range 1 + g.rng.IntN(3) {
		name := g.fresh(pick(g, []string{"f", "F"}))
		t.fields = append(t.fields, field{name: name, typ: g.anyType(1)})
	}
	return t
}

// compositeType returns a type to be declared.
func (g *gen) compositeType() *typ {
	elem := g.anyType(1)
	switch g.rng.IntN(4) {
	case 0:
		return &typ{kind: slice, elem: elem}
	case 1:
		return &typ{kind: array, elem: elem, size: 1 + g.rng.IntN(3)}
	case 2:
		return &typ{kind: mapping, key: g.keyType(), elem: elem}
	default:
		return g.structType()
	}
}

// keyType returns a type for keys of maps; interfaces among them.
func (g *gen) keyType() *typ {
	switch g.rng.IntN(5) {
	case 0:
		return tAny
	case 1, 2:
		t := g.anyType(0)
		if t.comparable() && t.kind != float && t.kind != complexNumber {
			return t
		}
	}
	return pick(g, []*typ{tString, tInt, tByte, tBool})
}

// anyType returns a type of which values can be printed: declared, predeclared or composite, up to a depth.
func (g *gen) anyType(depth int) *typ {
	switch n := g.rng.IntN(10); {
	case n < 3 && len(g.types) > 0:
		return pick(g, g.types)
	case n < 5 && depth > 0:
		return g.unnamedType(depth - 1)
	case n == 5:
		return tAny
	}
	return pick(g, basics)
}

// unnamedType returns a composite type for use without a declaration.
func (g *gen) unnamedType(depth int) *typ {
	elem := g.anyType(depth)
	switch g.rng.IntN(7) {
	case 0, 1, 2:
		return &typ{kind: slice, elem: elem}
	case 3, 4:
		return &typ{kind: array, elem: elem, size: 1 + g.rng.IntN(3)}
	case 5:
		return &typ{kind: structure, fields: []field{{name: g.fresh("f"), typ: elem}, {name: g.fresh("F"), typ: pick(g, basics)}}}
	default:
		return &typ{kind: mapping, key: g.keyType(), elem: elem}
	}
}

// methodDecl writes a method. String and Error print the underlying value, or they would call themselves.
func (g *gen) methodDecl(t *typ, m *method) string {
	recv := t.name
	self := "r"
	if m.pointer {
		recv, self = "*"+t.name, "(*r)"
	}
	g.scope = nil
	var params []string
	for _, p := range m.params {
		v := g.add(g.fresh("p"), p)
		params = append(params, v.name+" "+p.String())
	}
	head := fmt.Sprintf("func (r %s) %s(%s)", recv, m.name, strings.Join(params, ", "))
	if m.result != nil {
		head += " " + m.result.String()
	}
	body := g.capture(func() {
		switch {
		case m.name == "Grow":
			g.growBody(t, g.scope[0].name)
		case m.result == tString:
			g.linef("return %q + fmt.Sprint(%s) + \">\"", t.name+"."+m.name+"<", g.withoutMethods(t, self))
		default:
			if !m.pointer {
				g.add("r", t)
			}
			if g.chance(30) {
				g.linef("mark(%q)", t.name+"."+m.name)
			}
			g.linef("return %s", g.expr(m.result, 2))
		}
	})
	return fmt.Sprintf("%s {\n%s}\n\n", head, body)
}

// withoutMethods returns an expression for printing a value of a declared type without its own methods.
func (g *gen) withoutMethods(t *typ, self string) string {
	if t.kind == structure {
		for _, f := range t.fields {
			if !f.embedded {
				return self + "." + f.name
			}
		}
		return `"empty"`
	}
	return fmt.Sprintf("%s(%s)", conversionName(t.under), self)
}

// conversionName returns a type as what is converted to: in parentheses where the syntax asks for them.
func conversionName(t *typ) string {
	switch s := t.String(); {
	case t.name == "" && (t.kind == pointer || t.kind == function || t.kind == channel):
		return "(" + s + ")"
	default:
		return s
	}
}

// growBody writes the body of a method with a pointer receiver that changes it.
func (g *gen) growBody(t *typ, by string) {
	switch t.kind {
	case integer, float:
		g.linef("*r += %s(%s)", t.name, by)
	case complexNumber:
		g.linef("*r *= 2")
	case text:
		g.linef("*r += %s(fmt.Sprint(%s))", t.name, by)
	case boolean:
		g.linef("*r = !*r")
	case slice:
		g.linef("*r = append(*r, %s)", g.expr(t.elem, 1))
	case array:
		g.linef("r[%d] = %s", g.rng.IntN(t.size), g.expr(t.elem, 1))
		g.linef("for i := range r {\nr[i] = (*r)[0]\n}")
	case mapping:
		g.linef("if *r == nil {\n*r = %s{}\n}", t.name)
		g.linef("clear(*r)")
		g.linef("(*r)[%s] = %s", g.literal(t.key, 0), g.expr(t.elem, 1))
	case structure:
		f := pick(g, t.fields)
		g.linef("r.%s = %s", f.name, g.expr(f.typ, 1))
	default:
		g.linef("_ = r")
	}
}

// declareInterfaces declares interfaces of methods of the pool that types have.
func (g *gen) declareInterfaces() {
	for range g.rng.IntN(3) {
		t := &typ{kind: iface, name: g.fresh("I")}
		var lines []string
		if len(g.ifaces) > 0 && g.chance(30) {
			e := pick(g, g.ifaces)
			lines = append(lines, e.name)
			t.methods = append(t.methods, e.methods...)
		}
		for range 1 + g.rng.IntN(2) {
			sig := pick(g, methodPool)
			if t.method(sig.name) != nil {
				continue
			}
			t.methods = append(t.methods, &method{signature: sig})
			line := sig.name + "(" + list(sig.params) + ")"
			if sig.result != nil {
				line += " " + sig.result.String()
			}
			lines = append(lines, line)
		}
		g.ifaces = append(g.ifaces, t)
		g.decls = append(g.decls, fmt.Sprintf("type %s interface {\n%s\n}\n", t.name, strings.Join(lines, "\n")))
	}
}

// implements reports whether t, or *t, has the methods of an interface.
func (t *typ) implements(i *typ, ptr bool) bool {
	if i.name == "error" {
		return t.has("Error", ptr)
	}
	for _, m := range i.methods {
		if !t.has(m.name, ptr) {
			return false
		}
	}
	return true
}

// declareConsts declares constants, with iota and without.
func (g *gen) declareConsts() {
	if g.chance(50) {
		t := tInt
		for _, d := range g.types {
			if d.kind == integer {
				t = d
			}
		}
		a, b, c := g.fresh("c"), g.fresh("c"), g.fresh("c")
		form := pick(g, []string{"iota", "iota + 1", "1 << iota", "iota * 3", "-iota"})
		if !t.signed && strings.HasPrefix(form, "-") {
			form = "iota"
		}
		g.decls = append(g.decls, fmt.Sprintf("const (\n%s %s = %s\n%s\n_\n%s\n)\n", a, t, form, b, c))
		for _, name := range []string{a, b, c} {
			g.consts = append(g.consts, constant{name, t})
		}
	}
	for range g.rng.IntN(3) {
		name := g.fresh("c")
		t := pick(g, basics)
		if t.kind == boolean || t.kind == complexNumber {
			t = tInt
		}
		g.decls = append(g.decls, fmt.Sprintf("const %s %s = %s\n", name, t, g.literal(t, 0)))
		g.consts = append(g.consts, constant{name, t})
	}
}

// global returns the name of a variable of a predeclared type that nobody assigns to: what is not constant to the
// compiler.
func (g *gen) global(t *typ) string {
	for _, v := range g.globals {
		if v.typ.same(t) {
			return v.name
		}
	}
	v := variable{g.fresh("g"), t}
	g.globals = append(g.globals, v)
	g.decls = append(g.decls, fmt.Sprintf("var %s %s = %s\n", v.name, t, g.literal(t, 1)))
	return v.name
}

// declareFuncs declares functions.
func (g *gen) declareFuncs() {
	for range g.rng.IntN(maxFuncs + 1) {
		f := &fn{name: g.fresh("fn"), result: g.anyType(1)}
		g.scope = nil
		var params []string
		for range g.rng.IntN(3) {
			v := g.add(g.fresh("p"), g.anyType(1))
			f.params = append(f.params, v.typ)
			params = append(params, v.name+" "+v.typ.String())
		}
		if g.chance(30) {
			elem := g.anyType(0)
			v := g.add(g.fresh("p"), &typ{kind: slice, elem: elem})
			f.params, f.variadic = append(f.params, v.typ), true
			params = append(params, v.name+" ..."+elem.String())
		}
		body := g.capture(func() {
			if g.chance(40) {
				g.linef("mark(%q)", f.name)
			}
			if g.chance(50) {
				g.linef("if (%s) {\nreturn %s\n}", g.expr(tBool, 2), g.expr(f.result, 1))
			}
			g.linef("return %s", g.expr(f.result, 2))
		})
		g.funcs = append(g.funcs, f)
		g.decls = append(g.decls, fmt.Sprintf("func %s(%s) %s {\n%s}\n", f.name, strings.Join(params, ", "), f.result, body))
	}
}
