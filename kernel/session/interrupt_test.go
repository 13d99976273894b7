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
		{"compiled code that does not", "n := 1\nimport \"time\"\nfmt.Println(\"go\")\ntime.Sleep(time.Hour)\nn = 2", 3 * time.Second, "compiled code has not returned"},
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
	_, out, _ := interrupt(t, s, 1, "import \"time\"\nfmt.Println(\"go\")\ntime.Sleep(4 * time.Second)\nfmt.Println(\"after\")")
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

// TestStorageNeverMoves has a goroutine of the first cell use session variables while a thousand cells define names. The
// race detector says whether any of the storage moves.
func TestStorageNeverMoves(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import \"sync/atomic\"\nvar count int64\nvar stop atomic.Bool\nvar text = \"\"\ndone := make(chan bool)\ngo func() {\n\tfor !stop.Load() {\n\t\tatomic.AddInt64(&count, 1)\n\t\ttext = fmt.Sprint(count)\n\t}\n\tdone <- true\n}()")
	cells := 1000
	if testing.Short() {
		cells = 100
	}
	for i := range cells {
		run1(t, s, i+2, fmt.Sprintf("v%d := %d\nfunc f%d() int { return v%d }\ntype T%d struct{ N int }", i, i, i, i, i))
	}
	if got := run1(t, s, cells+2, "stop.Store(true)\n<-done\nf7() + T3{N: 5}.N"); got != "12" {
		t.Errorf("got %s, want 12", got)
	}
	if got := run1(t, s, cells+3, "count > 0 && text != \"\""); got != "true" {
		t.Error("the goroutine did not run")
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
