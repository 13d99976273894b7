package gogen

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// expr returns an expression of a type, with subexpressions up to a depth.
func (g *gen) expr(t *typ, depth int) string {
	if depth <= 0 {
		return g.leaf(t)
	}
	forms := []func(*typ, int) string{g.leafAt, g.operation, g.operation, g.call, g.component, g.generic, g.odd}
	for range 4 {
		if e := pick(g, forms)(t, depth); e != "" {
			return e
		}
	}
	return g.leaf(t)
}

// leafAt is leaf as one of the forms of expressions.
func (g *gen) leafAt(t *typ, _ int) string { return g.leaf(t) }

// leaf returns a variable, a constant or a literal.
func (g *gen) leaf(t *typ) string {
	if vs := g.variables(t.same); len(vs) > 0 && g.chance(60) {
		return pick(g, vs).name
	}
	if g.chance(30) {
		for _, c := range g.consts {
			if c.typ.same(t) {
				return c.name
			}
		}
	}
	return g.literal(t, 1)
}

// varying returns an expression that the compiler does not know the value of: operations on constants are constants, and
// must not overflow.
func (g *gen) varying(t *typ, depth int) string {
	if vs := g.variables(t.same); len(vs) > 0 && g.chance(80) {
		return pick(g, vs).name
	}
	if depth > 0 {
		if e := g.call(t, depth-1); e != "" {
			return e
		}
	}
	if t.under == nil && t.kind <= text {
		return g.global(t)
	}
	if t.under != nil && t.kind <= text {
		return fmt.Sprintf("%s(%s)", t.name, g.global(t.under))
	}
	g.generics["id"] = true
	return fmt.Sprintf("id(%s)", g.typed(t, g.literal(t, depth)))
}

// typed gives an expression its type where it may be an untyped constant, or of a type that implements t.
func (g *gen) typed(t *typ, e string) string {
	if t.kind <= text || t.kind == iface {
		return fmt.Sprintf("%s(%s)", t, e)
	}
	return e
}

// literal returns a value written out. An element is left out where it is zero, or the depth is over, now and then.
func (g *gen) literal(t *typ, depth int) string {
	switch t.kind {
	case boolean:
		return pick(g, []string{"true", "false"})
	case integer, float:
		n := g.number(t)
		if t.under != nil && g.chance(50) {
			return fmt.Sprintf("%s(%s)", t.name, n)
		}
		return n
	case complexNumber:
		return fmt.Sprintf("%s(complex(%d, %d))", t, g.rng.IntN(9)-4, g.rng.IntN(9)-4)
	case text:
		return strconv.Quote(g.string())
	case slice:
		if g.chance(10) {
			return fmt.Sprintf("%s(nil)", conversionName(t))
		}
		return fmt.Sprintf("%s{%s}", t, g.elements(t.elem, g.rng.IntN(4), depth-1))
	case array:
		if g.chance(15) {
			return fmt.Sprintf("%s{%d: %s}", t, t.size-1, g.element(t.elem, depth-1))
		}
		return fmt.Sprintf("%s{%s}", t, g.elements(t.elem, g.rng.IntN(t.size+1), depth-1))
	case mapping:
		if g.chance(10) {
			return fmt.Sprintf("%s(nil)", conversionName(t))
		}
		var parts []string
		for i := range g.rng.IntN(3) {
			if key := g.key(t.key, i); key != "" {
				parts = append(parts, key+": "+g.element(t.elem, depth-1))
			}
		}
		return fmt.Sprintf("%s{%s}", t, strings.Join(parts, ", "))
	case structure:
		var parts []string
		for _, f := range t.fields {
			if g.chance(80) {
				parts = append(parts, fmt.Sprintf("%s: %s", f.name, g.element(f.typ, depth-1)))
			}
		}
		return fmt.Sprintf("%s{%s}", t, strings.Join(parts, ", "))
	case iface:
		return g.dynamic(t, depth)
	}
	panic("gogen: no literal of type " + t.String())
}

func (g *gen) elements(t *typ, n, depth int) string {
	var parts []string
	for range n {
		parts = append(parts, g.element(t, depth))
	}
	return strings.Join(parts, ", ")
}

