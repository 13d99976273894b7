package session

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// A cellRun is a cell that runs beside others.
type cellRun struct {
	t      *testing.T
	out    *signal
	cancel context.CancelFunc
	done   chan struct{}
	text   string // of the result; read after done
	failed *Error // read after done
}

// start runs a cell and returns when it has printed "go".
func start(t *testing.T, s *Session, number int, src string) *cellRun {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	c := &cellRun{t: t, out: &signal{want: "go", seen: make(chan struct{})}, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		b, e := s.Execute(ctx, Cell{number, src}, c.out)
		if c.failed = e; b != nil {
			c.text = fmt.Sprint(b.Data["text/plain"])
		}
	}()
	select {
	case <-c.out.seen:
	case <-c.done:
		t.Fatalf("cell %d has ended: %v", number, c.failed)
	case <-time.After(patience):
		t.Fatalf("cell %d has not begun", number)
	}
	return c
}

// patience is how long a test waits for what should come at once.
const patience = time.Minute

// wait waits for the end of the cell and returns its result.
func (c *cellRun) wait() (string, *Error) {
	c.t.Helper()
	select {
	case <-c.done:
	case <-time.After(patience):
		c.t.Fatal("the cell does not end")
	}
	return c.text, c.failed
}

// want fails the test unless the cell ends well with a result.
func (c *cellRun) want(result string) {
	c.t.Helper()
	if got, e := c.wait(); e != nil || got != result {
		c.t.Errorf("got %q, %v, want %q", got, e, result)
	}
}

// Numbers of cells of a subshell.
func sub(count int) int { return CellNumber(1, count) }

func TestCellsOverlap(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "turn, back := make(chan int), make(chan int)")
	first := start(t, s, 2, "fmt.Println(\"go\")\nn := <-turn\nback <- n + 1\nn")
	if got := run1(t, s, sub(1), "turn <- 41\n<-back"); got != "42" {
		t.Errorf("got %s, want 42", got)
	}
	first.want("41")
}

// TestOverlappingCellsAreNamed has cells of two shells with the same count fail.
func TestOverlappingCellsAreNamed(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "func f() {}")
	run1(t, s, sub(1), "func fail(list []int) int {\n\treturn list[1]\n}")
	_, e := s.Execute(context.Background(), Cell{2, "fail(nil)"}, &recorder{})
	if e == nil || !strings.HasPrefix(heads(e)[0], "cell 1 of subshell 1 line 2, in fail") {
		t.Errorf("got %v, want the place in the subshell's cell", e)
	}
	_, e = s.Execute(context.Background(), Cell{sub(2), "x := \"a\" + 1"}, &recorder{})
	if e == nil || !strings.HasPrefix(e.Value, "cell 2 of subshell 1 line 1: ") {
		t.Errorf("got %v, want the name of the subshell's cell", e)
	}
}

func TestLaterCommitWins(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "release := make(chan int)\nx := 0")
	slow := start(t, s, 2, "fmt.Println(\"go\")\nx := \"slow\"\n<-release\nlen(x)")
	if got := run1(t, s, sub(1), "x"); got != "0" {
		t.Errorf("x is %s while the cell that defines it anew runs, want 0", got)
	}
	run1(t, s, sub(2), "x := 1.5\nfunc g() float64 { return x }")
	if got := run1(t, s, sub(3), "x"); got != "1.5" {
		t.Errorf("x is %s, want 1.5", got)
	}
	run1(t, s, sub(4), "release <- 1")
	slow.want("4")
	if got := run1(t, s, 3, "x"); got != "slow" {
		t.Errorf("x is %s, want that of the cell that ended last", got)
	}
	if got := run1(t, s, 4, "g()"); got != "1.5" {
		t.Errorf("g gives %s, want the x that it was defined with", got)
	}
}

// TestReplacedWhileInUse defines a variable anew with another type while a cell uses the old one: that goes on to.
func TestReplacedWhileInUse(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "release := make(chan int)\nlist := []int{1, 2, 3}")
	user := start(t, s, 2, "fmt.Println(\"go\")\n<-release\nlist[2]")
	run1(t, s, sub(1), "list := \"text\"")
	run1(t, s, sub(2), "release <- 1")
	user.want("3")
	if len(s.later) != 0 {
		t.Errorf("%d old values are kept though no cell runs", len(s.later))
	}
}

// TestMethodsWhileInUse declares a method of a type whose values another cell changes meanwhile.
func TestMethodsWhileInUse(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "type T struct{ N int }\nvar v any = T{1}\nvar list []any\nstop := make(chan int)")
	user := start(t, s, 2, "fmt.Println(\"go\")\nfor i := 0; ; i++ {\n\tv = T{i}\n\tlist = append(list[:0], v)\n\tselect {\n\tcase <-stop:\n\t\tbreak\n\tdefault:\n\t\tcontinue\n\t}\n\tbreak\n}")
	run1(t, s, sub(1), "func (t T) String() string { return \"a T\" }")
	run1(t, s, sub(2), "stop <- 1")
	user.want("")
	if got := run1(t, s, 3, "fmt.Sprint(v, list)"); got != "a T [a T]" {
		t.Errorf("got %s, want the new method's text", got)
	}
}

