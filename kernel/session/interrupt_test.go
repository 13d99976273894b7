package session

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// interrupt runs a cell and interrupts it when it has printed "go" and has reached the statement behind.
func interrupt(t *testing.T, s *Session, number int, src string) (*Error, *recorder, time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &signal{want: "go", seen: make(chan struct{})}
	var took time.Duration
	done := make(chan *Error)
	go func() {
		_, e := s.Execute(ctx, Cell{number, src}, out)
		done <- e
	}()
	select {
	case <-out.seen:
	case <-time.After(10 * time.Second):
		t.Fatal("the cell has not begun")
	}
	printed := strings.Count(src[:strings.Index(src, "Println")], "\n") + 1
	for s.currentRun().line() <= printed {
		time.Sleep(time.Millisecond) // nothing tells that a statement begins
	}
	begin := time.Now()
	cancel()
	e := <-done
	took = time.Since(begin)
	if e == nil || e.Name != interrupted {
		t.Fatalf("got %v, want an interrupt", e)
	}
	return e, &out.recorder, took
}

// signal is a recorder that tells when a text has come.
type signal struct {
	recorder
	want string
	seen chan struct{}
}

func (s *signal) Text(stream Stream, text string) {
	s.recorder.Text(stream, text)
	if strings.Contains(s.stdout(), s.want) {
		select {
		case <-s.seen:
		default:
			close(s.seen)
		}
	}
}

func run1(t *testing.T, s *Session, number int, src string) string {
	t.Helper()
	out := &recorder{}
	b, e := s.Execute(context.Background(), Cell{number, src}, out)
	if e != nil {
		t.Fatalf("cell %d: %v\n%s", number, e, src)
	}
	if b == nil {
		return out.stdout()
	}
	return out.stdout() + fmt.Sprint(b.Data["text/plain"])
}

func TestInterrupt(t *testing.T) {
	for _, test := range []struct {
		name   string
		src    string
		within time.Duration
		value  string // part of the error's value
	}{
		{"a busy loop", "n := 1\nfmt.Println(\"go\")\nfor {\n}\nn = 2", time.Second, "interrupted in line 3"},
		{"a busy function", "n := 1\nfunc f() { for { n = 1 } }\nfmt.Println(\"go\")\nf()", time.Second, "line 4"},
		{"a receive", "n := 1\nc := make(chan int)\nfmt.Println(\"go\")\n<-c", time.Second, "line 4"},
		{"a send", "n := 1\nc := make(chan int)\nfmt.Println(\"go\")\nc <- 1", time.Second, "line 4"},
		{"select without cases", "n := 1\nfmt.Println(\"go\")\nselect {}", time.Second, "line 3"},
		{"ranging over a channel", "n := 1\nc := make(chan int)\nfmt.Println(\"go\")\nfor range c {\n}", time.Second, "line 4"},
		{"compiled code that watches ctx", "n := 1\nfmt.Println(\"go\")\n<-ctx.Done()\n_ = n", time.Second, "interrupted"},
		{"compiled code that does not", "n := 1\nimport \"sync\"\nvar mu sync.Mutex\nmu.Lock()\nfmt.Println(\"go\")\nmu.Lock()\nn = 2", 3 * time.Second, "compiled code has not returned"},
		{"a sleep", "n := 1\nimport \"time\"\nfmt.Println(\"go\")\ntime.Sleep(time.Hour)\nn = 2", time.Second, "line 4"},
		{"a sleep in a function", "n := 1\nimport \"time\"\nfunc f() {\n\ttime.Sleep(time.Hour)\n\tn = 2\n}\nfmt.Println(\"go\")\nf()", time.Second, "line 8"},
		{"a sleep of a function value", "n := 1\nimport \"time\"\nrest := time.Sleep\nfmt.Println(\"go\")\nrest(time.Hour)\nn = 2", time.Second, "line 5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, "mk := func() func() int {\n\tc := 0\n\treturn func() int {\n\t\tc++\n\t\treturn c\n\t}\n}\ninc := mk()\ninc()\nfunc plain() int { return 10 }")
			e, _, took := interrupt(t, s, 2, test.src)
			if !strings.Contains(e.Value, test.value) {
				t.Errorf("got %q, want it to contain %q", e.Value, test.value)
			}
			if took > test.within {
				t.Errorf("took %v, want less than %v", took, test.within)
			}
			if got := run1(t, s, 3, "inc() + plain()"); got != "12" {
				t.Errorf("closures of earlier cells give %s, want 12", got)
			}
			if got := run1(t, s, 4, "n"); got != "1" {
				t.Errorf("n is %s, want 1: it was defined before the interrupt and not changed after", got)
			}
		})
	}
}

