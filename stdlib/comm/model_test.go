package comm_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"orthant/stdlib/comm"
	"orthant/stdlib/display"
)

// A recorder is a host that keeps what is posted.
type recorder struct {
	comms comm.Registry

	mu     sync.Mutex
	posted []comm.Event
	refuse error
}

func (*recorder) Text(display.Stream, string) {}
func (*recorder) Display(display.Bundle)      {}
func (*recorder) Update(display.Bundle)       {}
func (*recorder) Clear(bool)                  {}

func (r *recorder) Comms() *comm.Registry { return &r.comms }
func (r *recorder) Wait()                 {}
func (r *recorder) Post(e comm.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refuse != nil {
		return r.refuse
	}
	r.posted = append(r.posted, e)
	return nil
}

// take returns what has been posted since the last time, a line each.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for _, e := range r.posted {
		lines = append(lines, fmt.Sprintf("%v %s %s %s", e.Kind, e.ID, e.Target, e.Message))
	}
	r.posted = nil
	return lines
}

// A model is what a registry should know, in the simplest form, and the registry itself.
type model struct {
	t       *testing.T
	host    recorder
	rand    *rand.Rand
	targets map[string]bool
	open    map[string]string     // targets by id
	handles map[string]*comm.Comm // all that there ever were
	calls   []string              // of functions
	steps   []string
}

var targets = []string{"a", "b", "c"}

// listen sets the functions of a comm.
func (m *model) listen(c *comm.Comm) {
	m.handles[c.ID()] = c
	c.OnMessage(func(said comm.Message) { m.calls = append(m.calls, "message "+c.ID()+" "+said.String()) })
	c.OnClose(func(said comm.Message) { m.calls = append(m.calls, "close "+c.ID()+" "+said.String()) })
}

// id returns the name of a comm: one that is or was open, or one that nobody knows.
func (m *model) id() string {
	ids := append(slices.Sorted(maps.Keys(m.handles)), "unknown")
	return ids[m.rand.IntN(len(ids))]
}

// want compares what a step has posted and called.
func (m *model) want(step string, posted, calls []string) {
	m.t.Helper()
	m.steps = append(m.steps, step)
	if got := m.host.take(); !slices.Equal(got, posted) || !slices.Equal(m.calls, calls) {
		m.t.Fatalf("posted %q, called %q, want %q and %q, after\n%s", got, m.calls, posted, calls, strings.Join(m.steps, "\n"))
	}
	m.calls = nil
	if got := m.host.comms.Open(""); !maps.Equal(got, m.open) {
		m.t.Fatalf("open are %v, want %v, after\n%s", got, m.open, strings.Join(m.steps, "\n"))
	}
}

// receive is an event from the front end; the error must be wanted.
func (m *model) receive(e comm.Event, wanted error) {
	m.t.Helper()
	call, err := m.host.comms.Receive(&m.host, e)
	if !errors.Is(err, wanted) {
		m.t.Fatalf("%v %s: %v, want %v, after\n%s", e.Kind, e.ID, err, wanted, strings.Join(m.steps, "\n"))
	}
	if call != nil {
		display.Run(&m.host, call)
	}
}