// TestOverlappingOutput checks that each cell gets its own text, also that of its goroutines.
func TestOverlappingOutput(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "a, b := make(chan int), make(chan int)")
	first := start(t, s, 2, "fmt.Println(\"go\")\ndone := make(chan int)\ngo func() {\n\tfor range 100 {\n\t\tfmt.Print(\"1\")\n\t}\n\tdone <- 1\n}()\n<-a\nfor range 100 {\n\tfmt.Print(\"1\")\n}\n<-done\nprintln(\"first\");")
	second := start(t, s, sub(1), "fmt.Println(\"go\")\n<-b\nfor range 100 {\n\tfmt.Print(\"2\")\n}\nprintln(\"second\");")
	run1(t, s, CellNumber(2, 1), "close(a)\nclose(b)")
	first.want("")
	second.want("")
	if got, want := first.out.stdout(), "go\n"+strings.Repeat("1", 200); got != want || first.out.stderr() != "first\n" {
		t.Errorf("the first cell printed %q and %q", got, first.out.stderr())
	}
	if got, want := second.out.stdout(), "go\n"+strings.Repeat("2", 100); got != want || second.out.stderr() != "second\n" {
		t.Errorf("the second cell printed %q and %q", got, second.out.stderr())
	}
}

// stops are cells that end before their time, each in a way of its own. They print "go" first.
var stops = []struct {
	name, src, fails string
	interrupt        bool
}{
	{"interrupted in an empty loop", "fmt.Println(\"go\")\nfor {\n}", interrupted, true},
	{"interrupted in a loop that goes on", "fmt.Println(\"go\")\nn := 0\nfor {\n\tn++\n\tcontinue\n}", interrupted, true},
	{"interrupted in jumps", "fmt.Println(\"go\")\nm := 0\nagain:\nm++\ngoto again", interrupted, true},
	{"interrupted in a receive", "fmt.Println(\"go\")\n<-make(chan int)", interrupted, true},
	{"interrupted in a select", "fmt.Println(\"go\")\nselect {\ncase <-make(chan int):\ncase <-never:\n}", interrupted, true},
	{"interrupted in a closure of another cell", "fmt.Println(\"go\")\nreceive()", interrupted, true},
	{"interrupted in compiled code", "fmt.Println(\"go\")\ntime.Sleep(10 * time.Second)", interrupted, true},
	{"interrupted with goroutines", "go func() {\n\tfor {\n\t}\n}()\nfmt.Println(\"go\")\nfor {\n\tmu.Lock()\n\tmu.Unlock()\n}", interrupted, true},
	{"a panic in a goroutine", "fmt.Println(\"go\")\ngo func() { panic(1) }()\nfor {\n}", panicError, false},
	{"os.Exit in a goroutine", "import \"os\"\nfmt.Println(\"go\")\ngo func() { os.Exit(3) }()\nfor {\n}", exitError, false},
}

// others are cells that run meanwhile and must not notice: each ends when stop is closed and returns 42.
var others = []struct{ name, src string }{
	{"computes", "fmt.Println(\"go\")\nfor k := 0; ; k++ {\n\tselect {\n\tcase <-stop:\n\t\tbreak\n\tdefault:\n\t\tcontinue\n\t}\n\tbreak\n}\n42"},
	{"waits for a channel", "fmt.Println(\"go\")\n<-stop\n42"},
	{"waits in a closure of another cell", "fmt.Println(\"go\")\nwaits()\n42"},
	{"waits in a goroutine", "c := make(chan int)\ngo func() {\n\t<-stop\n\tc <- 42\n}()\nfmt.Println(\"go\")\n<-c"},
	{"is in compiled code", "fmt.Println(\"go\")\nsort.Slice(list, func(i, j int) bool {\n\t<-stop\n\treturn list[i] < list[j]\n})\n42"},
	{"runs deferred calls", "fmt.Println(\"go\")\nfunc() {\n\tdefer func() { <-stop }()\n}()\n42"},
}