func TestInterruptRunsDeferredCalls(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import \"sync\"\nvar mu sync.Mutex\nfunc hold() {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\tfor {\n\t}\n}")
	_, out, _ := interrupt(t, s, 2, "defer func() { fmt.Println(\"deferred\", recover()) }()\nfmt.Println(\"go\")\nhold()\nfmt.Println(\"not reached\")")
	if got := out.stdout(); got != "go\ndeferred <nil>\n" {
		t.Errorf("the cell printed %q", got)
	}
	if got := run1(t, s, 3, "mu.TryLock()"); got != "true" {
		t.Error("the interrupted function has kept its lock")
	}
}

func TestInterruptEndsDeferredCalls(t *testing.T) {
	s := newSession(t)
	_, _, took := interrupt(t, s, 1, "defer func() {\n\tfor {\n\t}\n}()\nfmt.Println(\"go\")\nfor {\n}")
	if took > 4*time.Second {
		t.Errorf("took %v", took)
	}
	if got := run1(t, s, 2, "1 + 1"); got != "2" {
		t.Errorf("got %s, want 2", got)
	}
}

func TestInterruptKeepsTheBestResult(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "w, err := affinity.Gaussian{MeanDistance: 0.7}.Of(dataset.Digits().First(300).X)\n_ = err")
	e, out, took := interrupt(t, s, 2, "fmt.Println(\"go\")\nres, err := clustering.SNMFNcut{K: 10, Alpha: 0.1}.Fit(ctx, w, clustering.Options{Seed: 1, Restarts: 1, MaxIter: 100000000, Tol: -1})")
	if took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	if out.stderr() != "" {
		t.Errorf("standard error is %q, want the error alone", out.stderr())
	}
	if got := run1(t, s, 3, "len(res.Labels)"); got != "300" {
		t.Errorf("the result has %s labels, want 300 (%v)", got, e)
	}
	if got := run1(t, s, 4, "err"); !strings.Contains(got, "canceled") {
		t.Errorf("err is %q", got)
	}
}

func TestStoppedCellDoesNotGoOn(t *testing.T) {
	s := newSession(t)
	_, out, _ := interrupt(t, s, 1, "import (\n\"os\"\n\"time\"\n)\nr, _, _ := os.Pipe()\nr.SetReadDeadline(time.Now().Add(4 * time.Second))\nfmt.Println(\"go\")\nr.Read(make([]byte, 1))\nfmt.Println(\"after\")")
	run1(t, s, 2, "time.Sleep(3 * time.Second)")
	if strings.Contains(out.stdout(), "after") {
		t.Error("the interrupted cell went on when its call returned")
	}
}

func TestLateOutput(t *testing.T) {
	s := newSession(t)
	first, second := &recorder{}, &recorder{}
	if _, e := s.Execute(context.Background(), Cell{1, "start, done := make(chan int), make(chan int)\ngo func() {\n\t<-start\n\tfmt.Println(\"late\")\n\tdone <- 1\n}()"}, first); e != nil {
		t.Fatal(e)
	}
	if _, e := s.Execute(context.Background(), Cell{2, "start <- 1\n<-done\nfmt.Println(\"now\")"}, second); e != nil {
		t.Fatal(e)
	}
	if first.stdout() != "late\n" || second.stdout() != "now\n" {
		t.Errorf("got %q and %q, want each cell's own text", first.stdout(), second.stdout())
	}
}

