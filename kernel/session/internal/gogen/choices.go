package gogen

import (
	"strings"
)

// switchStatement writes a switch over a value or over conditions, with fallthrough and breaks.
func (g *gen) switchStatement() {
	if g.chance(40) {
		g.linef("switch {")
		for range 1 + g.rng.IntN(3) {
			g.linef("case %s, %s:", g.expr(tBool, 2), g.varying(tBool, 1))
			g.clause()
		}
	} else {
		t := pick(g, append([]*typ{tInt, tString, tAny}, g.types...))
		if !t.comparable() {
			t = tString
		}
		tag := g.expr(t, 1)
		if g.chance(30) {
			g.linef("switch x := (%s); x {", g.typed(t, tag))
		} else {
			g.linef("switch (%s) {", g.typed(t, tag))
		}
		// Cases are variables: two equal constants do not compile.
		for range 1 + g.rng.IntN(3) {
			var list []string
			for range 1 + g.rng.IntN(2) {
				list = append(list, g.varying(t, 1))
			}
			g.linef("case %s:", strings.Join(list, ", "))
			g.clause()
		}
	}
	g.linef("default:\nfmt.Println(\"default\")\n}")
}

// clause writes the body of a case that is not the last one.
func (g *gen) clause() {
	g.linef("fmt.Println(%q)", g.fresh("case"))
	if g.chance(40) {
		g.statements()
	}
	switch g.rng.IntN(6) {
	case 0:
		g.linef("fallthrough")
	case 1:
		g.linef("if (%s) {\nbreak\n}\nfmt.Println(\"stays\")", g.expr(tBool, 1))
	}
}

// typeSwitch writes a type switch over an interface that holds something.
func (g *gen) typeSwitch() {
	v := g.fresh("v")
	var holds *typ
	if len(g.types) > 0 && g.chance(70) {
		holds = pick(g, g.types)
		x := g.local(holds)
		ref := ""
		if g.chance(25) {
			ref = "&"
		}
		g.linef("var %s any = %s%s", v, ref, x.name)
	} else {
		g.linef("var %s any = %s", v, pick(g, []string{"nil", g.dynamic(tAny, 2), g.dynamic(tAny, 1)}))
	}
	bound := g.chance(70)
	if bound {
		g.linef("switch x := %s.(type) {", v)
	} else {
		g.linef("switch %s.(type) {", v)
	}
	candidates := []*typ{tInt, tString, tError, {kind: iface, name: "fmt.Stringer"}, tBool, {kind: slice, elem: tInt}, {kind: mapping, key: tString, elem: tInt}}
	candidates = append(candidates, g.types...)
	candidates = append(candidates, g.types...)
	for _, t := range g.types {
		candidates = append(candidates, &typ{kind: pointer, elem: t})
	}
	candidates = append(candidates, g.ifaces...)
	seen := map[string]bool{}
	for range 2 + g.rng.IntN(4) {
		var names []string
		for range 1 + g.rng.IntN(2) {
			if t := pick(g, candidates); !seen[t.String()] {
				seen[t.String()] = true
				names = append(names, t.String())
			}
		}
		if len(names) == 0 {
			continue
		}
		g.linef("case %s:", strings.Join(names, ", "))
		if bound {
			g.linef("fmt.Println(%q)", strings.Join(names, "|"))
			g.show("%T", "x")
		} else {
			g.linef("fmt.Println(%q)", strings.Join(names, "|"))
		}
	}
	if bound {
		g.linef("case nil:\nfmt.Println(\"nil\", x == nil)\ndefault:\nfmt.Println(\"default\")")
		g.show("%T", "x")
		g.linef("}")
	} else {
		g.linef("case nil:\nfmt.Println(\"nil\")\ndefault:\nfmt.Println(\"default\")\n}")
	}
}

// selectStatement writes a select of which one case is ready.
func (g *gen) selectStatement() {
	t := g.anyType(1)
	a, b := g.fresh("c"), g.fresh("c")
	g.linef("%s, %s := make(chan %s, 1), make(chan int)", a, b, t)
	switch g.rng.IntN(4) {
	case 0:
		g.linef("%s <- %s", a, g.expr(t, 1))
		g.linef("select {\ncase x, ok := <-%s:\nfmt.Println(x, ok)\ncase y := <-%s:\nfmt.Println(y)\n}", a, b)
	case 1:
		g.linef("select {\ncase %s <- %s:\nfmt.Println(\"sent\", len(%s))\ncase <-%s:\nfmt.Println(\"received\")\n}", a, g.expr(t, 1), a, b)
		g.linef("fmt.Println(<-%s)", a)
	case 2:
		g.linef("close(%s)", b)
		g.linef("select {\ncase x := <-%s:\nfmt.Println(x)\ncase x, ok := <-%s:\nfmt.Println(x, ok)\n}", a, b)
	default:
		s, ok := g.fresh("s"), g.fresh("ok")
		g.linef("var %s struct{ x %s }\nvar %s bool\n_ = %s", s, t, ok, b)
		g.linef("for range 2 {\nselect {\ncase %s.x, %s = <-%s:\nfmt.Println(%s.x, %s)\ndefault:\nfmt.Println(\"none\")\n}", s, ok, a, s, ok)
		g.linef("select {\ncase %s <- %s:\ndefault:\n}\n}", a, g.expr(t, 1))
	}
}

// gotoStatement jumps backwards and forwards.
func (g *gen) gotoStatement() {
	label := g.fresh("label")
	n := g.fresh("n")
	g.linef("%s := 0", n)
	g.linef("%s:\n%s++\nfmt.Print(%s, \" \")\nif %s < %d {\ngoto %s\n}", label, n, n, n, 1+g.rng.IntN(3), label)
	g.linef("if %s == 2 {\ngoto %sb\n}", n, label)
	g.linef("fmt.Print(\"not two\")\n%sb:\nfmt.Println()", label)
}

// goroutines starts goroutines and waits for them.
func (g *gen) goroutines() {
	t := g.anyType(0)
	out, wg := g.fresh("out"), g.fresh("wg")
	switch g.rng.IntN(3) {
	case 0:
		g.linef("%s := make([]%s, 3)\nvar %s sync.WaitGroup", out, t, wg)
		g.linef("for i := range %s {\n%s.Add(1)\ngo func() {\ndefer %s.Done()\n%s[i] = %s\n}()\n}", out, wg, wg, out, g.literal(t, 1))
		g.linef("%s.Wait()\nfmt.Println(%s)", wg, out)
	case 1:
		g.linef("%s := make(chan %s)", out, t)
		g.linef("go func(x %s, c chan<- %s) { c <- x }(%s, %s)", t, t, g.expr(t, 1), out)
		g.linef("fmt.Println(<-%s)", out)
	default:
		mu := g.fresh("mu")
		g.linef("var %s sync.Mutex\nvar %s sync.WaitGroup\n%s := map[int]%s{}", mu, wg, out, t)
		g.linef("for i := range 3 {\n%s.Go(func() {\n%s.Lock()\ndefer %s.Unlock()\n%s[i] = %s\n})\n}", wg, mu, mu, out, g.literal(t, 1))
		g.linef("%s.Wait()\nfmt.Println(%s)", wg, out)
	}
}
