package kernel

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"orthant/kernel/wire"
)

// subshellFeature is the name of subshells among the supported_features of kernel_info_reply (JEP 91, JEP 92).
const subshellFeature = "kernel subshells"

// routeShell hands the requests of the shell channel to the shells that they name, until ctx is done.
func (k *kernel) routeShell(ctx context.Context) {
	for {
		from, err := k.transport.Receive(ctx, wire.Shell)
		if err != nil {
			return // ctx is done, or the transport closed
		}
		if sh := k.shells.find(from.Message.Header.SubshellID); sh == nil || !sh.put(from) {
			k.dispatch(ctx, &request{Message: from.Message, from: from}, (*kernel).unknownSubshell)
		}
	}
}

// unknownSubshell refuses a request that names a subshell which is not there.
func (k *kernel) unknownSubshell(_ context.Context, r *request) (wire.Content, error) {
	return nil, unknown(r.Header.SubshellID)
}

func unknown(id string) error {
	return fmt.Errorf("kernel: no subshell %q: it was never created, or it has been deleted", id)
}

// createSubshellRequest starts a subshell. The main shell and all subshells work on one session: what a cell of one
// defines, the others see.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#create-subshell
func (k *kernel) createSubshellRequest(ctx context.Context, _ *request) (wire.Content, error) {
	sh := k.shells.create(uuid.NewString())
	go k.serveShell(ctx, sh)
	return wire.CreateSubshellReply{Status: wire.OK, SubshellID: sh.id}, nil
}

// deleteSubshellRequest ends a subshell: the cell that runs is interrupted, and what is queued is aborted. The reply does
// not wait for it.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#delete-subshell
func (k *kernel) deleteSubshellRequest(_ context.Context, r *request) (wire.Content, error) {
	var in wire.DeleteSubshellRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	sh := k.shells.remove(in.SubshellID)
	if sh == nil {
		return nil, unknown(in.SubshellID)
	}
	sh.delete()
	return wire.DeleteSubshellReply{Status: wire.OK}, nil
}

// delete lets the shell end.
func (sh *shell) delete() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.deleted = true
	if sh.cell != nil {
		sh.cell.cancel()
	}
	sh.signal()
}

// listSubshellRequest answers with the ids of the subshells, oldest first.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#list-subshells
func (k *kernel) listSubshellRequest(context.Context, *request) (wire.Content, error) {
	return wire.ListSubshellReply{Status: wire.OK, SubshellID: k.shells.ids()}, nil
}
