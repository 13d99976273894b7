package wire

import (
	"encoding/hex"
	"sync"
)

// replayMemory is how many signatures are remembered: as many as jupyter_client remembers (digest_history_size).
const replayMemory = 1 << 16

// A signatureKey is the beginning of a signature: the 128 bits of the shortest scheme, and enough to tell signatures apart
// that nobody without the key can make.
type signatureKey [16]byte

// A replayGuard remembers the last signatures that were accepted. It is safe for concurrent use.
type replayGuard struct {
	mu   sync.Mutex
	seen map[signatureKey]struct{}
	ring []signatureKey // the same signatures in order of arrival
	next int            // where in ring the oldest is, once it is full
}

// admit remembers a signature, which has been verified, and reports whether it is new.
func (g *replayGuard) admit(signature []byte) bool {
	var key signatureKey
	if _, err := hex.Decode(key[:], signature[:hex.EncodedLen(len(key))]); err != nil {
		return false // not as sign writes it: it was not verified
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, old := g.seen[key]; old {
		return false
	}
	if g.seen == nil {
		g.seen = make(map[signatureKey]struct{})
	}
	g.seen[key] = struct{}{}
	if len(g.ring) < replayMemory {
		g.ring = append(g.ring, key)
		return true
	}
	delete(g.seen, g.ring[g.next])
	g.ring[g.next] = key
	g.next = (g.next + 1) % replayMemory
	return true
}
