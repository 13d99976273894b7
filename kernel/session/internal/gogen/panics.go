package gogen

// panicStatement calls a function that panics, and prints what is recovered.
func (g *gen) panicStatement() {
	f := g.fresh("f")
	t := g.anyType(1)
	g.linef("%s := func(i int) (out %s, err error) {", f, t)
	g.linef("defer func() {\nif r := recover(); r != nil {\nerr = errors.New(report(r))\n}\n}()")
	g.linef("out = %s", g.expr(t, 1))
	g.block(func() { g.cause() })
	g.linef("return out, nil\n}")
	g.linef("fmt.Println(%s(%d))", f, g.rng.IntN(5))
}

// cause writes a statement that panics where i is large.
func (g *gen) cause() {
	t := g.anyType(1)
	switch g.rng.IntN(14) {
	case 0:
		g.linef("s := []int{1, 2}\nfmt.Println(s[i])")
	case 1:
		g.linef("a := [2]string{\"x\", \"y\"}\na[i] = \"z\"")
	case 2:
		g.linef("s := \"abc\"\nfmt.Println(s[i:2])")
	case 3:
		g.linef("fmt.Println(100 / (2 - i))")
	case 4:
		g.linef("var m map[string]%s\nif i > 1 {\nm[\"k\"] = %s\n}", t, g.expr(t, 1))
	case 5:
		g.linef("var p *struct{ X, Y %s }\nif i > 1 {\nfmt.Println(p.Y)\n}", t)
	case 6:
		u := g.anyType(0)
		g.linef("var x any = %s\nif i > 1 {\nfmt.Println(x.(%s))\n}", g.typed(t, g.expr(t, 1)), u)
	case 7:
		g.linef("if i > 1 {\npanic(%s)\n}", g.typed(t, g.expr(t, 1)))
	case 8:
		g.linef("if i > 1 {\npanic(fmt.Errorf(\"own %%d\", i))\n}")
	case 9:
		g.linef("c := make(chan int, 1)\nclose(c)\nif i > 1 {\nclose(c)\n}")
	case 10:
		g.linef("fmt.Println(len(make([]int, 2-i)))")
	case 11:
		g.linef("x, y := any([]int{1}), any([]int{1})\nif i > 1 {\nfmt.Println(x == y)\n}")
	case 12:
		g.linef("m := map[any]int{}\nif i > 1 {\nm[func() {}] = 1\n}")
	default:
		g.linef("var f func(int) int\nif i > 1 {\nfmt.Println(f(1))\n}")
	}
}

// deferStatement writes a function whose deferred calls change its result.
func (g *gen) deferStatement() {
	f := g.fresh("f")
	t := g.anyType(1)
	g.linef("%s := func() (out %s) {", f, t)
	g.linef("for i := range %d {\ndefer func(n int) { mark(fmt.Sprint(\"defer \", n, i)) }(i * 10)\n}", 1+g.rng.IntN(3))
	switch g.rng.IntN(3) {
	case 0:
		g.linef("defer func() { out = %s }()", g.expr(t, 1))
	case 1:
		g.linef("defer func() {\nif recover() != nil {\nout = %s\n}\n}()", g.expr(t, 1))
		g.linef("defer func() {\ndefer mark(\"inner\")\npanic(\"second\")\n}()")
	default:
		g.linef("defer fmt.Println(\"printed when it is over\", %s)", g.typed(t, g.expr(t, 1)))
	}
	if g.chance(40) {
		v, m := "", ""
		for _, w := range g.scope {
			if w.typ.has("Name", true) && w.typ.kind != iface {
				v, m = w.name, "Name"
			}
		}
		if v != "" {
			g.linef("defer %s.%s()", v, m)
		}
	}
	g.linef("return %s\n}", g.expr(t, 1))
	g.linef("fmt.Println(%s())\nfmt.Println(trail)\ntrail = nil", f)
}

// errorStatement wraps errors and finds them again.
func (g *gen) errorStatement() {
	base, e := g.fresh("e"), g.fresh("e")
	g.linef("%s := errors.New(%q)", base, "base "+base)
	var own *typ
	for _, t := range g.types {
		if t.kind != iface && t.has("Error", false) && (own == nil || g.chance(50)) {
			own = t
		}
	}
	if own == nil {
		g.linef("%s := fmt.Errorf(\"wrapped: %%w\", %s)", e, base)
		g.linef("fmt.Println(%s, errors.Is(%s, %s), errors.Unwrap(%s) == %s)", e, e, base, e, base)
		g.linef("fmt.Println(errors.Join(%s, nil, %s))", base, e)
		return
	}
	x := g.local(own)
	g.linef("%s := fmt.Errorf(\"%%w and %%w\", %s, %s)", e, base, x.name)
	target := g.fresh("t")
	g.linef("var %s %s", target, own)
	if g.chance(60) {
		g.linef("fmt.Println(errors.As(%s, &%s), %s)", e, target, target)
	} else {
		found, ok := g.fresh("found"), g.fresh("ok")
		g.linef("%s, %s := error(%s).(%s)\nfmt.Println(%s, %s)", found, ok, x.name, own, found, ok)
		g.linef("_ = %s", target)
	}
	if own.comparable() {
		g.linef("fmt.Println(errors.Is(%s, %s), errors.Is(%s, %s))", e, base, e, x.name)
	}
	g.show("%v %T", e, e)
}
