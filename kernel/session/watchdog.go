package session

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"orthant/kernel/session/internal/memory"
	"orthant/stdlib/rt"
)

// Endless recursion ends the process when its stack reaches Go's limit, and a heap that grows without end when the system
// has no more memory. Nothing can recover that. So the limit of the stack is raised out of reach, and a watchdog ends the
// cell before either happens.
const (
	maxStack   = 8 << 30               // bytes; far above stackLimit, reached only if the watchdog fails
	stackLimit = 512 << 20             // bytes of all stacks together
	checkEvery = 20 * time.Millisecond // a fraction of the time in which endless recursion reaches the limit
	stackName  = "/memory/classes/heap/stacks:bytes"
	heapName   = "/memory/classes/heap/objects:bytes"
	liveName   = "/gc/heap/live:bytes" // what the last collection found in use, with all that was made while it went on
	madeName   = "/gc/heap/allocs:bytes"
)

// heapMargin is how much a cell may need above the limit where the heap is there already: enough to set a large variable
// to nil.
const heapMargin = 64 << 20

// limitProcess sets the process's own limits by the session's. The garbage collector works the harder the nearer the heap
// comes to its limit; where the environment has set that (GOMEMLIMIT) it stays.
func limitProcess(limit memory.Limit) {
	debug.SetMaxStack(maxStack)
	if limit.Bytes > 0 && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(int64(limit.Bytes))
	}
}

// watch looks after the memory of the process until stop is called. It says why the cell must end, once. Nothing tells whose the
// memory is where several cells run: the one that began last ends first, and the others only if that was not enough.
func (s *Session) watch(r *run) (tooMuch <-chan string, stop func()) {
	found, done := make(chan string, 1), make(chan struct{})
	w := watchdog{limit: s.memory, before: read(heapName), stack: read(stackName)}
	go func() {
		tick := time.NewTicker(checkEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			last, others := s.isLast(r)
			if !last {
				continue
			}
			if why := w.check(); why != "" {
				if others > 0 {
					why += fmt.Sprintf("; other cells that run: %d, of which this one began last", others)
				}
				found <- why
				return
			}
		}
	}()
	return found, func() { close(done) }
}

// isLast reports whether a run is the one that began last of those that run, and how many others run.
func (s *Session) isLast(r *run) (last bool, others int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.running)
	return n > 0 && s.running[n-1] == r, n - 1
}

// A watchdog watches one run.
type watchdog struct {
	limit  memory.Limit
	before uint64 // the bytes of the heap when it began
	stack  uint64 // the bytes of all stacks then: an endless recursion that has just been ended may not have given back its own
}

// check says what is too large, nothing where all is well.
func (w watchdog) check() string {
	stack := uint64(stackLimit)
	if w.limit.Bytes > 0 {
		stack = min(stack, w.limit.Bytes/2)
	}
	if read(stackName) > max(stack, w.stack+stack/2) {
		return fmt.Sprintf("stack overflow: the cell's recursion is too deep (%s of stack)", memory.Size(stack))
	}
	if w.limit.Bytes == 0 {
		return ""
	}
	allowed := max(w.limit.Bytes, w.before+heapMargin)
	if read(heapName) <= allowed {
		return ""
	}
	if heap := inUse(); heap > allowed { // much of that may be garbage
		return fmt.Sprintf("out of memory: the heap has %s, the limit is %s", memory.Size(heap), w.limit)
	}
	return ""
}

// inUse collects garbage and returns how many bytes the heap has in use at least. The collector counts what is made while it
// works as in use, garbage or not, and that is a lot where the cell makes garbage quickly; so as much is taken off.
func inUse() uint64 {
	before := read(madeName)
	runtime.GC()
	live, made := read(liveName), read(madeName)-before
	return live - min(live, made)
}

// read reads one of the runtime's metrics that are numbers of bytes.
func read(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// checkSize returns the size of what a call of make makes, in elements of some bytes each. It panics where the memory for
// it would pass the limit.
func (s *Session) checkSize(what, elem, n int) int {
	const large = 1 << 20 // bytes; for less the watchdog is quick enough
	bytes := rt.CheckSize(rt.Made(what), uint64(elem), n)
	if s.memory.Bytes == 0 || bytes < large || bytes <= s.memory.Bytes && bytes+read(heapName) <= s.memory.Bytes {
		return n
	}
	if bytes <= s.memory.Bytes {
		if bytes+inUse() <= s.memory.Bytes {
			return n
		}
	}
	panic(rt.MemoryError(fmt.Sprintf("out of memory: make needs %s, the heap has %s, the limit is %s",
		memory.Size(bytes), memory.Size(read(heapName)), s.memory)))
}