func TestLatePanic(t *testing.T) {
	s := newSession(t)
	first := &recorder{}
	if _, e := s.Execute(context.Background(), Cell{1, "start, done := make(chan int), make(chan int)\ngo func() {\n\tdefer close(done)\n\t<-start\n\tpanic(\"late\")\n}()"}, first); e != nil {
		t.Fatal(e)
	}
	run1(t, s, 2, "start <- 1\n<-done")
	deadline := time.Now().Add(5 * time.Second)
	for !strings.Contains(first.stderr(), "panic in a goroutine of cell 1: late") {
		if time.Now().After(deadline) {
			t.Fatalf("standard error of cell 1 is %q", first.stderr())
		}
		time.Sleep(time.Millisecond) // the panic is reported a moment after done is closed
	}
}

// TestStorageNeverMoves has goroutines of the first cell use session variables, through atomic operations and under a mutex,
// while a thousand cells define names and use the same variables. The race detector says whether any of the storage moves.
func TestStorageNeverMoves(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n"+
		"type Pair struct{ A, B int }\n"+
		"var count int64\nvar stop atomic.Bool\nvar mu sync.Mutex\nvar text = \"\"\nvar pair Pair\nvar list []int\nseen := map[int]int{}\nvar wg sync.WaitGroup\n"+
		"func step(i int) {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\ttext = fmt.Sprint(i)\n\tpair.A++\n\tpair.B = pair.A\n\tlist = append(list[:min(len(list), 99)], i)\n\tseen[i%10]++\n}\n"+
		"for g := range 3 {\n\twg.Add(1)\n\tgo func() {\n\t\tdefer wg.Done()\n\t\tfor i := g; !stop.Load(); i++ {\n\t\t\tatomic.AddInt64(&count, 1)\n\t\t\tstep(i)\n\t\t}\n\t}()\n}")
	const cells = 1000
	for i := range cells {
		src := fmt.Sprintf("v%d := %d\nfunc f%d() int { return v%d }\ntype T%d struct{ N int }", i, i, i, i, i)
		if i%10 == 0 {
			src += "\nmu.Lock()\nif pair.A != pair.B {\n\tpanic(\"torn\")\n}\nmu.Unlock()\nstep(1)"
		}
		run1(t, s, i+2, src)
	}
	if got := run1(t, s, cells+2, "stop.Store(true)\nwg.Wait()\nf7() + T3{N: 5}.N"); got != "12" {
		t.Errorf("got %s, want 12", got)
	}
	if got := run1(t, s, cells+3, "sum := 0\nfor _, n := range seen {\n\tsum += n\n}\nsum == pair.A && int64(sum) == count+100 && pair.A == pair.B && text != \"\" && len(list) > 0"); got != "true" {
		t.Error("steps are lost: " + run1(t, s, cells+4, "fmt.Sprint(sum, pair, count, text, len(list))"))
	}
}

func TestReplacedValuesAreFreed(t *testing.T) {
	s := newSession(t)
	for i := range 20 { // 800 MB if each stayed
		run1(t, s, i+1, "m := make([]float64, 5e6)\nm[0] = 1;")
	}
	run1(t, s, 21, "m := 1")
	var before = heap()
	if before > 100<<20 {
		t.Errorf("%d MB are in use", before>>20)
	}
}

