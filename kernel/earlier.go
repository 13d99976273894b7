package kernel

import (
	"strings"

	"orthant/kernel/history"
	"orthant/kernel/magic"
)

// earlierCells are those of all sessions, for %history.
type earlierCells struct{ store *history.Store }

// Search implements magic.History.
func (e earlierCells) Search(pattern string, n int) ([]magic.Entry, error) {
	if n == 0 {
		n = history.All
	}
	pattern = strings.ReplaceAll(pattern, "[", "[[]") // which begins a choice of characters in the store's patterns
	found, err := e.store.Search(pattern, n, false)
	entries := make([]magic.Entry, len(found))
	for i, cell := range found {
		entries[i] = magic.Entry{Session: cell.Session, Line: cell.Line, Source: cell.Input}
	}
	return entries, err
}
