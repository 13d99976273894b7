package wire

import "sync"

// replayMemory is how many signatures are remembered: as many as jupyter_client remembers (digest_history_size).
const replayMemory = 1 << 16

// A replayGuard remembers the last signatures that were accepted. It is safe for concurrent use.
type replayGuard struct {
	mu   sync.Mutex
	seen map[string]struct{}
	ring []string // the same signatures in order of arrival
	next int      // where in ring the oldest is, once it is full
}

// admit remembers a signature and reports whether it is new.
func (g *replayGuard) admit(signature string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, old := g.seen[signature]; old {
		return false
	}
	if g.seen == nil {
		g.seen = make(map[string]struct{})
	}
	g.seen[signature] = struct{}{}
	if len(g.ring) < replayMemory {
		g.ring = append(g.ring, signature)
		return true
	}
	delete(g.seen, g.ring[g.next])
	g.ring[g.next] = signature
	g.next = (g.next + 1) % replayMemory
	return true
}