// TestInterruptEndsItsGoroutines lets a cell start goroutines of several kinds before it is interrupted: none goes on.
func TestInterruptEndsItsGoroutines(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"computing", "for {\n\t\tatomic.AddInt64(&n, 1)\n\t}"},
		{"between calls of compiled code", "for {\n\t\ttime.Sleep(time.Millisecond)\n\t\tatomic.AddInt64(&n, 1)\n\t}"},
		{"on a channel of its own", "c := make(chan int, 1)\n\tfor {\n\t\tc <- 1\n\t\tatomic.AddInt64(&n, int64(<-c))\n\t}"},
		{"calling itself", "var f func()\n\tf = func() {\n\t\tatomic.AddInt64(&n, 1)\n\t\ttime.Sleep(time.Millisecond)\n\t\tf()\n\t}\n\tf()"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, "import (\n\t\"sync/atomic\"\n\t\"time\"\n)\nvar n int64")
			interrupt(t, s, 2, "go func() {\n\t"+test.body+"\n}()\ntime.Sleep(50 * time.Millisecond)\nfmt.Println(\"go\")\nfor {\n}")
			if got := run1(t, s, 3, "a := atomic.LoadInt64(&n)\ntime.Sleep(100 * time.Millisecond)\na > 0 && a == atomic.LoadInt64(&n)"); got != "true" {
				t.Error("the goroutine goes on, or never ran")
			}
			for begin := time.Now(); s.goroutines.Load() > 0 && time.Since(begin) < 5*time.Second; {
				time.Sleep(time.Millisecond) // one that was in compiled code ends when it comes back
			}
			if left := s.goroutines.Load(); left != 0 {
				t.Errorf("%d goroutines are counted", left)
			}
		})
	}
}

// TestInterruptEndsItsGoroutinesLater has a goroutine of an interrupted cell be in compiled code meanwhile: it ends when it comes
// back.
func TestInterruptEndsItsGoroutinesLater(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import \"time\"\nvar n int")
	interrupt(t, s, 2, "go func() {\n\ttime.Sleep(time.Second)\n\tfmt.Print()\n\tn = 1\n}()\nfmt.Println(\"go\")\nfor {\n}")
	if got := run1(t, s, 3, "time.Sleep(2 * time.Second)\nn"); got != "0" {
		t.Error("the goroutine went on")
	}
}

// TestInterruptAndEarlierGoroutines interrupts a cell while goroutines of an earlier one run: they go on, or the error says
// how many do not.
func TestInterruptAndEarlierGoroutines(t *testing.T) {
	for _, test := range []struct{ name, body string }{
		{"waiting for a channel", "for range start {\n\t\tn.Add(1)\n\t}"},
		{"sleeping", "for {\n\t\ttime.Sleep(time.Minute)\n\t}"},
		{"computing", "for {\n\t\tn.Add(1)\n\t}"},
		{"between calls of compiled code", "for {\n\t\tn.Add(1)\n\t\ttime.Sleep(time.Millisecond)\n\t}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, "import (\n\t\"sync/atomic\"\n\t\"time\"\n)\nvar n atomic.Int64\nstart := make(chan int)\nfor range 3 {\n\tgo func() {\n\t"+test.body+"\n}()\n}")
			e, _, _ := interrupt(t, s, 2, "time.Sleep(50 * time.Millisecond)\nfmt.Println(\"go\")\nfor {\n}")
			ended := 0
			if _, text, ok := strings.Cut(e.Value, "goroutines of earlier cells that were stopped with it: "); ok {
				if _, err := fmt.Sscan(text, &ended); err != nil {
					t.Fatal(err)
				}
			}
			if alive := int(s.goroutines.Load()); alive+ended != 3 {
				t.Errorf("%d are alive and the error speaks of %d that ended, of 3: %s", alive, ended, e.Value)
			}
			if test.name == "waiting for a channel" {
				if got := run1(t, s, 3, "for range 3 {\n\tstart <- 1\n}\ntime.Sleep(50 * time.Millisecond)\nn.Load()"); got != "3" {
					t.Errorf("the goroutines have counted %s, want 3: they wait, and should go on", got)
				}
			}
		})
	}
}

// TestInterruptSparesEarlierGoroutines interrupts a cell that calls functions: goroutines of earlier cells do not notice.
func TestInterruptSparesEarlierGoroutines(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import \"sync/atomic\"\nvar n atomic.Int64\ngo func() {\n\tfor {\n\t\tn.Add(1)\n\t}\n}()")
	e, _, _ := interrupt(t, s, 2, "func f() {}\nfmt.Println(\"go\")\nfor {\n\tf()\n}")
	if strings.Contains(e.Value, "earlier cells") {
		t.Error(e)
	}
	if got := run1(t, s, 3, "import \"time\"\nbefore := n.Load()\ntime.Sleep(100 * time.Millisecond)\nn.Load() > before"); got != "true" {
		t.Error("the goroutine does not go on")
	}
}

