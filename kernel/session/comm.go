package session

import "orthant/stdlib/comm"

// A run is a comm.Host if the caller's sink is one.

var _ comm.Host = (*run)(nil)

// Comms implements comm.Host.
func (r *run) Comms() *comm.Registry {
	if h, ok := r.out.Sink.(comm.Host); ok {
		return h.Comms()
	}
	return nil
}

// Post implements comm.Host. The event goes behind what the cell has written to os.Stdout and os.Stderr.
func (r *run) Post(e comm.Event) error {
	r.session.streams.drain()
	return r.out.Sink.(comm.Host).Post(e) // there are comms
}

// Wait implements comm.Host.
func (r *run) Wait() { r.out.Sink.(comm.Host).Wait() }