func (g *gen) element(t *typ, depth int) string {
	if depth > 0 && g.chance(40) {
		return g.expr(t, depth)
	}
	return g.literal(t, depth)
}

// key returns the i-th of some keys that differ; empty where there is none left.
func (g *gen) key(t *typ, i int) string {
	switch t.kind {
	case boolean:
		return []string{fmt.Sprintf("%s(true)", t), fmt.Sprintf("%s(false)", t), ""}[i]
	case integer, float:
		return fmt.Sprintf("%s(%d)", t, i+g.rng.IntN(3)*3)
	case text:
		return fmt.Sprintf("%s(%q)", t, g.string()+strconv.Itoa(i))
	case iface:
		return []string{fmt.Sprintf("int(%d)", g.rng.IntN(9)), strconv.Quote(g.string()), "uint8(1)"}[i]
	}
	if i > 0 {
		return "" // two literals of a composite type may be equal
	}
	return g.literal(t, 1)
}

// number returns a number that is a value of type t, the limits of it not seldom.
func (g *gen) number(t *typ) string {
	if t.kind == float {
		return pick(g, []string{"0", "0.5", "-1.25", "3", "1e3", "100.125", "-0.0625"})
	}
	small := strconv.Itoa(g.rng.IntN(20))
	if t.signed {
		low := strconv.FormatInt(math.MinInt64>>(64-t.bits), 10)
		high := strconv.FormatInt(math.MaxInt64>>(64-t.bits), 10)
		return pick(g, []string{small, small, small, "-" + small, "-1", low, high})
	}
	return pick(g, []string{small, small, small, "0", "1", strconv.FormatUint(math.MaxUint64>>(64-t.bits), 10)})
}

func (g *gen) string() string {
	return pick(g, []string{"", "a", "xyz", "Hello, ", "zwölf", "日本", "a\tb", "\"q\"", "%d", "é", "z\x00", "\xff", "longer text"})
}

// dynamic returns a value for an interface: of any type, or of a type that has the methods.
func (g *gen) dynamic(t *typ, depth int) string {
	if t.name == "error" {
		return fmt.Sprintf("fmt.Errorf(%q, %s)", "e %v", g.literal(tInt, 0))
	}
	if t.name == "any" {
		u := pick(g, basics)
		if depth > 0 && g.chance(60) {
			u = g.anyType(1)
		}
		if u.kind == iface {
			u = tInt
		}
		return g.typed(u, g.literal(u, depth-1))
	}
	for _, u := range g.types {
		if u.implements(t, false) && g.chance(70) {
			return g.typed(u, g.literal(u, depth-1))
		}
	}
	return fmt.Sprintf("%s(nil)", t)
}

// operation returns an operation with operators.
func (g *gen) operation(t *typ, depth int) string {
	left := func() string { return g.varying(t, depth-1) }
	right := func() string { return g.expr(t, depth-1) }
	switch t.kind {
	case boolean:
		return g.condition(t, depth)
	case integer:
		switch g.rng.IntN(9) {
		case 0, 1, 2:
			return fmt.Sprintf("(%s %s %s)", left(), pick(g, []string{"+", "-", "*"}), right())
		case 3:
			return fmt.Sprintf("(%s %s %s)", left(), pick(g, []string{"&", "|", "^", "&^"}), right())
		case 4:
			return fmt.Sprintf("(%s %s %s)", left(), pick(g, []string{"/", "%"}), g.varying(t, depth-1))
		case 5:
			return fmt.Sprintf("(%s %s %s)", left(), pick(g, []string{"<<", ">>"}), g.shiftCount())
		case 6:
			return fmt.Sprintf("(%s%s)", pick(g, []string{"-", "^", "+"}), left())
		case 7:
			from := pick(g, integers)
			return fmt.Sprintf("%s(%s)", t, g.varying(from, depth-1))
		default:
			return g.length(t)
		}
	case float:
		if g.chance(25) {
			return fmt.Sprintf("%s(%s)", t, g.varying(pick(g, integers), depth-1))
		}
		if g.chance(15) {
			return fmt.Sprintf("(-%s)", left()) // 0 becomes -0
		}
		// The conversion keeps compiled code from fusing a product with a sum, which other code need not do.
		return fmt.Sprintf("%s(%s %s %s)", t, left(), pick(g, []string{"+", "-", "*", "/"}), g.nonzero(t))
	case complexNumber:
		if g.chance(30) {
			part := "float64"
			if t.bits == 64 {
				part = "float32"
			}
			return fmt.Sprintf("%s(complex(%s, %s(2)))", t, g.varying(&typ{kind: float, name: part, bits: t.bits / 2, signed: true}, 0), part)
		}
		return fmt.Sprintf("(%s %s %s)", left(), pick(g, []string{"+", "-"}), right())
	case text:
		switch g.rng.IntN(4) {
		case 0:
			return fmt.Sprintf("%s(%s)", t, g.varying(&typ{kind: slice, elem: tByte}, 0))
		case 1:
			return fmt.Sprintf("%s(%s[min(1, len(%[2]s)):])", t, g.stringVariable())
		default:
			return fmt.Sprintf("(%s + %s)", left(), right())
		}
	case slice:
		v := g.varying(t, 0)
		if g.chance(40) || strings.Contains(v, "(") {
			return fmt.Sprintf("append(%s{}, %s...)", t, v)
		}
		return fmt.Sprintf("append(%s, %s)[%s:]", v, g.expr(t.elem, depth-1), pick(g, []string{"", "0", "1", "len(" + v + ")"}))
	}
	return ""
}

