package kernel

import (
	"strings"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// asking is a request for a cell whose front end takes questions.
func asking(code string) wire.ExecuteRequest {
	request := kerneltest.Request(code)
	request.AllowStdin = true
	return request
}

// TestInput checks that a question follows the text before it, goes to the client whose cell asks, and that the cell gets the
// answer.
func TestInput(t *testing.T) {
	k, c := startKernel(t)
	other := kerneltest.Dial(t, k.info) // fails its test if it is asked
	e := c.Send(wire.Shell, asking("print before\nask name: \nsecret password: "))
	for _, tt := range []struct{ question, answer string }{
		{`{"prompt":"name: ","password":false}`, "Ada"},
		{`{"prompt":"password: ","password":true}`, "öß\u2028"},
	} {
		question := e.Asked()
		if question == nil {
			t.Fatalf("the cell ended without asking:\n%s", e)
		}
		if got := string(question.Content); got != tt.question {
			t.Errorf("asked %s, want %s", got, tt.question)
		}
		e.WaitForText("stdout", "before\n")
		e.Answer(question, tt.answer)
	}
	e.Wait().Want(
		"busy", "execute_input [1] print before\nask name: \nsecret password: ",
		`stdout "before\n\"Ada\" <nil>\n\"öß\\u2028\" <nil>\n"`, "idle", "execute_reply [1] ok",
	)
	other.Close()
}

// TestInputEnds checks what else can come of a question.
func TestInputEnds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(t *testing.T, k *testKernel, c *kerneltest.Client, e *kerneltest.Exchange, question *wire.Message)
		want   string
	}{
		{"the end of the input", func(t *testing.T, _ *testKernel, _ *kerneltest.Client, e *kerneltest.Exchange, question *wire.Message) {
			e.Answer(question, "\x04")
		}, `"" EOF`},
		{"an empty line", func(t *testing.T, _ *testKernel, _ *kerneltest.Client, e *kerneltest.Exchange, question *wire.Message) {
			e.Answer(question, "")
		}, `"" <nil>`},
		{"a reply without a value", func(t *testing.T, _ *testKernel, _ *kerneltest.Client, e *kerneltest.Exchange, question *wire.Message) {
			e.AnswerWith(question, kerneltest.Unreadable{Value: 7})
		}, `"" <nil>`},
		{"an interrupt", func(t *testing.T, _ *testKernel, c *kerneltest.Client, _ *kerneltest.Exchange, _ *wire.Message) {
			c.Control(wire.InterruptRequest{})
		}, `"" context canceled`},
		{"a shutdown", func(t *testing.T, _ *testKernel, c *kerneltest.Client, _ *kerneltest.Exchange, _ *wire.Message) {
			c.Control(wire.ShutdownRequest{})
		}, `"" context canceled`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, c := startKernel(t)
			e := c.Send(wire.Shell, asking("ask ?"))
			question := e.Asked()
			if question == nil {
				t.Fatalf("the cell ended without asking:\n%s", e)
			}
			tt.answer(t, k, c, e, question)
			if got := e.Wait().Text("stdout"); got != tt.want+"\n" {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestInputOfLostClient checks that a cell does not wait for a client that has gone.
func TestInputOfLostClient(t *testing.T) {
	k, watcher := startKernel(t)
	asker := kerneltest.Dial(t, k.info)
	if asker.Send(wire.Shell, asking("ask ?")).Asked() == nil {
		t.Fatal("the cell ended without asking")
	}
	asker.Close()
	watcher.Execute("print next").Want("busy", "execute_input [2] print next", `stdout "next\n"`, "idle", "execute_reply [2] ok")
}

// TestInputAfterInterrupt checks that an answer which comes too late is not taken for that to the next question.
func TestInputAfterInterrupt(t *testing.T) {
	_, c := startKernel(t)
	first := c.Send(wire.Shell, asking("ask first"))
	stale := first.Asked()
	c.Control(wire.InterruptRequest{})
	first.Wait()
	first.Answer(stale, "stale")
	second := c.Send(wire.Shell, asking("ask second"))
	question := second.Asked()
	first.Answer(stale, "stale")
	second.Answer(question, "fresh")
	if got, want := second.Wait().Text("stdout"), "\"fresh\" <nil>\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestInputOfTwoShells has a cell of each shell ask at the same time; the answers come in the other order.
func TestInputOfTwoShells(t *testing.T) {
	_, c := startKernel(t)
	sub := c.CreateSubshell()
	first := c.Send(wire.Shell, asking("ask main"))
	one := first.Asked()
	second := sub.Send(asking("ask sub"))
	two := second.Asked()
	second.Answer(two, "for the subshell")
	if got, want := second.Wait().Text("stdout"), "\"for the subshell\" <nil>\n"; got != want {
		t.Errorf("the subshell has %q, want %q", got, want)
	}
	first.Answer(one, "for the main shell")
	if got, want := first.Wait().Text("stdout"), "\"for the main shell\" <nil>\n"; got != want {
		t.Errorf("the main shell has %q, want %q", got, want)
	}
}

// TestInputRefused checks that nobody is asked who cannot answer. The client fails the test if it is.
func TestInputRefused(t *testing.T) {
	_, c := startKernel(t)
	e := c.Execute("ask ?") // allow_stdin is false
	if got := e.Text("stdout"); !strings.Contains(got, "no input: the front end takes no questions (allow_stdin is false)") {
		t.Errorf("got %q", got)
	}
	silent := asking("ask ?\nfail over")
	silent.Silent = true
	c.Shell(silent).Want("busy", "idle", "execute_reply [1] error Failure: over")
}
