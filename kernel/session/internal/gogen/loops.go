package gogen

import "fmt"

// loop writes a loop of some form with a body that may leave it.
func (g *gen) loop() {
	forms := []func(){
		g.countingLoop, g.rangeInt, g.rangeSlice, g.rangeArray, g.rangeString, g.rangeMap, g.rangeFunc, g.rangeChannel,
		g.loopClosures, g.labelledLoops,
	}
	pick(g, forms)()
}

// loopBody writes the body of a loop; i is an int variable in it.
func (g *gen) loopBody(i string) {
	g.block(func() {
		g.add(i, tInt)
		if g.chance(40) {
			g.linef("if %s == %d {\n%s\n}", i, g.rng.IntN(4), pick(g, []string{"break", "continue", "fmt.Print(\"three \")"}))
		}
		if g.chance(60) {
			g.statements()
		}
	})
}

// countingLoop ends after some turns also where its body assigns to the variable.
func (g *gen) countingLoop() {
	i, turns := g.fresh("i"), g.fresh("turns")
	g.linef("%s := 0", turns)
	head := pick(g, []string{
		"for %[1]s := 0; %[1]s < 3; %[1]s++ {", "for %[1]s := 5; %[1]s > 1; %[1]s -= 2 {", "for %[1]s, j := 0, 9; %[1]s < j; %[1]s, j = %[1]s+3, j-1 {\n_ = j",
	})
	g.linef(head, i)
	g.linef("if %s++; %[1]s > 6 {\nbreak\n}", turns)
	g.linef("fmt.Print(%s, \" \")", i)
	g.loopBody(i)
	g.linef("}\nfmt.Println()")
}

func (g *gen) rangeInt() {
	i := g.fresh("i")
	switch g.rng.IntN(3) {
	case 0:
		g.linef("for %s := range %d {", i, g.rng.IntN(4))
	case 1:
		t := pick(g, integers)
		g.linef("for k := range %s(%d) {\n%s := int(k)", t, g.rng.IntN(4), i)
		g.show("%T", "k")
	default:
		g.linef("for %s := range len(%s) {", i, g.stringVariable())
	}
	g.linef("fmt.Print(%s, \" \")", i)
	g.loopBody(i)
	g.linef("}\nfmt.Println()")
}

func (g *gen) rangeSlice() {
	i, x := g.fresh("i"), g.fresh("x")
	v := g.target(func(t *typ) bool { return t.kind == slice }, func() *typ { return &typ{kind: slice, elem: g.anyType(1)} })
	if g.chance(30) { // to variables that are there
		g.linef("var %s int\nvar %s %s", i, x, v.typ.elem)
		g.linef("for %s, %s = range %s {\n_ = %s\n}", i, x, v.name, x)
		g.linef("fmt.Println(%s, %s)", i, x)
		return
	}
	g.linef("for %s, %s := range %s {\n_ = %s", i, x, v.name, i)
	g.block(func() {
		w := g.add(x, v.typ.elem)
		if g.chance(40) {
			g.linef("%s = %s", x, g.expr(w.typ, 1))
		}
		g.print(w)
		if g.chance(30) {
			g.linef("if %s == 0 {\n%s = append(%s, %s)\n}", i, v.name, v.name, x)
		}
		g.loopBody(i)
	})
	g.linef("}")
	g.print(v)
}

// rangeArray ranges over an array, which is copied, or over a pointer to it, which is not.
func (g *gen) rangeArray() {
	t := g.anyType(1)
	a, i, x := g.fresh("a"), g.fresh("i"), g.fresh("x")
	g.linef("%s := [3]%s{%s, %s}", a, t, g.expr(t, 1), g.expr(t, 1))
	g.linef("for %s, %s := range %s%s {", i, x, pick(g, []string{"", "&"}), a)
	g.block(func() {
		g.add(x, t)
		g.linef("%s[2] = %s", a, g.expr(t, 1))
		g.linef("fmt.Println(%s, %s)", i, x)
		g.loopBody(i)
	})
	g.linef("}")
}

func (g *gen) rangeString() {
	i, r := g.fresh("i"), g.fresh("r")
	g.linef("for %s, %s := range %s {", i, r, g.varying(tString, 0))
	g.linef("fmt.Print(%s, \":\", %s, \" \")", i, r)
	g.loopBody(i)
	g.linef("}\nfmt.Println()")
}

