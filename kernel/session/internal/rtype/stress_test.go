package rtype

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// walker's method takes pointers that nothing else holds, in registers and on the stack.
type walker interface {
	Walk(depth int, a, b, c, d, e, f, g, h, i, j, k *int, s []*int, x any) (*int, []*int, any)
}

// walkers declares a type whose method allocates, collects and calls itself through an interface.
func walkers(t *testing.T) []walker {
	walk := m[func(depth int, a, b, c, d, e, f, g, h, i, j, k *int, s []*int, x any) (*int, []*int, any)]("Walk", func(a []reflect.Value) []reflect.Value {
		depth := int(a[1].Int())
		if depth%8 == 3 {
			runtime.Gosched()
		}
		for i, p := range a[2:13] {
			if got := int(*p.Interface().(*int)); got != depth*100+i {
				panic(fmt.Sprint("argument ", got, " at depth ", depth))
			}
		}
		if s := a[13].Interface().([]*int); *s[0] != depth || *a[14].Interface().(*int) != -depth {
			panic("the last arguments are wrong")
		}
		if depth == 0 {
			return []reflect.Value{a[2], a[13], a[14]}
		}
		p, s, x := step(reflect.Indirect(a[0]).Interface().(walker), depth-1)
		return []reflect.Value{value(p), value(s), value(x)}
	})
	n := new(int)
	list := []walker{
		to(declare(t, "Int", reflect.TypeFor[int](), []Method{walk}, nil), 1).(walker),
		to(declare(t, "Func", reflect.TypeFor[func()](), []Method{walk}, nil), func() {}).(walker),
		to(declare(t, "Strings", reflect.TypeFor[[]string](), []Method{walk}, nil), []string{"a"}).(walker),
		to(declare(t, "Array", reflect.TypeFor[[1]*int](), []Method{walk}, nil), [1]*int{n}).(walker),
	}
	s := declareStruct(t, "Struct", []Field{{Name: "a", Type: reflect.TypeFor[int]()}, {Name: "p", Type: reflect.TypeFor[*int]()}}, []Method{walk}, nil)
	return append(list, fill(s, 1, n).Interface().(walker), reflect.New(s).Interface().(walker))
}

func step(w walker, depth int) (*int, []*int, any) {
	i := 0
	next := func() *int { p := new(int); *p = depth*100 + i; i++; return p }
	last, x := depth, -depth
	p, s, v := w.Walk(depth, next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), []*int{&last}, &x)
	if *p != 0 || *s[0] != 0 || *v.(*int) != 0 {
		panic("the results are wrong")
	}
	return p, s, v
}

// stress calls methods in many goroutines, on stacks that grow, while others collect.
func stress(t *testing.T, d time.Duration) {
	list := walkers(t)
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	var stop atomic.Bool
	var group, collector sync.WaitGroup
	collector.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	for g := range 16 {
		group.Go(func() {
			for end, i := time.Now().Add(d), g; time.Now().Before(end); i++ {
				var one sync.WaitGroup
				one.Go(func() { step(list[i%len(list)], 5+i%40) }) // a new stack each time
				one.Wait()
			}
		})
	}
	group.Wait()
	stop.Store(true)
	collector.Wait()
}

func TestStress(t *testing.T) {
	d := 2 * time.Second
	if testing.Short() {
		d /= 10
	}
	stress(t, d)
}

// The profiler's signals meet the stubs.
func TestProfile(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Skip(err)
	}
	stress(t, 500*time.Millisecond)
	pprof.StopCPUProfile()
	if b.Len() == 0 {
		t.Error("no profile")
	}
}

func TestDeepRecursion(t *testing.T) {
	type down interface{ Down(int) int }
	d := declare(t, "D", reflect.TypeFor[uint8](), []Method{m[func(int) int]("Down", func(a []reflect.Value) []reflect.Value {
		n := int(a[1].Int())
		if n > 0 {
			n = a[0].Interface().(down).Down(n-1) + 1
		}
		return []reflect.Value{value(n)}
	})}, nil)
	done := make(chan int)
	go func() { done <- to(d, uint8(1)).(down).Down(50000) }()
	if n := <-done; n != 50000 {
		t.Error(n)
	}
}