// shiftCount returns a count of any integer type, larger than the number of bits now and then, never negative.
func (g *gen) shiftCount() string {
	if g.chance(60) {
		return strconv.Itoa(g.rng.IntN(70))
	}
	return fmt.Sprintf("(%s & 15)", g.varying(pick(g, integers), 0))
}

// nonzero returns a divisor.
func (g *gen) nonzero(t *typ) string {
	return fmt.Sprintf("(%s*%[1]s + 1)", g.floatVariable(t))
}

func (g *gen) floatVariable(t *typ) string {
	if vs := g.variables(t.same); len(vs) > 0 {
		return pick(g, vs).name
	}
	return g.varying(t, 0)
}

func (g *gen) stringVariable() string {
	if vs := g.variables(func(t *typ) bool { return t.kind == text }); len(vs) > 0 {
		return pick(g, vs).name
	}
	return g.global(tString)
}

// length returns the length or capacity of a variable. That of an array is a constant and not used.
func (g *gen) length(t *typ) string {
	vs := g.variables(func(t *typ) bool { return t.kind == slice || t.kind == mapping || t.kind == text })
	if len(vs) == 0 {
		return ""
	}
	return fmt.Sprintf("%s(len(%s))", t, pick(g, vs).name)
}

// condition returns a comparison, or an operation on them.
func (g *gen) condition(t *typ, depth int) string {
	convert := func(e string) string {
		if t.under != nil {
			return fmt.Sprintf("%s(%s)", t.name, e)
		}
		return e
	}
	switch g.rng.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.varying(t, depth-1), pick(g, []string{"&&", "||"}), g.expr(t, depth-1))
	case 1:
		return fmt.Sprintf("!%s", g.varying(t, depth-1))
	case 2:
		u := g.anyType(1)
		if !u.comparable() {
			return ""
		}
		return convert(fmt.Sprintf("(%s %s %s)", g.varying(u, depth-1), pick(g, []string{"==", "!="}), g.typed(u, g.operand(u, depth-1))))
	case 3: // an interface with a value of a concrete type
		u := g.anyType(1)
		if !u.comparable() || u.kind == iface {
			return ""
		}
		return convert(fmt.Sprintf("(%s == %s)", g.varying(tAny, depth-1), g.typed(u, g.operand(u, depth-1))))
	default:
		u := pick(g, basics)
		if !u.ordered() {
			u = tInt
		}
		return convert(fmt.Sprintf("(%s %s %s)", g.varying(u, depth-1), pick(g, []string{"<", "<=", ">", ">=", "==", "!="}), g.expr(u, depth-1)))
	}
}

// operand returns the right side of a comparison; a composite literal is in parentheses.
func (g *gen) operand(t *typ, depth int) string {
	if t.kind > text && t.kind != iface {
		return "(" + g.expr(t, depth) + ")"
	}
	return g.expr(t, depth)
}