// rangeMap ranges over a map with one key: the order of more is random.
func (g *gen) rangeMap() {
	k, t := g.keyType(), g.anyType(1)
	m, key, x := g.fresh("m"), g.fresh("k"), g.fresh("x")
	g.linef("%s := map[%s]%s{%s: %s}", m, k, t, g.key(k, 0), g.expr(t, 1))
	g.linef("for %s, %s := range %s {", key, x, m)
	g.block(func() {
		g.printAll(g.add(key, k), g.add(x, t))
		g.linef("delete(%s, %s)", m, key)
	})
	g.linef("}\nfmt.Println(len(%s))", m)
}

// rangeFunc ranges over functions, with bodies that leave the loop in all ways.
func (g *gen) rangeFunc() {
	t := g.anyType(1)
	seq, f, i, x := g.fresh("seq"), g.fresh("f"), g.fresh("i"), g.fresh("x")
	g.linef("%s := func(yield func(int, %s) bool) {", seq, t)
	g.linef("defer mark(\"%s over\")", seq)
	g.linef("_ = yield(0, %s) && yield(1, %s) && yield(2, %s)\n}", g.expr(t, 1), g.expr(t, 1), g.expr(t, 1))
	leave := pick(g, []string{"break", "continue", "return \"left\"", "continue outer", "break outer", "mark(\"stays\")", "defer mark(\"deferred\")"})
	g.linef("%s := func() string {\nouter:\nfor n := range 2 {", f)
	g.linef("for %s, %s := range %s {", i, x, seq)
	g.linef("if %s == 1 {\n%s\n}", i, leave)
	g.linef("fmt.Println(n, %s, %s)", i, x)
	g.linef("}\nif n == 7 {\ncontinue outer\n}\n}\nreturn \"done\"\n}")
	g.linef("fmt.Println(%s())", f)
	g.linef("fmt.Println(trail)\ntrail = nil")
}

func (g *gen) rangeChannel() {
	t := g.anyType(1)
	c, x := g.fresh("c"), g.fresh("x")
	g.linef("%s := make(chan %s, 3)", c, t)
	if g.chance(50) {
		g.linef("go func() {\ndefer close(%s)\n%s <- %s\n%s <- %s\n}()", c, c, g.literal(t, 1), c, g.literal(t, 1))
	} else {
		g.linef("%s <- %s", c, g.expr(t, 1))
		g.linef("close(%s)", c)
	}
	g.linef("for %s := range %s {", x, c)
	g.block(func() { g.print(g.add(x, t)) })
	g.linef("}")
	g.linef("last%s, ok%s := <-%s\nfmt.Println(last%s, ok%s)", x, x, c, x, x)
}

// loopClosures keeps closures of a loop, each with variables of its round.
func (g *gen) loopClosures() {
	fs, i := g.fresh("fs"), g.fresh("i")
	t := g.anyType(0)
	g.linef("var %s []func(int) string", fs)
	head := pick(g, []string{"for %[1]s := 0; %[1]s < 3; %[1]s++ {", "for %[1]s := range 3 {", "for %[1]s := range []string{\"a\", \"b\"} {", "for %[1]s := 4; %[1]s > 0; %[1]s -= 2 {"})
	g.linef(head, i)
	g.linef("x := %s", g.typed(t, g.expr(t, 1)))
	g.linef("%s = append(%s, func(n int) string {", fs, fs)
	g.linef("%s += n", i)
	if t.kind == integer || t.kind == text {
		g.linef("x += x")
	}
	g.linef("return fmt.Sprint(%s, \" \", x)\n})", i)
	if g.chance(30) {
		g.linef("%s++", i)
	}
	g.linef("}")
	g.linef("for _, f := range %s {\nfmt.Println(f(1), f(10))\n}", fs)
}

func (g *gen) labelledLoops() {
	label := g.fresh("label")
	inner := pick(g, []string{"for j := 0; j < 3; j++ {", "for j := range 3 {", "for _, j := range []int{0, 1, 2} {"})
	leave := pick(g, []string{"continue", "break"})
	g.linef("%s:\nfor i := 0; i < 3; i++ {\n%s", label, inner)
	switch g.rng.IntN(3) {
	case 0:
		g.linef("if j > i {\n%s %s\n}", leave, label)
	case 1:
		g.linef("switch {\ncase i == 1:\n%s %s\ncase j == 1:\nbreak\n}", leave, label)
	default:
		g.linef("c := make(chan int, 1)\nc <- j\nselect {\ncase x := <-c:\nif x == 1 {\n%s %s\n}\n}", leave, label)
	}
	g.linef("fmt.Print(i, j, \" \")\n}\nfmt.Print(\"; \")\n}\nfmt.Println()")
	if g.chance(30) {
		n := fmt.Sprint(g.rng.IntN(3))
		g.linef("%sb:\nfor {\nfor k := 0; ; k++ {\nif k > %s {\nbreak %sb\n}\n}\n}", label, n, label)
	}
}
