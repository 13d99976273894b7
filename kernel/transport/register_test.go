package transport

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"

	"orthant/kernel/wire"
)

// A launcher is the other side of a registration: a ROUTER socket, as Jupyter's would be.
type launcher struct {
	net.Listener
	codec *wire.Codec
}

// newLauncher returns a launcher, and a transport that is to register with it.
func newLauncher(t *testing.T) (*launcher, *Transport) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	info := wire.ConnectionInfo{
		Transport: "tcp", IP: "127.0.0.1", Key: "secret",
		Registration: wire.Registration{IP: "127.0.0.1", Port: portOf(l), KernelID: "k1"},
	}
	codec, err := wire.NewCodec(info)
	if err != nil {
		t.Fatal(err)
	}
	return &launcher{l, codec}, startAt(t, info, Options{})
}

// answer takes one registration and sends answers; the connection stays until the kernel closes it.
func (l *launcher) answer(answers ...[][]byte) (registration [][]byte, err error) {
	conn, err := l.Accept()
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	z, err := zmq4.Open(conn, null.Security(), zmq4.Router, nil, true, nil)
	if err != nil {
		return nil, err
	}
	m, err := z.RecvMsg()
	for _, a := range answers {
		if err == nil {
			err = z.SendMsg(zmq4.NewMsgFrom(a...))
		}
	}
	if err == nil {
		_, end := z.RecvMsg()
		if end == nil {
			err = errors.New("the kernel said more than its ports")
		}
	}
	return m.Frames, err
}

// acknowledge is what a launcher signs: a word behind a delimiter.
func acknowledge(key, word string) [][]byte {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(word))
	return [][]byte{[]byte("<IDS|MSG>"), hex.AppendEncode(nil, mac.Sum(nil)), []byte(word)}
}

// shortPatience is how long a kernel of these tests waits for what will not come.
const shortPatience = 300 * time.Millisecond

func TestRegister(t *testing.T) {
	l, tr := newLauncher(t)
	type result struct {
		frames [][]byte
		err    error
	}
	heard := make(chan result, 1)
	go func() {
		frames, err := l.answer(acknowledge("another", "ACK"), acknowledge("secret", "ACK"))
		heard <- result{frames, err}
	}()
	if err := tr.Register(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := <-heard
	if got.err != nil {
		t.Fatal(got.err)
	}
	want, err := l.codec.EncodeRegistration(tr.Connection())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(got.frames, want, slices.Equal) || strings.Contains(string(want[2]), `"0"`) {
		t.Errorf("got %q, want %q", got.frames, want)
	}
	// Where the kernel says that it listens, it does.
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, ch := range wire.Channels() {
		c, err := Dial(ctx, tr.Connection(), ch)
		if err != nil {
			t.Errorf("%s: %v", ch, err)
			continue
		}
		if ch == wire.Heartbeat {
			ping := [][]byte{{}, []byte("ping")}
			err := c.Send(ctx, ping)
			if echo, errEcho := c.Receive(ctx); err != nil || errEcho != nil || !slices.EqualFunc(echo, ping, slices.Equal) {
				t.Errorf("heartbeat: got %q, %v, %v", echo, err, errEcho)
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRegisterFails(t *testing.T) {
	for _, tc := range []struct {
		name   string
		launch func(l *launcher)
		want   string
	}{
		{"nobody listens", func(l *launcher) { l.Close() }, "registration at 127.0.0.1:"},
		{"closed in the handshake", func(l *launcher) {
			if conn, err := l.Accept(); err == nil {
				conn.Close()
			}
		}, "registration at 127.0.0.1:"},
		{"silent", func(l *launcher) {
			if conn, err := l.Accept(); err == nil {
				defer conn.Close()
				conn.Read(make([]byte, 1<<10))
				conn.Read(make([]byte, 1<<10)) // until the kernel closes it
			}
		}, "the launcher does not acknowledge"},
		{"not signed", func(l *launcher) {
			l.answer([][]byte{[]byte("<IDS|MSG>"), {}, []byte("ACK")})
		}, "the launcher does not acknowledge"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l, tr := newLauncher(t)
			ctx, cancel := context.WithTimeout(t.Context(), shortPatience)
			defer cancel()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				tc.launch(l)
			}()
			err := tr.Register(ctx)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
			l.Close()
			<-ended
		})
	}
}
