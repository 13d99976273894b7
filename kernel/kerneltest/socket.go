package kerneltest

import (
	"net"
	"time"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"

	"orthant/kernel/wire"
)

// clientSockets are the client's ends of the channels.
var clientSockets = map[wire.Channel]zmq4.SocketType{
	wire.Shell:     zmq4.Dealer,
	wire.Control:   zmq4.Dealer,
	wire.Stdin:     zmq4.Dealer,
	wire.IOPub:     zmq4.Sub,
	wire.Heartbeat: zmq4.Req,
}

// A socket is a connection to one channel of a kernel. It does not reconnect: a connection that ends is something a
// test wants to know.
type socket struct {
	raw  net.Conn
	conn *zmq4.Conn
}

// dialSocket connects to a channel with a routing identity; empty for none.
func dialSocket(info wire.ConnectionInfo, ch wire.Channel, identity string) (*socket, error) {
	network, address := info.Address(ch)
	raw, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	conn, err := zmq4.Open(raw, null.Security(), clientSockets[ch], zmq4.SocketIdentity(identity), false, nil)
	if err != nil {
		raw.Close()
		return nil, err
	}
	return &socket{raw: raw, conn: conn}, nil
}

// dialPatiently is dialSocket, tried again for a while: a kernel that starts in another process tells nobody when it
// listens.
func dialPatiently(info wire.ConnectionInfo, ch wire.Channel, identity string) (*socket, error) {
	const pause = 5 * time.Millisecond
	for deadline := time.Now().Add(Timeout); ; time.Sleep(pause) {
		s, err := dialSocket(info, ch, identity)
		if err == nil || time.Now().After(deadline) {
			return s, err
		}
	}
}

func (s *socket) send(frames [][]byte) error { return s.conn.SendMsg(zmq4.NewMsgFrom(frames...)) }

func (s *socket) receive() ([][]byte, error) {
	m, err := s.conn.RecvMsg()
	if err != nil {
		return nil, err
	}
	return m.Frames, m.Err()
}

func (s *socket) close() error { return s.raw.Close() }

// subscribe asks for the messages whose topic begins with prefix.
func (s *socket) subscribe(prefix string) error {
	return s.send([][]byte{append([]byte{1}, prefix...)})
}
