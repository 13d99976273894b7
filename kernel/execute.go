package kernel

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"orthant/kernel/session"
	"orthant/kernel/wire"
	"orthant/stdlib/display"
)

// executeRequest runs a cell.
//
// A silent request shows nothing, whatever it does, and leaves the counter and the history alone; so does store_history
// false with the last two. An error aborts the execute requests that the same shell has got until then, unless the request
// says that they shall go on.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#execute
func (k *kernel) executeRequest(ctx context.Context, r *request) (wire.Content, error) {
	var in wire.ExecuteRequest
	if err := r.Unmarshal(&in); err != nil {
		return nil, err
	}
	r.metadata = k.timing()
	cell := r.shell.begin(r.from.Seq)
	if cell == nil {
		return k.abortExecute(ctx, r)
	}
	defer r.shell.end()
	if in.StoreHistory {
		r.shell.count++
	}
	if !in.Silent {
		if err := k.pub.publish(r.Message, wire.ExecuteInput{Code: in.Code, ExecutionCount: r.shell.count}); err != nil {
			return nil, err
		}
	}
	channel := k.commChannel(r.Message, cell.ctx.Done())
	run := cellRun{in: in, shell: r.shell.number, number: r.shell.count, ctx: cell.ctx, sink: &silentOutput{commChannel: channel}}
	if !in.Silent {
		run.out = newOutput(channel)
		run.out.questions = newQuestions(k, r, in.AllowStdin)
		run.sink = run.out
		k.tellLastWords(run.out)
	}
	reply := k.run(ctx, run)
	reply.Payload = run.sink.all()
	r.metadata["status"] = reply.Status
	if reply.Failure != nil && in.StopOnError && !in.Silent {
		r.shell.abort(k.transport.Arrived(wire.Shell))
	}
	return reply, nil
}

// timing returns the metadata of an execute_reply, as ipykernel has it. JupyterLab computes from started, and from the date of
// the reply, how long the cell took. Dependencies and engine are ipyparallel's: there are none, and one.
func (k *kernel) timing() wire.Object {
	return wire.Object{"started": wire.Date(time.Now()), "dependencies_met": true, "engine": k.sender.Session()}
}

// tellLastWords says once, in the first cell that shows anything, how an earlier kernel of the session ended, and what is
// wrong with the history.
func (k *kernel) tellLastWords(out *output) {
	if words := k.lastWords.take(); words != "" {
		out.Text(display.Stderr, words+"\n")
	}
	if notice := k.history.Notice(); notice != "" {
		out.Text(display.Stderr, notice+"\n")
	}
}

// abortExecute answers an execute request that had arrived when an earlier one failed.
func (k *kernel) abortExecute(_ context.Context, r *request) (wire.Content, error) {
	r.metadata = k.timing()
	r.metadata["status"] = wire.Aborted
	return wire.NewAbortedReply("execute_reply"), nil
}

// A cellRun is what one execute request runs with.
type cellRun struct {
	in     wire.ExecuteRequest
	shell  int             // the number of the shell
	number int             // the execution count
	ctx    context.Context // of the cell: cancelled by an interrupt
	sink   cellSink
	out    *output // the same sink; nil when the request is silent
}

// cell returns the cell for the session. One that is not stored has no number: the count is the last stored cell's, whose
// text the session keeps under it.
func (run cellRun) cell() session.Cell {
	if !run.in.StoreHistory {
		return session.Cell{Source: run.in.Code}
	}
	return session.Cell{Number: session.CellNumber(run.shell, run.number), Source: run.in.Code}
}

// run runs a cell and publishes how it ended.
func (k *kernel) run(ctx context.Context, run cellRun) wire.ExecuteReply {
	reply := wire.ExecuteReply{Status: wire.OK, ExecutionCount: run.number}
	kept := func(*display.Bundle) {}
	if run.in.StoreHistory {
		kept = k.keep(run)
	}
	s, err := k.sessionFor(ctx, run.ctx)
	var result *display.Bundle
	var failure *session.Error
	if err != nil {
		failure = &session.Error{Name: "KernelError", Value: err.Error(), Traceback: []string{err.Error()}}
	} else {
		result, failure = k.guarded(func() (*display.Bundle, *session.Error) {
			return s.Execute(run.ctx, run.cell(), run.sink)
		})
	}
	if failure == nil && len(run.in.UserExpressions) > 0 {
		reply.UserExpressions = k.evaluate(s, run)
	}
	if run.out != nil {
		run.out.finish()
		if result != nil {
			run.out.result(run.number, *result)
		}
	}
	kept(result)
	if failure != nil {
		reply.Status = wire.Failed
		reply.Failure = &wire.Failure{Ename: failure.Name, Evalue: failure.Value, Traceback: failure.Traceback}
		if run.out != nil {
			run.out.publish(wire.Error{Failure: *reply.Failure})
		}
	}
	return reply
}

// evaluate evaluates the user expressions of a request, in the order of their names. One that fails fails alone.
func (k *kernel) evaluate(s interpreter, run cellRun) map[string]wire.Expression {
	results := make(map[string]wire.Expression, len(run.in.UserExpressions))
	for _, name := range slices.Sorted(maps.Keys(run.in.UserExpressions)) {
		value, failure := k.guarded(func() (*display.Bundle, *session.Error) {
			return s.Evaluate(run.ctx, run.in.UserExpressions[name], run.sink)
		})
		results[name] = expression(value, failure)
	}
	return results
}

// expression returns the result of a user expression as it goes on the wire.
func expression(value *display.Bundle, failure *session.Error) wire.Expression {
	if failure != nil {
		return wire.Expression{Failure: &wire.Failure{
			Ename: failure.Name, Evalue: failure.Value, Traceback: failure.Traceback,
		}}
	}
	if value == nil {
		value = new(display.Bundle)
	}
	data, err := wire.Bundle(value.Data)
	if err != nil {
		return wire.Expression{Failure: &wire.Failure{Ename: "KernelError", Evalue: err.Error()}}
	}
	return wire.Expression{Data: data, Metadata: value.Metadata}
}

// guarded calls the session. A panic that escapes it is a bug of ours; it fails the cell, where the user sees it.
func (k *kernel) guarded(call func() (*display.Bundle, *session.Error)) (b *display.Bundle, failure *session.Error) {
	defer func() {
		if p := recover(); p != nil {
			stack := string(debug.Stack())
			k.log.Error("session panicked", "panic", p, "stack", stack)
			text := fmt.Sprintf("internal error of the kernel: %v", p)
			b, failure = nil, &session.Error{Name: "KernelError", Value: text, Traceback: []string{text, stack}}
		}
	}()
	return call()
}
