package notebook

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
)

// validID is what nbformat 4.5 allows as the id of a cell (JEP 62).
var validID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// giveIDs gives an id to each cell that has none, or an invalid one, or one that an earlier cell has. The new ids depend
// on nothing but the notebook, so that running the same file twice gives the same file.
func giveIDs(cells []*Cell) {
	taken := make(map[string]bool, len(cells))
	var without []int
	for i, c := range cells {
		if id := c.ID(); validID.MatchString(id) && !taken[id] {
			taken[id] = true
			continue
		}
		without = append(without, i)
	}
	for _, i := range without {
		c := cells[i]
		id := newID(i, c, taken)
		taken[id] = true
		c.members.Set("id", mustEncode(id))
		if err := c.members.MoveAfter("id", "cell_type"); err != nil {
			panic(err) // both members exist: parseCell has seen to it
		}
	}
}

// newID returns an id of eight hexadecimal digits, as nbformat makes them, for the cell at index i.
func newID(i int, c *Cell, taken map[string]bool) string {
	for salt := 0; ; salt++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s\n%s", salt, i, c.typ, c.source))
		if id := hex.EncodeToString(sum[:4]); !taken[id] {
			return id
		}
	}
}
