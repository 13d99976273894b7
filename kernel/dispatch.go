package kernel

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// A handler does what a request asks for and returns the content of the reply; nil where the request has none. With an
// error the reply is that error instead. Busy, the reply and idle are dispatch's.
type handler func(k *kernel, ctx context.Context, r *request) (wire.Content, error)

// handlers has, for each channel, the handler of every message type that the kernel understands.
var handlers = map[wire.Channel]map[string]handler{
	wire.Shell: {
		"comm_close":          (*kernel).commClose,
		"comm_info_request":   (*kernel).commInfoRequest,
		"comm_msg":            (*kernel).commMsg,
		"comm_open":           (*kernel).commOpen,
		"complete_request":    (*kernel).completeRequest,
		"connect_request":     (*kernel).connectRequest,
		"execute_request":     (*kernel).executeRequest,
		"history_request":     (*kernel).historyRequest,
		"inspect_request":     (*kernel).inspectRequest,
		"is_complete_request": (*kernel).isCompleteRequest,
		"kernel_info_request": (*kernel).kernelInfoRequest,
		"shutdown_request":    (*kernel).shutdownRequest, // deprecated since 5.4
	},
	wire.Control: {
		"create_subshell_request": (*kernel).createSubshellRequest, // JEP 91
		"delete_subshell_request": (*kernel).deleteSubshellRequest,
		"interrupt_request":       (*kernel).interruptRequest,
		"kernel_info_request":     (*kernel).kernelInfoRequest, // JEP 80
		"list_subshell_request":   (*kernel).listSubshellRequest,
		"shutdown_request":        (*kernel).shutdownRequest,
		"usage_request":           (*kernel).usageRequest, // ipykernel's
	},
}

// A request is a message that waits for its answer.
type request struct {
	*wire.Message
	from  *transport.Request // the way back
	shell *shell             // that answers it; nil on control, and where it names no shell that there is
	// metadata goes into the reply.
	metadata wire.Object
	// afterwards is called when the request is idle; nil for nothing.
	afterwards func()
}

// dispatch answers one request: busy, what its handler does, the text it left, the reply, idle. Idle comes whatever the
// handler does. A nil handler is that of a message type that the kernel does not understand: there is no reply to invent.
func (k *kernel) dispatch(ctx context.Context, r *request, handle handler) {
	k.transport.Release(r.from)
	k.pub.status(r.Message, wire.Busy)
	if handle != nil {
		content, err := k.handle(ctx, handle, r)
		if err != nil {
			k.log.Warn("request failed", "type", r.Header.MsgType, "error", err)
			content = failedReply(r, err)
		}
		if content != nil {
			k.reply(ctx, r, content)
		}
	} else {
		k.log.Debug("request not understood", "type", r.Header.MsgType, "channel", r.from.Channel)
	}
	k.pub.status(r.Message, wire.Idle)
	if r.afterwards != nil {
		r.afterwards()
	}
}

// handle calls a handler. A panic in it is a bug of ours, which must cost the user this request only.
func (k *kernel) handle(ctx context.Context, handle handler, r *request) (content wire.Content, err error) {
	defer func() {
		if p := recover(); p != nil {
			k.log.Error("handler panicked", "type", r.Header.MsgType, "panic", p, "stack", string(debug.Stack()))
			content, err = nil, fmt.Errorf("kernel: %s: internal error: %v", r.Header.MsgType, p)
		}
	}()
	return handle(k, ctx, r)
}

// flushTime bounds how long a reply waits for the output before it. Clients wait for idle, so the order of the two
// channels is a courtesy, which a stalled subscriber of IOPub must not turn into an unanswered request.
const flushTime = time.Second

// reply sends the reply to a request. A shell's waits for the request's output; control waits for nothing.
func (k *kernel) reply(ctx context.Context, r *request, content wire.Content) {
	m, err := k.sender.New(r.Message, content)
	if err == nil {
		err = m.SetMetadata(r.metadata)
	}
	if err != nil {
		k.log.Error("cannot encode a reply", "type", content.MessageType(), "error", err)
		return
	}
	if r.shell != nil {
		wait, cancel := context.WithTimeout(ctx, flushTime)
		k.pub.flush(wait)
		cancel()
	}
	if err := k.transport.Reply(r.from, m); err != nil && !errors.Is(err, transport.ErrGone) {
		k.log.Warn("cannot reply", "type", content.MessageType(), "error", err)
	}
}

// failedReply returns the reply that says why a request failed, nil for messages without a reply.
func failedReply(r *request, err error) wire.Content {
	reply := r.replyType()
	if reply == "" {
		return nil
	}
	return wire.NewErrorReply(reply, wire.Failure{
		Ename: "KernelError", Evalue: err.Error(), Traceback: []string{err.Error()},
	})
}

// replyType returns the type of the reply to a request, nothing where there is none, as to comm messages.
func (r *request) replyType() string {
	name, asks := strings.CutSuffix(r.Header.MsgType, "_request")
	if !asks {
		return ""
	}
	return name + "_reply"
}
