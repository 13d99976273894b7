package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// A Probed is what a kernel said and how long it took.
type Probed struct {
	Implementation string // in kernel_info_reply
	Version        string // of the implementation
	Protocol       string // that it claims to speak

	Ready time.Duration // from its start to its first kernel_info_reply
	Cell  time.Duration // from its start to the reply to a first cell; 0 where none was run
}

// Probe starts a kernel as Jupyter would and talks to it over all five channels: it asks what the kernel is, has it run
// the cell unless that is empty, takes the echo of a heartbeat, and shuts it down. The command is a kernelspec's argv, the
// environment is added to this process's. The kernel's process has ended when Probe returns. The error says how far it
// came and, where the process has failed, what it said last; ctx bounds the time.
func Probe(ctx context.Context, command, environment []string, cell string) (Probed, error) {
	dir, err := os.MkdirTemp("", "orthant-probe-*")
	if err != nil {
		return Probed{}, fmt.Errorf("kernel: probe: %w", err)
	}
	p := &probe{start: time.Now(), sender: wire.NewSender("probe"), channels: make(map[wire.Channel]*transport.Client)}
	err = p.run(ctx, dir, command, environment, cell)
	if errRemove := os.RemoveAll(dir); err == nil {
		err = errRemove
	}
	if err != nil {
		return p.found, fmt.Errorf("kernel: probe: %w", err)
	}
	return p.found, nil
}

// A probe is one conversation with a kernel.
type probe struct {
	start    time.Time
	info     wire.ConnectionInfo
	codec    *wire.Codec
	sender   *wire.Sender
	channels map[wire.Channel]*transport.Client
	found    Probed
}

func (p *probe) run(ctx context.Context, dir string, command, environment []string, cell string) error {
	file := filepath.Join(dir, "kernel.json")
	if err := p.prepare(file); err != nil {
		return err
	}
	process, err := startProbed(command, environment, file)
	if err != nil {
		return err
	}
	defer process.end()
	err = p.talk(ctx, process, cell)
	for _, c := range p.channels {
		c.Close() // nothing is left to be said
	}
	if err != nil {
		return process.explain(ctx, err)
	}
	return process.await(ctx)
}

// prepare writes a connection file with ports that are free now.
func (p *probe) prepare(file string) error {
	p.info = wire.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: uuid.NewString()}
	for _, ch := range wire.Channels() {
		l, err := net.Listen("tcp", p.info.IP+":0")
		if err != nil {
			return err
		}
		defer l.Close() // when all five are known, so that they differ
		p.info = p.info.SetPort(ch, l.Addr().(*net.TCPAddr).Port)
	}
	data, err := json.Marshal(p.info)
	if err != nil {
		return err
	}
	if p.codec, err = wire.NewCodec(p.info); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

// talk goes through the conversation.
func (p *probe) talk(ctx context.Context, process *probed, cell string) error {
	for _, ch := range wire.Channels() {
		if err := p.connect(ctx, process, ch); err != nil {
			return err
		}
	}
	// No more of the reply is looked at, for other kernels are found, too: ipykernel's codemirror_mode is an object.
	var info struct {
		Implementation string `json:"implementation"`
		Version        string `json:"implementation_version"`
		Protocol       string `json:"protocol_version"`
	}
	if err := p.ask(ctx, wire.Shell, wire.KernelInfoRequest{}, &info); err != nil {
		return err
	}
	p.found.Ready = time.Since(p.start)
	p.found.Implementation, p.found.Version, p.found.Protocol = info.Implementation, info.Version, info.Protocol
	if err := p.beat(ctx); err != nil {
		return err
	}
	if cell != "" {
		var reply wire.ErrorReply
		if err := p.ask(ctx, wire.Shell, wire.ExecuteRequest{Code: cell}, &reply); err != nil {
			return err
		}
		if reply.Status != wire.OK {
			return fmt.Errorf("the cell %q fails: %s: %s", cell, reply.Ename, reply.Evalue)
		}
		p.found.Cell = time.Since(p.start)
	}
	var bye wire.ShutdownReply
	return p.ask(ctx, wire.Control, wire.ShutdownRequest{}, &bye)
}

// connect connects to a channel, which a kernel that starts may not have yet.
func (p *probe) connect(ctx context.Context, process *probed, ch wire.Channel) error {
	const pause = 5 * time.Millisecond // nothing tells when another process listens
	for {
		c, err := transport.Dial(ctx, p.info, ch)
		if err == nil {
			p.channels[ch] = c
			return nil
		}
		select {
		case <-process.ended:
			return fmt.Errorf("%s does not listen", ch)
		case <-ctx.Done():
			return fmt.Errorf("%s does not listen: %w", ch, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// ask sends a request and decodes its reply.
func (p *probe) ask(ctx context.Context, ch wire.Channel, request wire.Content, reply any) error {
	m, err := p.sender.New(nil, request)
	if err != nil {
		return err
	}
	frames, err := p.codec.Encode(m)
	if err != nil {
		return err
	}
	if err := p.channels[ch].Send(ctx, frames); err != nil {
		return fmt.Errorf("%s cannot be sent: %w", request.MessageType(), err)
	}
	for {
		frames, err := p.channels[ch].Receive(ctx)
		if err != nil {
			return fmt.Errorf("%s is not answered: %w", request.MessageType(), err)
		}
		answer, err := p.codec.Decode(frames)
		if err != nil {
			return fmt.Errorf("%s: %w", request.MessageType(), err)
		}
		if parent, err := answer.Parent(); err == nil && parent.MsgID == m.Header.MsgID {
			return answer.Unmarshal(reply)
		}
	}
}

// beat sends a heartbeat and waits for its echo.
func (p *probe) beat(ctx context.Context) error {
	c, ping := p.channels[wire.Heartbeat], [][]byte{{}, []byte("ping")} // the empty frame is a REQ socket's
	err := c.Send(ctx, ping)
	if err == nil {
		_, err = c.Receive(ctx)
	}
	if err != nil {
		return fmt.Errorf("the heartbeat is not answered: %w", err)
	}
	return nil
}