// TestInterruptInChannels interrupts cells that wait in functions of earlier cells, among them the first, for channels. The
// functions do their work afterwards, and goroutines that wait in them go on.
func TestInterruptInChannels(t *testing.T) {
	for _, test := range []struct{ name, body, release, want string }{
		{"receive", "fmt.Print(<-c)", "c <- 1", "1"},
		{"receive with ok", "v, ok := <-c\n\tfmt.Print(v, ok)", "c <- 1", "1 true"},
		{"condition", "if <-b {\n\t\tfmt.Print(\"yes\")\n\t}", "b <- true", "yes"},
		{"send", "c <- 1", "fmt.Print(<-c)", "1"},
		{"range", "for v := range c {\n\t\tfmt.Print(v)\n\t\tbreak\n\t}", "c <- 1", "1"},
		{"select", "select {\n\tcase v := <-c:\n\t\tfmt.Print(v)\n\tcase b <- true:\n\t}", "c <- 1", "1"},
		{"function of its own", "func() {\n\t\tfmt.Print(<-c)\n\t}()", "c <- 1", "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, "c, b := make(chan int), make(chan bool)\nfunc declared() {\n\t"+test.body+"\n}\nclosure := func() {\n\t"+test.body+"\n}")
			run1(t, s, 2, "later := func() {\n\t"+test.body+"\n}\ndone := make(chan bool)")
			run1(t, s, 3, "go func() {\n\tclosure()\n\tclose(done)\n}()") // waits meanwhile
			for i, f := range []string{"declared", "closure", "later"} {
				e, _, took := interrupt(t, s, 4+i, "fmt.Println(\"go\")\n"+f+"()\nfmt.Println(\"must not appear\")")
				if strings.Contains(e.Value, ";") || took > time.Second {
					t.Errorf("%s took %v: %v", f, took, e)
				}
			}
			if n := s.goroutines.Load(); n != 1 {
				t.Fatalf("%d goroutines are left, want the one of cell 3", n)
			}
			run1(t, s, 7, test.release+"\n<-done")
			out := run1(t, s, 8, "ended := make(chan bool)\ngo func() {\n\tlater()\n\tclose(ended)\n}()\n"+test.release+"\n<-ended\nfmt.Print()")
			if out != test.want {
				t.Errorf("got %q, want %q", out, test.want)
			}
		})
	}
}

