package comm_test

import (
	"errors"
	"fmt"

	"orthant/stdlib/comm"
	"orthant/stdlib/display"
)

// A frontEnd is a host whose front end prints what comes.
type frontEnd struct{ comms comm.Registry }

func (*frontEnd) Text(display.Stream, string) {}
func (*frontEnd) Display(display.Bundle)      {}
func (*frontEnd) Update(display.Bundle)       {}
func (*frontEnd) Clear(bool)                  {}

func (f *frontEnd) Comms() *comm.Registry { return &f.comms }
func (f *frontEnd) Wait()                 {}
func (f *frontEnd) Post(e comm.Event) error {
	what := e.Kind.String()
	if e.Kind == comm.Opening {
		what += " " + e.Target
	}
	fmt.Println("front end:", what, e.Message)
	return nil
}

// receive takes an event from the front end and runs what it calls, as a kernel does.
func (f *frontEnd) receive(e comm.Event) {
	call, err := f.comms.Receive(f, e)
	if err != nil {
		fmt.Println(err)
	}
	if call != nil {
		display.Run(f, call)
	}
}

// square answers numbers with their squares.
func square(c *comm.Comm, m comm.Message) {
	c.OnMessage(func(m comm.Message) {
		var in struct{ X float64 }
		if err := m.Decode(&in); err != nil {
			panic(err)
		}
		if err := c.Send(map[string]float64{"y": in.X * in.X}); err != nil {
			panic(err)
		}
	})
	c.OnClose(func(m comm.Message) { fmt.Println("closed:", m) })
}

func Example() {
	var front frontEnd
	display.Run(&front, func() { comm.Register("square", square) })
	front.receive(comm.Event{Kind: comm.Opening, ID: "1", Target: "square"})
	front.receive(comm.Event{Kind: comm.Sending, ID: "1", Message: comm.Message{Data: []byte(`{"x":3}`)}})
	front.receive(comm.Event{Kind: comm.Closing, ID: "1", Message: comm.Message{Data: []byte(`{"reason":"done"}`)}})
	// Output:
	// front end: send {"y":9}
	// closed: {"reason":"done"}
}

func ExampleRegister() {
	comm.Register("clock", func(c *comm.Comm, m comm.Message) {
		c.OnMessage(func(m comm.Message) { fmt.Println("asked for", m) })
	})
	comm.Register("clock", nil) // no more
	// Output:
}

func ExampleOpen() {
	// Outside of a notebook nobody listens, and all goes well.
	c, err := comm.Open("descent", map[string]string{"title": "objective"})
	if err != nil {
		panic(err)
	}
	for i, f := range []float64{4, 2, 1} {
		if err := c.Send(map[string]any{"iteration": i, "objective": f}); err != nil {
			panic(err)
		}
	}
	fmt.Println(c.Target(), c.Close())
	// Output: descent <nil>
}

func ExampleOpenMessage() {
	var front frontEnd
	display.Run(&front, func() {
		m, err := comm.NewMessage(map[string]any{"state": map[string]int{"value": 7}, "buffer_paths": []any{}})
		if err != nil {
			panic(err)
		}
		m.Metadata = map[string]any{"version": "2.1.0"}
		if _, err := comm.OpenMessage("jupyter.widget", m); err != nil {
			panic(err)
		}
	})
	// Output: front end: open jupyter.widget {"buffer_paths":[],"state":{"value":7}}
}

func ExampleComm_Send() {
	var front frontEnd
	display.Run(&front, func() {
		c, err := comm.Open("bytes", nil)
		if err != nil {
			panic(err)
		}
		if err := c.Send(map[string]string{"type": "png"}, []byte("a picture")); err != nil {
			panic(err)
		}
		if err := c.Close(); err != nil {
			panic(err)
		}
		fmt.Println(errors.Is(c.Send("late"), comm.ErrClosed))
	})
	// Output:
	// front end: open bytes {}
	// front end: send {"type":"png"} and 1 buffer of 9 bytes
	// front end: close {}
	// true
}

func ExampleMessage_Decode() {
	m := comm.Message{Data: []byte(`{"name":"k","value":5}`)}
	var set struct {
		Name  string
		Value int
	}
	fmt.Println(m.Decode(&set), set.Name, set.Value)
	// Output: <nil> k 5
}

func ExampleNewMessage() {
	m, err := comm.NewMessage([]int{1, 2}, []byte("abc"))
	fmt.Println(m, err)
	// Output: [1,2] and 1 buffer of 3 bytes <nil>
}
