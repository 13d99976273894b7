package display

import (
	"context"
	"maps"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Which sink a goroutine outputs to is kept in the one thing that Go passes on from a goroutine to those it starts:
// the profiler labels. Each run has a label set of its own, and the address of the set names the run. Looking at it
// costs about a nanosecond; a goroutine id from a stack trace would cost a thousand times that and is not inherited.
//
// Two limits follow. A callback that the runtime starts itself (time.AfterFunc, a finalizer) has no labels: wrap it in
// Owned. A goroutine that sets profiler labels of its own (pprof.Do) leaves its run, for good, because pprof.Do ends by
// setting the labels of its context rather than those it found; its output goes to the process from then on.

// runtimeGetProfLabel returns the address of the calling goroutine's label set, nil for none. The runtime keeps both
// functions reachable for such use (runtime/proflabel.go, go.dev/issue/67401).
//
//go:linkname runtimeGetProfLabel runtime/pprof.runtime_getProfLabel
func runtimeGetProfLabel() unsafe.Pointer

// runtimeSetProfLabel makes labels the calling goroutine's label set.
//
//go:linkname runtimeSetProfLabel runtime/pprof.runtime_setProfLabel
func runtimeSetProfLabel(labels unsafe.Pointer)

// An owner is one run: its sink and the label set that its goroutines carry.
type owner struct {
	out    Sink
	labels unsafe.Pointer
}

// owners maps the address of a label set to the sink of its run. It is read on every output and written once a run, so
// writers replace the map. The addresses do not keep the sets alive: when the last goroutine of a run is gone,
// the set is collected and the entry with it.
var owners = struct {
	sync.Mutex                                   // held by writers
	sinks      atomic.Pointer[map[uintptr]*Sink] // a value's address tells a run from a later one at the same label address
}{}

// newOwner enters a run into owners.
func newOwner(out Sink) *owner {
	saved := runtimeGetProfLabel()
	// The label also makes a CPU profile of the kernel show which samples are cells.
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels("orthant", "cell")))
	labels := runtimeGetProfLabel()
	runtimeSetProfLabel(saved)

	entry := &out
	setOwner(uintptr(labels), entry)
	runtime.AddCleanup((*byte)(labels), func(key uintptr) { dropOwner(key, entry) }, uintptr(labels))
	return &owner{out: out, labels: labels}
}

func setOwner(key uintptr, entry *Sink) {
	owners.Lock()
	defer owners.Unlock()
	next := map[uintptr]*Sink{}
	if old := owners.sinks.Load(); old != nil {
		next = maps.Clone(*old)
	}
	next[key] = entry
	owners.sinks.Store(&next)
}

// dropOwner removes entry unless its address is by now that of a later run's label set.
func dropOwner(key uintptr, entry *Sink) {
	owners.Lock()
	defer owners.Unlock()
	old := *owners.sinks.Load()
	if old[key] != entry {
		return
	}
	next := maps.Clone(old)
	delete(next, key)
	owners.sinks.Store(&next)
}

// enter calls f with the calling goroutine's output going to o's sink.
func (o *owner) enter(f func()) {
	saved := runtimeGetProfLabel()
	defer runtimeSetProfLabel(saved) // also when f panics or calls runtime.Goexit
	runtimeSetProfLabel(o.labels)
	f()
}

// Run calls f. What f outputs goes to out, and so does what the goroutines output that f starts, and those that they
// start, for as long as they live. Runs may nest and may overlap; each goroutine belongs to the run that started it.
func Run(out Sink, f func()) { newOwner(out).enter(f) }

// Owned returns a function that calls f as Run(out, f) does. It is for callbacks that the Go runtime calls from
// goroutines of its own: time.AfterFunc(d, display.Owned(display.Current(), f)).
func Owned(out Sink, f func()) func() {
	o := newOwner(out)
	return func() { o.enter(f) }
}

// Current returns the sink of the run that the calling goroutine belongs to. In a goroutine that belongs to none it
// returns a sink that writes plain text to the process's standard output and standard error.
func Current() Sink {
	if labels := runtimeGetProfLabel(); labels != nil {
		if sinks := owners.sinks.Load(); sinks != nil {
			if out := (*sinks)[uintptr(labels)]; out != nil {
				return *out
			}
		}
	}
	return process{}
}