// TestStopSparesOthers stops a cell while another one runs, in all combinations.
func TestStopSparesOthers(t *testing.T) {
	for _, stop := range stops {
		t.Run(stop.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, "import (\n\t\"sort\"\n\t\"sync\"\n\t\"time\"\n)\nvar mu sync.Mutex\nnever := make(chan int)\nlist := []int{3, 2, 1}\nvar stop chan int\n"+
				"receive := func() int { return <-never }\nwaits := func() { <-stop }")
			for i, other := range others {
				run1(t, s, 10*i+2, "stop = make(chan int)")
				witness := start(t, s, sub(i+1), other.src)
				stopped := start(t, s, 10*i+3, stop.src)
				if stop.interrupt {
					stopped.cancel()
				}
				if _, e := stopped.wait(); e == nil || e.Name != stop.fails {
					t.Errorf("beside one that %s: got %v, want %s", other.name, e, stop.fails)
				}
				select {
				case <-witness.done:
					t.Errorf("one that %s has ended with it: %q, %v", other.name, witness.text, witness.failed)
				default:
				}
				run1(t, s, 10*i+4, "close(stop)")
				witness.want("42")
			}
		})
	}
}

// TestStackSparesOthers has a cell recurse without end beside one that began before: that goes on.
func TestStackSparesOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: half a gigabyte of stack takes seconds to leave")
	}
	s := newSession(t)
	run1(t, s, 1, "var stop = make(chan int)")
	witness := start(t, s, 2, others[0].src)
	deep := start(t, s, sub(1), "func down(n int) int { return down(n+1) + 1 }\nfmt.Println(\"go\")\ndown(0)")
	if _, e := deep.wait(); e == nil || !strings.Contains(e.Value, "of which this one began last") {
		t.Errorf("got %v, want a stack overflow that tells of the other cell", e)
	}
	run1(t, s, sub(2), "close(stop)")
	witness.want("42")
}

// TestStoppedClosuresLive stops a cell in a channel operation of its own closure, which later cells go on to use.
func TestStoppedClosuresLive(t *testing.T) {
	s := newSession(t)
	c := start(t, s, 1, "c := make(chan int, 1)\ntake := func() int { return <-c }\nfmt.Println(\"go\")\ntake()")
	c.cancel()
	if _, e := c.wait(); e == nil || e.Name != interrupted {
		t.Fatalf("got %v, want an interrupt", e)
	}
	user := start(t, s, 2, "fmt.Println(\"go\")\ntake()")
	run1(t, s, sub(1), "c <- 42")
	user.want("42")
}

// TestManyCellsAtOnce has cells of several shells define names anew and use what all share, under a lock, at the same time, while
// somebody completes; the race detector looks on. Every shell has names of its own, as two cells that assign to one variable race
// in any Go.
func TestManyCellsAtOnce(t *testing.T) {
	const shells, cells = 4, 25
	s := newSession(t)
	run1(t, s, 1, "import \"sync\"\nvar mu sync.Mutex\nvar total int\ntype Pair struct{ A, B int }\nfunc add(n int) {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\ttotal += n\n}")
	const source = `mine# := Pair{%[1]d, 1}
var other# = []string{"text"}[0]
func f#() Pair { return mine# }
type T# struct{ Pair; N int }
func (t T#) Sum() int { return t.A + t.B + t.N }
ch# := make(chan int)
go func() { ch# <- T#{f#(), 0}.Sum() }()
select {
case n := <-ch#:
	if n != %[1]d+1 {
		panic(n)
	}
}
add(f#().B)
if true {
	other# := 5
	_ = other#
}`
	var all sync.WaitGroup
	for shell := range shells {
		all.Go(func() {
			for i := range cells {
				src := fmt.Sprintf(strings.ReplaceAll(source, "#", fmt.Sprint(shell)), i)
				if _, e := s.Execute(context.Background(), Cell{CellNumber(shell, i+2), src}, &recorder{}); e != nil {
					t.Errorf("shell %d, cell %d: %v", shell, i, e)
					return
				}
				s.Complete("mine", 4)
			}
		})
	}
	all.Wait()
	if got, want := run1(t, s, cells+2, "total"), fmt.Sprint(shells*cells); got != want {
		t.Errorf("total is %s, want %s", got, want)
	}
}

// TestSelectInSeveralGoroutines has goroutines run the same select.
func TestSelectInSeveralGoroutines(t *testing.T) {
	s := newSession(t)
	if got := run1(t, s, 1, "import \"sync\"\nvar wg sync.WaitGroup\nvar mu sync.Mutex\nsum := 0\nfor g := range 8 {\n\tin, quit := make(chan int), make(chan int)\n\twg.Add(1)\n"+
		"\tgo func() {\n\t\tdefer wg.Done()\n\t\tfor {\n\t\t\tselect {\n\t\t\tcase n := <-in:\n\t\t\t\tif n != g {\n\t\t\t\t\tpanic(n)\n\t\t\t\t}\n\t\t\t\tmu.Lock()\n\t\t\t\tsum++\n\t\t\t\tmu.Unlock()\n"+
		"\t\t\tcase <-quit:\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}()\n\tgo func() {\n\t\tfor range 200 {\n\t\t\tin <- g\n\t\t}\n\t\tclose(quit)\n\t}()\n}\nwg.Wait()\nsum"); got != "1600" {
		t.Errorf("got %s, want 1600", got)
	}
}