// steps of the cells' side and of the front end's.
var modelSteps = []func(m *model, n int){
	func(m *model, n int) { // a cell registers a target, or takes it away
		target := targets[m.rand.IntN(len(targets))]
		if m.targets[target] = m.rand.IntN(3) > 0; m.targets[target] {
			comm.Register(target, func(c *comm.Comm, said comm.Message) {
				m.calls = append(m.calls, "open "+c.ID()+" "+said.String())
				m.listen(c)
			})
		} else {
			comm.Register(target, nil)
		}
		m.want("register "+target, nil, nil)
	},
	func(m *model, n int) { // a cell opens a comm
		c, err := comm.Open("front", n)
		if err != nil {
			m.t.Fatal(err)
		}
		m.listen(c)
		m.open[c.ID()] = "front"
		m.want("cell opens "+c.ID(), []string{fmt.Sprintf("open %s front %d", c.ID(), n)}, nil)
	},
	func(m *model, n int) { // a cell opens one, and the host cannot post
		m.host.refuse = errors.New("refused")
		_, err := comm.Open("front", n)
		if !errors.Is(err, m.host.refuse) {
			m.t.Fatalf("got %v", err)
		}
		m.host.refuse = nil
		m.want("cell cannot open", nil, nil)
	},
	func(m *model, n int) { // a cell sends
		c := m.handles[m.id()]
		if c == nil {
			return
		}
		var posted []string
		err := c.Send(n)
		if _, open := m.open[c.ID()]; open {
			posted = []string{fmt.Sprintf("send %s  %d", c.ID(), n)}
		}
		if errors.Is(err, comm.ErrClosed) != (posted == nil) {
			m.t.Fatalf("send: %v, after\n%s", err, strings.Join(m.steps, "\n"))
		}
		m.want("cell sends "+c.ID(), posted, nil)
	},
	func(m *model, n int) { // a cell closes
		c := m.handles[m.id()]
		if c == nil {
			return
		}
		var posted []string
		if _, open := m.open[c.ID()]; open {
			posted = []string{fmt.Sprintf("close %s  {}", c.ID())}
		}
		delete(m.open, c.ID())
		if err := c.Close(); err != nil {
			m.t.Fatal(err)
		}
		m.want("cell closes "+c.ID(), posted, nil)
	},
	func(m *model, n int) { // the front end opens
		target, id := targets[m.rand.IntN(len(targets))], fmt.Sprint("front ", n)
		e := comm.Event{Kind: comm.Opening, ID: id, Target: target, Message: data(n)}
		if !m.targets[target] {
			m.receive(e, comm.ErrNoTarget)
			m.want("front end cannot open", nil, nil)
			return
		}
		m.open[id] = target
		m.receive(e, nil)
		m.want("front end opens "+id, nil, []string{fmt.Sprintf("open %s %d", id, n)})
		if call, err := m.host.comms.Receive(&m.host, e); call != nil || err == nil {
			m.t.Fatal("opened twice")
		}
		m.want("front end opens it again", nil, nil)
	},
	func(m *model, n int) { // the front end sends
		id := m.id()
		e := comm.Event{Kind: comm.Sending, ID: id, Message: data(n)}
		if _, open := m.open[id]; !open {
			m.receive(e, comm.ErrNoComm)
			m.want("front end sends to nobody", nil, nil)
			return
		}
		m.receive(e, nil)
		m.want("front end sends "+id, nil, []string{fmt.Sprintf("message %s %d", id, n)})
	},
	func(m *model, n int) { // the front end closes
		id := m.id()
		e := comm.Event{Kind: comm.Closing, ID: id, Message: data(n)}
		if _, open := m.open[id]; !open {
			m.receive(e, comm.ErrNoComm)
			m.want("front end closes nothing", nil, nil)
			return
		}
		delete(m.open, id)
		m.receive(e, nil)
		m.want("front end closes "+id, nil, []string{fmt.Sprintf("close %s %d", id, n)})
	},
}

func data(n int) comm.Message { return comm.Message{Data: fmt.Append(nil, n)} }

// TestModel takes random steps of both sides and compares each with a model.
func TestModel(t *testing.T) {
	const seeds, steps = 50, 300
	for seed := range uint64(seeds) {
		m := &model{t: t, rand: rand.New(rand.NewPCG(seed, 0)), targets: map[string]bool{}, open: map[string]string{}, handles: map[string]*comm.Comm{}}
		display.Run(&m.host, func() {
			for n := range steps {
				modelSteps[m.rand.IntN(len(modelSteps))](m, n)
			}
		})
	}
}

// TestOverlapping has goroutines send on comms that either side closes meanwhile. Nothing is posted for a comm behind its end,
// what each goroutine sends comes in order, and an end is told once.
func TestOverlapping(t *testing.T) {
	const comms, senders, messages = 20, 4, 200
	var host recorder
	var ended sync.Map // ids that the front end has closed, and how often it was told
	display.Run(&host, func() {
		var all sync.WaitGroup
		for i := range comms {
			c, err := comm.Open("t", nil)
			if err != nil {
				t.Fatal(err)
			}
			c.OnClose(func(comm.Message) {
				if _, twice := ended.LoadOrStore(c.ID(), true); twice {
					t.Errorf("%s was closed twice", c.ID())
				}
			})
			for s := range senders {
				all.Go(func() {
					for n := range messages {
						if err := c.Send([2]int{s, n}); err != nil {
							if !errors.Is(err, comm.ErrClosed) {
								t.Error(err)
							}
							return
						}
					}
				})
			}
			for range 2 {
				all.Go(func() {
					if i%3 == 0 {
						if err := c.Close(); err != nil {
							t.Error(err)
						}
						return
					}
					call, err := host.comms.Receive(&host, comm.Event{Kind: comm.Closing, ID: c.ID()})
					if err == nil {
						call()
						host.Post(comm.Event{Kind: comm.Closing, ID: c.ID()}) // a mark for the check below
					}
				})
			}
		}
		all.Wait()
	})
	closed, last := map[string]bool{}, map[string]int{}
	for _, e := range host.posted {
		if closed[e.ID] {
			t.Fatalf("%v %s behind the end of %s", e.Kind, e.Message, e.ID)
		}
		switch e.Kind {
		case comm.Closing:
			closed[e.ID] = true
		case comm.Sending:
			var said [2]int
			if err := e.Message.Decode(&said); err != nil {
				t.Fatal(err)
			}
			key := fmt.Sprint(e.ID, said[0])
			if said[1] != last[key] {
				t.Fatalf("%s: message %d comes in the place of %d", key, said[1], last[key])
			}
			last[key]++
		}
	}
	if len(closed) != comms || len(host.comms.Open("")) != 0 {
		t.Errorf("%d comms are closed and %v open, want %d and none", len(closed), host.comms.Open(""), comms)
	}
}