// call returns a call of a declared function or a method that returns a t.
func (g *gen) call(t *typ, depth int) string {
	type callee struct {
		name     string
		params   []*typ
		variadic bool
	}
	var all []callee
	for _, f := range g.funcs {
		if f.result.same(t) {
			all = append(all, callee{f.name, f.params, f.variadic})
		}
	}
	for _, v := range g.variables(func(u *typ) bool { return len(u.methods) > 0 || u.kind == structure }) {
		for _, sig := range methodPool {
			// A method does not call one of its receiver: it might be itself.
			if m := v.typ.method(sig.name); m != nil && v.name != "r" && sig.result != nil && sig.result.same(t) && v.typ.kind != iface {
				all = append(all, callee{name: v.name + "." + sig.name, params: sig.params})
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	c := pick(g, all)
	var args []string
	for i, p := range c.params {
		if c.variadic && i == len(c.params)-1 {
			switch n := g.rng.IntN(4); {
			case n < 3:
				for range n {
					args = append(args, g.expr(p.elem, depth-1))
				}
			default:
				args = append(args, g.expr(p, depth-1)+"...")
			}
			continue
		}
		args = append(args, g.expr(p, depth-1))
	}
	return fmt.Sprintf("%s(%s)", c.name, strings.Join(args, ", "))
}

// component returns a part of a variable: a field, an element.
func (g *gen) component(t *typ, depth int) string {
	var all []string
	for _, v := range g.variables(func(*typ) bool { return true }) {
		g.parts(v.name, v.typ, 2, func(e string, u *typ) {
			if u.same(t) && e != v.name {
				all = append(all, e)
			}
		})
	}
	if len(all) == 0 {
		return ""
	}
	return pick(g, all)
}

// parts calls f with a variable and with its parts. Elements of slices may not be there; arrays have constant indices.
func (g *gen) parts(e string, t *typ, depth int, f func(e string, t *typ)) {
	f(e, t)
	if depth == 0 {
		return
	}
	switch t.kind {
	case structure:
		for _, field := range t.fields {
			g.parts(e+"."+field.name, field.typ, depth-1, f)
		}
	case array:
		g.parts(fmt.Sprintf("%s[%d]", e, g.rng.IntN(t.size)), t.elem, depth-1, f)
	case slice:
		if g.chance(30) {
			g.parts(fmt.Sprintf("%s[%d]", e, g.rng.IntN(3)), t.elem, depth-1, f)
		}
	case mapping:
		// What is in a map has no address: f sees the element, but not the parts that would be assigned to.
		f(fmt.Sprintf("%s[%s]", e, g.key(t.key, 0)), t.elem)
	}
}

// odd returns one of the forms that are seldom written in a program, but are in every interpreter's way.
func (g *gen) odd(t *typ, depth int) string {
	inner := func() string { return g.typed(t, g.expr(t, depth-1)) }
	switch g.rng.IntN(8) {
	case 0:
		return fmt.Sprintf("func() %s { return %s }()", t, g.expr(t, depth-1))
	case 1:
		name := g.fresh("a")
		return fmt.Sprintf("func(%s %s) (out %s) { out = %s; return }(%s)", name, t, t, name, g.expr(t, depth-1))
	case 2:
		if t.kind == iface {
			return ""
		}
		return fmt.Sprintf("any(%s).(%s)", inner(), t)
	case 3:
		return fmt.Sprintf("[]%s{%s}[0]", t, g.expr(t, depth-1))
	case 4:
		return fmt.Sprintf("map[string]%s{\"k\": %s}[\"k\"]", t, g.expr(t, depth-1))
	case 5:
		if t.under != nil && t.kind != iface {
			return fmt.Sprintf("%s(%s)", t.name, g.typed(t.under, g.literal(t.under, depth-1)))
		}
		return fmt.Sprintf("*func() *%s { x := %s; return &x }()", t, inner())
	case 6:
		return fmt.Sprintf("struct{ v %s }{%s}.v", t, g.expr(t, depth-1))
	default:
		if t.ordered() && t.kind != float {
			return fmt.Sprintf("%s(%s, %s)", pick(g, []string{"min", "max"}), g.varying(t, 0), g.expr(t, depth-1))
		}
		return fmt.Sprintf("*&[]%s{%s}[0]", t, g.expr(t, depth-1))
	}
}
