package kernel

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"orthant/kernel/history"
	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// A shortfall is a demand of a case that the kernel does not meet yet. All other demands of the case must be met.
type shortfall struct {
	name   string // of the case
	cell   int    // from 1
	demand string
}

// cannotYet lists the shortfalls, each with its reason. One that is met fails the test, so that the list can only shrink.
var cannotYet = map[shortfall]string{}

// TestCases plays testdata/cases.md, each case as a notebook of its own: in a real session, through real sockets. What the
// note of C34 asks for, many runs under nbclient with the shutdown straight after the last cell, is in TestJupyter.
func TestCases(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "cases.md"))
	if err != nil {
		t.Fatal(err)
	}
	cases, err := parseCases(string(text))
	if err != nil {
		t.Fatalf("testdata/cases.md: %v", err)
	}
	names := make(map[string]bool)
	for _, c := range cases {
		names[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			if c.name == "C35" && testing.Short() {
				t.Skip("prints four million lines; not with -short")
			}
			c.check(t)
		})
	}
	for s := range cannotYet {
		if !names[s.name] {
			t.Errorf("the list names %s, which is no case", s.name)
		}
	}
}

// check plays a case and fails the test for each demand that is not met and not listed, or listed and met.
func (c notebookCase) check(t *testing.T) {
	listed := maps.Clone(cannotYet)
	maps.DeleteFunc(listed, func(s shortfall, _ string) bool { return s.name != c.name })
	c.play(t, func(cell int, d demand, wrong string) {
		s := shortfall{c.name, cell, d.text}
		if reason, known := listed[s]; known {
			t.Logf("cell %d, %s: %s (known: %s)", cell, d.text, wrong, reason)
			delete(listed, s)
			return
		}
		t.Errorf("cell %d, %s: %s, in\n%s", cell, d.text, wrong, c.cells[cell-1].source)
	})
	for s := range listed {
		t.Errorf("cell %d meets %q, or has no such demand: take it off the list", s.cell, s.demand)
	}
}

// play plays a case and tells of each demand that is not met.
func (c notebookCase) play(t *testing.T, tell func(cell int, d demand, wrong string)) {
	cells := history.Open("", nil)
	t.Cleanup(func() {
		if err := cells.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	k := startKernelWith(t, nil, func() (interpreter, error) { return openSession(cells) })
	client := kerneltest.Dial(t, k.info)
	var queued []*kerneltest.Exchange
	for i := range c.cells {
		p := &played{client: client, cell: c.cells[i]}
		switch m := p.cell.manner; {
		case m.queued:
			p.take(t, queued[0].Wait())
			queued = queued[1:]
		case m.interruptAfter > 0:
			queued = p.interrupt(t, k, c.cells[i+1:])
		default:
			p.run(t)
		}
		for _, d := range p.cell.demands {
			if wrong := d.check(p); wrong != "" {
				tell(i+1, d, wrong)
			}
		}
	}
}

// run runs a cell to its end and answers its questions.
func (p *played) run(t *testing.T) {
	request := kerneltest.Request(p.cell.source)
	request.AllowStdin = p.cell.manner.asks
	start := time.Now()
	e := p.client.Send(wire.Shell, request)
	for question := e.Asked(); question != nil; question = e.Asked() {
		p.asked++
		e.Answer(question, p.cell.manner.answer)
	}
	e.Wait()
	p.took = time.Since(start)
	p.take(t, e)
}

// interrupt runs a cell, interrupts it after its time, and waits for its end. It returns the cells sent meanwhile: those of
// the next ones that are to be queued.
func (p *played) interrupt(t *testing.T, k *testKernel, next []caseCell) (queued []*kerneltest.Exchange) {
	arrived := k.transport.Arrived(wire.Shell)
	e := p.client.Send(wire.Shell, kerneltest.Request(p.cell.source))
	for _, cell := range next {
		if !cell.manner.queued {
			break
		}
		queued = append(queued, p.client.Send(wire.Shell, kerneltest.Request(cell.source)))
	}
	waitForArrival(t, k, arrived+1+uint64(len(queued)))
	time.Sleep(p.cell.manner.interruptAfter) // how long the cell is to have run, not to order anything
	start := time.Now()
	p.client.Control(wire.InterruptRequest{})
	e.Wait()
	p.afterInterrupt = time.Since(start)
	p.take(t, e)
	return queued
}

// take takes what has come of a cell.
func (p *played) take(t *testing.T, e *kerneltest.Exchange) {
	t.Helper()
	var reply struct {
		Status string
		wire.Failure
	}
	e.Decode(&reply)
	p.status, p.failure = reply.Status, reply.Failure
	idle := false
	for _, m := range e.Messages() {
		switch m.Header.MsgType {
		case "execute_input": // no output
		case "status":
			idle = idle || content[wire.KernelStatus](t, m).ExecutionState == wire.Idle
		case "stream":
			p.takeText(content[wire.Stream](t, m), idle)
		case "execute_result":
			p.results = append(p.results, content[wire.ExecuteResult](t, m).Data.Text("text/plain"))
			p.everything += string(m.Content) + "\n"
		case "error":
			f := content[wire.Error](t, m).Failure
			p.errors = append(p.errors, f)
			p.everything += f.Ename + "\n" + plain(f) + "\n"
		default:
			p.everything += string(m.Content) + "\n"
		}
	}
}

// takeText takes text. What comes after idle is the cell's output, but too late to be what it is to print.
func (p *played) takeText(s wire.Stream, late bool) {
	p.everything += s.Text
	switch {
	case late:
	case s.Name == "stderr":
		p.stderr += s.Text
	default:
		p.stdout += s.Text
	}
}

// content returns the decoded content of a message.
func content[T any](t *testing.T, m *wire.Message) T {
	t.Helper()
	var v T
	if err := m.Unmarshal(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
