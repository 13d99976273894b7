package doctor

import (
	"context"
	"fmt"
	"net"
	"runtime"
)

// loopback is where Jupyter has kernels listen.
const loopback = "127.0.0.1"

// ports looks whether a program can listen on the loopback interface and another one connect to it.
func (x *examination) ports(ctx context.Context) []Finding {
	if err := checkLoopback(ctx); err != nil && ctx.Err() != nil {
		return []Finding{x.late("ports")}
	} else if err != nil {
		mend := map[string]string{"linux": "sudo ip link set lo up", "darwin": "sudo ifconfig lo0 up"}[runtime.GOOS]
		return []Finding{{"ports", Wrong, fmt.Sprintf("no kernel can be talked to: %v", err), mend}}
	}
	return []Finding{{"ports", OK, "programs can listen on " + loopback + " and be connected to", ""}}
}

func checkLoopback(ctx context.Context) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return err
	}
	defer l.Close() // only for its own connection
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
	if err != nil {
		return err
	}
	return conn.Close()
}
