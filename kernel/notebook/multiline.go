package notebook

import (
	"encoding/json"
	"errors"
	"strings"
)

// joinLines reads a multi-line string: the format allows a string, or a list of strings that are to be joined.
func joinLines(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, nil
	}
	var lines []string
	if json.Unmarshal(raw, &lines) == nil {
		return strings.Join(lines, ""), nil
	}
	return "", errors.New("neither a string nor a list of strings")
}

// splitLines cuts s after each newline, the form in which multi-line strings are saved so that files can be compared
// line by line. It is never nil.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}
