package kernel

import (
	"context"
	"slices"
	"sync"
	"time"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// A shell is one line of execution: the main shell, or a subshell (subshell.go). It answers its requests one at a time and in
// their order of arrival, in a goroutine of its own: while a cell of one shell computes, the others answer.
type shell struct {
	id     string // the requests' subshell_id; empty for the main shell
	number int    // by which messages to people name it: subshells are numbered from 1, the main shell is 0
	count  int    // cells executed and stored; the shell's goroutine only

	ended chan struct{} // closed when the shell answers no more

	mu         sync.Mutex // guards what follows
	waiting    []*transport.Request
	wake       chan struct{}  // has room for one token: there may be a request, or the shell is deleted
	abortUntil uint64         // transport's number of the last request of which execute requests are aborted
	deleted    bool           // nothing more comes, and what waits is aborted
	cell       *interruptible // the cell that runs, nil when none does
	between    bool           // a cell has ended while others waited, and none of these has begun
}

func newShell(id string) *shell {
	return &shell{id: id, ended: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// put queues a request; it reports false where the shell is deleted.
func (sh *shell) put(from *transport.Request) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.deleted {
		return false
	}
	sh.waiting = append(sh.waiting, from)
	sh.signal()
	return true
}

// take returns the next request, waiting for one until ctx is done. It returns nil then, and when a deleted shell has nothing
// left.
func (sh *shell) take(ctx context.Context) (from *transport.Request, aborted bool) {
	for ctx.Err() == nil {
		from, aborted, over := sh.pop()
		if from != nil || over {
			return from, aborted
		}
		select {
		case <-sh.wake:
		case <-ctx.Done():
		}
	}
	return nil, false
}

// pop takes the first request off, nil if there is none; over says that none will come, and aborted that it is not to be
// answered any more.
func (sh *shell) pop() (from *transport.Request, aborted, over bool) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if len(sh.waiting) == 0 {
		sh.between = false
		return nil, false, sh.deleted
	}
	from = sh.waiting[0]
	sh.waiting[0] = nil // the array lives on; the request need not
	sh.waiting = sh.waiting[1:]
	return from, sh.deleted, false
}

// signal wakes the shell's goroutine. sh.mu is held.
func (sh *shell) signal() {
	select {
	case sh.wake <- struct{}{}:
	default:
	}
}

// serveShell answers the requests of a shell until ctx is done or the shell is deleted.
func (k *kernel) serveShell(ctx context.Context, sh *shell) {
	defer close(sh.ended)
	for {
		from, aborted := sh.take(ctx)
		if from == nil {
			return
		}
		if from.Message.Header.MsgType == "execute_request" {
			k.awaitSubscriber(ctx)
		}
		handle := k.handlers[wire.Shell][from.Message.Header.MsgType]
		if aborted {
			handle = (*kernel).abortRequest
		}
		k.dispatch(ctx, &request{Message: from.Message, from: from, shell: sh}, handle)
	}
}

// subscriberTime is how long a kernel's first cell waits for somebody to listen on IOPub, which clients connect while they
// connect shell.
const subscriberTime = time.Second

// awaitSubscriber waits until somebody has subscribed on IOPub, once and for a while. A client that asks for a cell as soon as
// shell is there may be deaf on IOPub yet; jupyter_console 6.6 then waits for ever for the idle that it has missed.
func (k *kernel) awaitSubscriber(ctx context.Context) {
	k.subscribed.Do(func() {
		ctx, cancel := context.WithTimeout(ctx, subscriberTime)
		defer cancel()
		select {
		case <-k.transport.Subscribed():
		case <-ctx.Done():
		}
	})
}

// abortRequest answers a request that waited for a shell which has been deleted.
func (k *kernel) abortRequest(_ context.Context, r *request) (wire.Content, error) {
	if reply := r.replyType(); reply != "" {
		return wire.NewAbortedReply(reply), nil
	}
	k.log.Warn("message for a deleted subshell dropped", "type", r.Header.MsgType, "subshell", r.Header.SubshellID)
	return nil, nil
}

// shells are the lines of execution of a kernel, by the ids that requests name. The main shell is always there.
type shells struct {
	mu   sync.Mutex
	all  []*shell // the main shell first, the others in the order of their making
	made int      // subshells so far
	// leaving are deleted and still busy; the end of the kernel waits for them, too.
	leaving []*shell
}

func newShells() *shells { return &shells{all: []*shell{newShell("")}} }

// main returns the main shell.
func (s *shells) main() *shell {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[0]
}

// create adds a new subshell and returns it.
func (s *shells) create(id string) *shell {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := newShell(id)
	s.made++
	sh.number = s.made
	s.all = append(s.all, sh)
	return sh
}

// find returns the shell with an id, nil if there is none.
func (s *shells) find(id string) *shell {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.index(id); i >= 0 {
		return s.all[i]
	}
	return nil
}

// remove takes a subshell out and returns it; nil if there is none with that id.
func (s *shells) remove(id string) *shell {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.index(id)
	if i <= 0 { // 0 is the main shell
		return nil
	}
	sh := s.all[i]
	s.all = slices.Delete(s.all, i, i+1)
	s.leaving = slices.DeleteFunc(s.leaving, (*shell).over)
	s.leaving = append(s.leaving, sh)
	return sh
}

// index returns the place of a shell in s.all, -1 if there is none with that id. s.mu is held.
func (s *shells) index(id string) int {
	return slices.IndexFunc(s.all, func(sh *shell) bool { return sh.id == id })
}

// ids returns the ids of the subshells.
func (s *shells) ids() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, sh := range s.all[1:] {
		ids = append(ids, sh.id)
	}
	return ids
}

// list returns all shells, deleted ones that are still busy among them.
func (s *shells) list() []*shell {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat(s.all, s.leaving)
}

// over reports whether the shell answers no more.
func (sh *shell) over() bool {
	select {
	case <-sh.ended:
		return true
	default:
		return false
	}
}
