package session

import "orthant/kernel/session/internal/split"

// A Status says whether source is a whole cell.
type Status string

// The statuses, named as the Jupyter messaging specification names them (is_complete_reply).
const (
	Complete   Status = "complete"
	Incomplete Status = "incomplete"
	Invalid    Status = "invalid"
)

// IsComplete says whether source is a whole cell, by its grammar alone; for Incomplete, indent is what the next line
// should begin with. It answers at once, also while a cell runs.
func (s *Session) IsComplete(source string) (status Status, indent string) { return IsComplete(source) }

// IsComplete is [Session.IsComplete] where there is no session yet.
func IsComplete(source string) (status Status, indent string) {
	switch c, indent := split.Completes(source); c {
	case split.Partial:
		return Incomplete, indent
	case split.Broken:
		return Invalid, ""
	}
	return Complete, ""
}
