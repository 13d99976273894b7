package transport

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/go-zeromq/zmq4"
	"github.com/go-zeromq/zmq4/security/null"

	"orthant/kernel/wire"
)

// A Client is the other end of one channel: what a program needs that asks a kernel something, or a kernel that asks its
// launcher. It is for one conversation and does not reconnect. One goroutine may send while another receives.
type Client struct {
	conn net.Conn
	zmq  *zmq4.Conn
}

// clientKinds are the clients' sockets.
var clientKinds = map[wire.Channel]zmq4.SocketType{
	wire.Shell:     zmq4.Dealer,
	wire.Control:   zmq4.Dealer,
	wire.Stdin:     zmq4.Dealer,
	wire.IOPub:     zmq4.Sub,
	wire.Heartbeat: zmq4.Dealer,
}

// Dial connects to a channel of the kernel at info, until ctx is done. A connection to IOPub subscribes to everything.
func Dial(ctx context.Context, info wire.ConnectionInfo, ch wire.Channel) (*Client, error) {
	network, address := info.Address(ch)
	c, err := connect(ctx, network, address, clientKinds[ch])
	if err == nil && ch == wire.IOPub {
		err = c.Send(ctx, [][]byte{{1}})
	}
	if err != nil {
		return nil, fmt.Errorf("transport: %s: cannot connect to %s: %w", ch, info.Endpoint(ch), err)
	}
	return c, nil
}

// connect connects to any socket.
func connect(ctx context.Context, network, address string, kind zmq4.SocketType) (*Client, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn}
	err = c.until(ctx, func() error {
		g := newGuard(conn, requestLimits)
		c.zmq, err = zmq4.Open(g, null.Security(), kind, nil, false, nil)
		// A conversation is too short for the commands that may come: PINGs of a peer that looks whether we are there.
		g.established(func(string, []byte) error { return nil })
		return err
	})
	if err != nil {
		conn.Close() // the error that matters is the one being returned
		return nil, err
	}
	return c, nil
}

// Send sends the frames of one message, until ctx is done. After an error the connection is of no more use.
func (c *Client) Send(ctx context.Context, frames [][]byte) error {
	return c.until(ctx, func() error { return c.zmq.SendMsg(zmq4.NewMsgFrom(frames...)) })
}

// Receive returns the frames of the next message, waiting for it until ctx is done. After an error the connection is of no
// more use.
func (c *Client) Receive(ctx context.Context) (frames [][]byte, err error) {
	err = c.until(ctx, func() error {
		m, err := c.zmq.RecvMsg()
		frames = m.Frames
		return errors.Join(err, m.Err())
	})
	return frames, err
}

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }

// until runs f, which uses the connection and nothing else, and closes the connection when ctx is done before f is.
func (c *Client) until(ctx context.Context, f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil { // zmq4 panics on some malformed input, see handshake
			err = fmt.Errorf("%v", r)
		}
		if ctx.Err() != nil && err != nil {
			err = ctx.Err() // and not that the connection is closed
		}
	}()
	stop := context.AfterFunc(ctx, func() { c.conn.Close() })
	defer stop()
	return f()
}
