//go:build linux

package kernel

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// soakVariable says how long the soak takes, such as 30m.
const soakVariable = "ORTHANT_SOAK"

// Bounds of what a kernel's memory may grow by in a soak.
const (
	// soakCellBytes is what one executed cell may leave: its text and number, which %history shows.
	soakCellBytes = 256
	// soakSlack is what the heap may differ by between two collections of the same program: what has a bound and has filled up since,
	// such as the signatures that are remembered and the recent part of the history.
	soakSlack = 8 << 20
	// soakPages is what the process may have besides the heap's growth: the collector lets the heap double before it runs,
	// and gives pages back late.
	soakPages = 64 << 20
)

// soakTime returns how long the soak takes: half an hour in the long form.
func soakTime(t *testing.T) time.Duration {
	t.Helper()
	d := 20 * time.Second
	if long() {
		d = 30 * time.Minute
	}
	if v := os.Getenv(soakVariable); v != "" {
		var err error
		if d, err = time.ParseDuration(v); err != nil {
			t.Fatalf("%s=%q: %v", soakVariable, v, err)
		}
	}
	return d
}

// soakCells are cells of all kinds, of which some fail and some print; %d is a small number.
var soakCells = []string{
	"x := %d", "x + %d", "fmt.Println(x, %d)", "func f(n int) int { return n + %d }\nf(x)", "type T struct{ A, B int }\nT{%d, x}",
	"panic(%d)", "undefinedName + %d", "x := )%d", "display.Show(%d)", "make([]float64, 1000*%d)[0]", "// only a comment %d",
	"for i := range 100 {\n\tfmt.Println(i, %d)\n}", "m := map[int]string{%d: \"a\"}\nm", "done := make(chan int)\ngo func() { done <- %d }()\n<-done",
	"display.Clear(true)\ndisplay.HTML(\"<b>%d</b>\")", "import \"strings\"\n\nlen(strings.Repeat(\"x\", %d000))",
}

// soakRequests are requests other than cells.
var soakRequests = []wire.Content{
	wire.CompleteRequest{Code: "fmt.Pri", CursorPos: 7}, wire.CompleteRequest{Code: "x := \"é😀\"; len(x", CursorPos: 15},
	wire.InspectRequest{Code: "fmt.Println", CursorPos: 8}, wire.IsCompleteRequest{Code: "for {"}, wire.CommInfoRequest{},
	wire.HistoryRequest{HistAccessType: "tail", N: 10}, wire.KernelInfoRequest{}, wire.CommOpen{CommID: "c", TargetName: "unknown"},
	unknownRequest{}, raw{"execute_request", `{"code":7}`},
}

// TestSoak asks a kernel at random, for a while. Its memory stays what it was when it had warmed up.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes a while")
	}
	p, c := startProcess(t, sessionVariable+"=1")
	random := rand.New(rand.NewPCG(3, 4))
	c.Execute("x := 0")
	soak := soakTime(t)
	soakFor(t, c, random, soak/5)
	heap, pages := memoryOf(t, c, p.Process.Pid)
	cells := soakFor(t, c, random, soak-soak/5)
	grownHeap, grownPages := memoryOf(t, c, p.Process.Pid)
	grownHeap, grownPages = grownHeap-heap, grownPages-pages
	t.Logf("%d cells: the heap has grown by %d KiB, %d bytes a cell; the process by %d KiB",
		cells, grownHeap>>10, grownHeap/cells, grownPages>>10)
	if limit := soakSlack + cells*soakCellBytes; grownHeap > limit {
		t.Errorf("the heap has grown by %d bytes in %d cells, want %d at most", grownHeap, cells, limit)
	}
	if limit := soakPages + cells*soakCellBytes; grownPages > limit {
		t.Errorf("the process has grown by %d bytes in %d cells, want %d at most", grownPages, cells, limit)
	}
}

// soakFor asks at random for so long and returns how many cells it has run. Every now and then a client comes and goes.
func soakFor(t *testing.T, c *kerneltest.Client, random *rand.Rand, d time.Duration) (cells int64) {
	t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); {
		switch n := random.IntN(20); {
		case n == 0:
			other := c.Another()
			other.Execute("fmt.Println(\"a guest\")")
			other.Close()
			cells++
		case n == 1:
			cell := c.Send(wire.Shell, kerneltest.Request("fmt.Println(\"running\")\nfor {\n}")).WaitFor(`stdout "running\n"`)
			c.Control(wire.InterruptRequest{})
			cell.Wait()
			cells++
		case n < 8:
			c.Shell(soakRequests[random.IntN(len(soakRequests))])
		default:
			request := kerneltest.Request(fmt.Sprintf(soakCells[random.IntN(len(soakCells))], random.IntN(9)+1))
			request.Silent = random.IntN(10) == 0
			c.Shell(request)
			cells++
		}
		c.Forget()
	}
	return cells
}

// memoryOf returns the bytes of the kernel's heap after a collection, and of the pages that its process has.
func memoryOf(t *testing.T, c *kerneltest.Client, pid int) (heap, pages int64) {
	t.Helper()
	e := c.Execute("import (\n\t\"runtime\"\n\t\"runtime/debug\"\n)\n\nvar stats runtime.MemStats\nruntime.GC()\ndebug.FreeOSMemory()\n" +
		"runtime.ReadMemStats(&stats)\nint(stats.HeapAlloc)")
	for _, m := range e.Messages() {
		if m.Header.MsgType == "execute_result" {
			n, err := strconv.ParseInt(content[wire.ExecuteResult](t, m).Data.Text("text/plain"), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			heap = n
		}
	}
	if heap == 0 {
		t.Fatalf("got\n%s\nwant the size of the heap", e)
	}
	return heap, residentPages(t, pid)
}

// residentPages returns the bytes of a process's pages in memory.
func residentPages(t *testing.T, pid int) int64 {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(data))
	at := slices.Index(fields, "VmRSS:")
	if at < 0 {
		t.Fatalf("/proc/%d/status has no VmRSS", pid)
	}
	kilobytes, err := strconv.ParseInt(fields[at+1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