// TestInterruptInCallbacks interrupts cells whose functions compiled code calls. That ends, and the session is whole.
func TestInterruptInCallbacks(t *testing.T) {
	for _, test := range []struct{ name, src string }{
		{"sort.Slice", "sort.Slice(list, func(i, j int) bool {\n\ttime.Sleep(time.Millisecond)\n\treturn list[i] < list[j]\n})"},
		{"slices.SortFunc", "slices.SortFunc(list, func(a, b int) int {\n\ttime.Sleep(time.Millisecond)\n\treturn a - b\n})"},
		{"strings.Map", "strings.Map(func(r rune) rune {\n\ttime.Sleep(time.Millisecond)\n\treturn r\n}, strings.Repeat(\"x\", 100000))"},
		{"sync.Map.Range", "var m sync.Map\nfor i := range 10 {\n\tm.Store(i, i)\n}\nm.Range(func(k, v any) bool {\n\tfor {\n\t}\n})"},
		{"a loop in a callback", "sync.OnceFunc(func() {\n\tfor {\n\t}\n})()"},
		{"regexp", "regexp.MustCompile(\"x\").ReplaceAllStringFunc(strings.Repeat(\"x\", 100000), func(s string) string {\n\ttime.Sleep(time.Millisecond)\n\treturn s\n})"},
		{"io.Copy of an endless reader", "type Endless struct{ N int }\nfunc (e *Endless) Read(p []byte) (int, error) {\n\te.N++\n\tp[0] = 1\n\treturn len(p), nil\n}\nio.Copy(io.Discard, &Endless{})"},
		{"fmt.Fscan of an endless reader", "type Spaces struct{ N int }\nfunc (s *Spaces) Read(p []byte) (int, error) {\n\ts.N++\n\tp[0] = ' '\n\treturn 1, nil\n}\nvar word string\nfmt.Fscan(&Spaces{}, &word)"},
		{"heap", "sort.Sort(sort.Reverse(sort.IntSlice(list)))\nfor i := 0; ; i++ {\n\tsort.SearchInts(list, i)\n}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, "import (\n\t\"io\"\n\t\"regexp\"\n\t\"slices\"\n\t\"sort\"\n\t\"strings\"\n\t\"sync\"\n\t\"time\"\n)\nvar mu sync.Mutex\nvar once = regexp.MustCompile(\"x\")\nlist := make([]int, 10000)\nfor i := range list {\n\tlist[i] = -i\n}\n_, _ = slices.Max(list), strings.ToUpper(\"x\")\nsort.Ints(list)\nadd := func(a, b int) int { return a + b }")
			e, _, took := interrupt(t, s, 2, "fmt.Println(\"go\")\n"+test.src)
			if strings.Contains(e.Value, "has not returned") {
				t.Error(e)
			}
			if took > 2*time.Second {
				t.Errorf("took %v", took)
			}
			if got := run1(t, s, 3, "time.Sleep(10 * time.Millisecond)\nadd(len(list), 1)"); got != "10001" {
				t.Errorf("got %s, want 10001", got)
			}
			if got := run1(t, s, 4, "slices.Sort(list)\nsort.Slice(list, func(i, j int) bool { return list[i] > list[j] })\nlist[0] == 0 && list[9999] == -9999"); got != "true" {
				t.Error("the list has lost elements, or sorting does not work")
			}
		})
	}
}

// TestSelectOfSeveralGoroutines has goroutines be in the same select at once, each with channels of its own.
func TestSelectOfSeveralGoroutines(t *testing.T) {
	const src = `import "sync"
var wg sync.WaitGroup
wrong := make(chan int, 100)
for g := range 8 {
	own, never := make(chan int), make(chan int)
	wg.Go(func() {
		for range 20000 {
			own <- g
		}
	})
	wg.Go(func() {
		for range 20000 {
			select {
			case v := <-own:
				if v != g {
					wrong <- v
				}
			case <-never:
			}
		}
	})
}
wg.Wait()
len(wrong)`
	s := newSession(t)
	if got := run1(t, s, 1, src); got != "0" {
		t.Errorf("%s values came from channels of other goroutines", got)
	}
}

// TestInterruptOfTheCheck interrupts a cell that is right and takes long to check and to lower: the time grows with the square of
// a type's depth, and of the terms of a sum.
func TestInterruptOfTheCheck(t *testing.T) {
	for _, src := range []string{"var deep " + strings.Repeat("*", 6000) + "int", "x := 1\nx" + strings.Repeat(" + x", 30000)} {
		s := newSession(t)
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		start := time.Now()
		_, e := s.Execute(ctx, Cell{1, src}, &recorder{})
		cancel()
		if took := time.Since(start); e == nil || e.Name != interrupted || took > 2500*time.Millisecond {
			t.Errorf("%.20s…: got %v after %v, want an interrupted cell", src, e != nil, took)
		}
		if got := run1(t, s, 2, "y := 2\ny"); got != "2" {
			t.Errorf("%.20s…: the next cell gives %s, want 2", src, got)
		}
		for _, name := range []string{"deep", "x"} {
			if _, e := s.Execute(t.Context(), Cell{3, name}, &recorder{}); e == nil || !strings.Contains(e.Value, "undefined: "+name) {
				t.Errorf("%.20s…: %s is defined: %v", src, name, e)
			}
		}
	}
}
