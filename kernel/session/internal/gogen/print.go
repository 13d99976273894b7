package gogen

import (
	"fmt"
	"strings"
)

// verbs are those that every value takes; the others are for some kinds, and print that they are wrong elsewhere.
var (
	verbs   = []string{"%v", "%+v", "%#v", "%T", "%v", "%T"}
	fitting = map[kind][]string{
		boolean: {"%t"}, integer: {"%d", "%x", "%o", "%c", "%5d|", "%-4d|", "%+d", "%b", "%U"}, float: {"%g", "%.2f", "%e", "%8.3f|"},
		complexNumber: {"%.1f", "%g"}, text: {"%s", "%q", "%x", "%10s|", "%-6q|", "%.2s"}, slice: {"%d", "%s", "%q", "%x"}, array: {"%d", "%s"},
		mapping: {"%d", "%s", "%q"}, structure: {"%d", "%s", "%q"}, iface: {"%d", "%s", "%q"},
	}
)

// verb returns a verb that every value takes.
func (g *gen) verb() string {
	if g.plain {
		return "%v"
	}
	return pick(g, verbs)
}

// print prints a variable.
func (g *gen) print(v variable) { g.printAll(v) }

// printAll prints variables, with verbs or without.
func (g *gen) printAll(vs ...variable) {
	if g.chance(30) {
		var names []string
		for _, v := range vs {
			names = append(names, g.shown(v))
		}
		g.linef("fmt.Println(%s)", strings.Join(names, ", "))
		return
	}
	var format, args []string
	for _, v := range vs {
		name := g.shown(v)
		for range 1 + g.rng.IntN(2) {
			verb := g.verb()
			if list := fitting[v.typ.kind]; len(list) > 0 && g.chance(30) && (v.typ.kind <= text || !g.plain) {
				verb = pick(g, list)
			}
			format = append(format, verb)
			args = append(args, name)
		}
	}
	g.linef("fmt.Printf(%q, %s)", vs[0].name+" "+strings.Join(format, " ")+"\n", strings.Join(args, ", "))
}

// shown returns what is printed for a variable: itself, or something that holds it.
func (g *gen) shown(v variable) string {
	t := v.typ
	switch n := g.rng.IntN(12); {
	case n == 0:
		return fmt.Sprintf("[]any{%s, 1}", v.name)
	case n == 1:
		return fmt.Sprintf("[]%s{%s}", t, v.name)
	case n == 2:
		return fmt.Sprintf("map[string]%s{\"k\": %s}", t, v.name)
	case n == 3:
		return fmt.Sprintf("struct {\nA %s\nb any\n}{%s, %s}", t, v.name, v.name)
	case n == 4 && t.kind == structure:
		return "&" + v.name
	case n == 5:
		return fmt.Sprintf("any(%s)", v.name)
	}
	return v.name
}

// show prints expressions, each with its verb. In a plain program those with another verb than %v are only evaluated.
func (g *gen) show(verbs string, exprs ...string) {
	var format, args []string
	for i, verb := range strings.Fields(verbs) {
		if g.plain && strings.HasPrefix(verb, "%") && verb != "%v" && verb != "%t" {
			g.linef("_ = %s", exprs[i])
			continue
		}
		format, args = append(format, verb), append(args, exprs[i])
	}
	if len(args) > 0 {
		g.linef("fmt.Printf(%q, %s)", strings.Join(format, " ")+"\n", strings.Join(args, ", "))
	}
}
