package comm_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"orthant/stdlib/comm"
	"orthant/stdlib/display"
)

// TestNobodyThere uses comms outside of any run.
func TestNobodyThere(t *testing.T) {
	comm.Register("t", func(*comm.Comm, comm.Message) { t.Error("called") })
	c, err := comm.Open("t", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Send(1, []byte("x")), c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if err := c.Send(1); !errors.Is(err, comm.ErrClosed) {
		t.Errorf("got %v, want ErrClosed", err)
	}
}

// TestBadMessages sends what cannot be sent; the comm stays open.
func TestBadMessages(t *testing.T) {
	c, err := comm.Open("t", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"NaN", c.Send(math.NaN()), "comm: data of type float64: json: unsupported value: NaN"},
		{"a channel", c.Send(make(chan int)), "comm: data of type chan int: json: unsupported type: chan int"},
		{"no JSON", c.SendMessage(comm.Message{Data: []byte("{")}), "the data is not JSON; NewMessage encodes a value"},
		{"no JSON at the end", c.CloseMessage(comm.Message{Data: []byte("")}), "the data is not JSON; NewMessage encodes a value"},
		{"decoding", comm.Message{Data: []byte(`"x"`)}.Decode(new(int)), "comm: data of a message: json: cannot unmarshal string into Go value of type int"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.err == nil || !strings.HasSuffix(test.err.Error(), test.want) {
				t.Errorf("got %v, want %s", test.err, test.want)
			}
		})
	}
	if err := c.Send(1); err != nil {
		t.Error(err)
	}
}

// TestMessagesAreCopied changes data and buffers behind a send.
func TestMessagesAreCopied(t *testing.T) {
	var host recorder
	display.Run(&host, func() {
		m := comm.Message{Data: []byte("1"), Buffers: [][]byte{[]byte("abc")}}
		if _, err := comm.OpenMessage("t", m); err != nil {
			t.Fatal(err)
		}
		m.Data[0], m.Buffers[0][0] = '2', 'x'
	})
	if got := host.posted[0].Message; string(got.Data) != "1" || string(got.Buffers[0]) != "abc" {
		t.Errorf("got %v with %s", got, got.Buffers)
	}
}