func TestPanicAndExit(t *testing.T) {
	type runner interface{ Run(func()) string }
	r := declare(t, "R", reflect.TypeFor[int](), []Method{m[func(func()) string]("Run", func(a []reflect.Value) []reflect.Value {
		a[1].Interface().(func())()
		return []reflect.Value{value("done")}
	})}, nil)
	v := to(r, 1).(runner)
	if got := v.Run(func() {}); got != "done" {
		t.Error(got)
	}
	if e := panicOf(func() { v.Run(func() { v.Run(func() { panic(io.EOF) }) }) }); e != io.EOF {
		t.Error(e)
	}
	var p *int
	if e, ok := panicOf(func() { v.Run(func() { *p = 1 }) }).(runtime.Error); !ok || !strings.Contains(e.Error(), "nil pointer") {
		t.Error(e)
	}
	inner := ""
	if got := v.Run(func() { defer func() { inner = fmt.Sprint(recover()) }(); v.Run(func() { panic("inner") }) }); got != "done" || inner != "inner" {
		t.Error(got, inner)
	}
	ended, after := make(chan bool), false
	go func() {
		defer close(ended)
		v.Run(func() { defer v.Run(func() {}); runtime.Goexit() })
		after = true
	}()
	if <-ended; after {
		t.Error("Goexit did not end the goroutine")
	}
	// Deferred and started calls.
	count := 0
	func() {
		defer v.Run(func() { count++ })
		defer reflect.ValueOf(v).Method(0).Call([]reflect.Value{value(func() { count++ })})
	}()
	started := make(chan bool)
	go v.Run(func() { close(started) })
	if <-started; count != 2 {
		t.Error(count)
	}
	trace := ""
	v.Run(func() { b := make([]byte, 1<<16); trace = string(b[:runtime.Stack(b, true)]) })
	if !strings.Contains(trace, "TestPanicAndExit") {
		t.Error(trace)
	}
	if pcs := make([]uintptr, 100); true {
		v.Run(func() { pcs = pcs[:runtime.Callers(0, pcs)] })
		frames, names := runtime.CallersFrames(pcs), ""
		for {
			f, more := frames.Next()
			names += f.Function + " "
			if !more {
				break
			}
		}
		if !strings.Contains(names, "TestPanicAndExit") {
			t.Error(names)
		}
	}
}

// The collector makes the pointer bits of large types when it needs them, from their fields and elements.
func TestLargeTypes(t *testing.T) {
	pointers := reflect.TypeFor[[20000]*int]()
	array := declare(t, "Array", pointers, nil, nil)
	s := begin("S", reflect.Struct, 0, nil, nil)
	s.SetLayout(reflect.StructOf([]reflect.StructField{{Name: "A", Type: array}, {Name: "B", Type: reflect.TypeFor[string]()}}))
	two := reflect.ArrayOf(2, s.Reflect()) // before the fields are known
	v := reflect.New(two).Elem()
	runtime.GC()
	s.SetFields("main", []Field{{Name: "a", Type: array}, {Name: "b", Type: reflect.TypeFor[string](), Offset: array.Size()}})
	list := []reflect.Value{reflect.New(array).Elem(), v.Index(0).Field(0), v.Index(1).Field(0), reflect.New(s.Reflect()).Elem().Field(0)}
	for i := range pointers.Len() {
		for _, v := range list {
			n := i
			v.Index(i).Set(value(&n))
		}
	}
	for range 3 {
		runtime.GC()
		_ = make([]*int, 1<<16)
	}
	for i := range pointers.Len() {
		for _, v := range list {
			if got := v.Index(i).Elem().Int(); got != int64(i) {
				t.Fatal(got)
			}
		}
	}
}

// A program that ends in a method shows its trace.
func TestCrash(t *testing.T) {
	const variable = "RTYPE_CRASH"
	if os.Getenv(variable) != "" {
		u := reflect.TypeFor[int]()
		c := declare(t, "C", u, []Method{m[func() string]("String", func([]reflect.Value) []reflect.Value { panic("crash") })}, nil)
		done := make(chan string)
		go func() { done <- to(c, 1).(fmt.Stringer).String() }()
		<-done
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrash$")
	cmd.Env = append(os.Environ(), variable+"=1", "GOTRACEBACK=system")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "panic: crash") || !strings.Contains(string(out), "reflect.makeFuncStub") || !strings.Contains(string(out), "TestCrash.func") {
		t.Errorf("%v: %s", err, out)
	}
}
