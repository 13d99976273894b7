package session_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// A knownList is a file that names what goes wrong today, one a line, each with a reason: a name, a colon, the reason.
// What is on it and goes right fails its test, so that the list can only shrink; so does what is not on it and goes wrong.
type knownList struct {
	path    string
	head    []string // the comment at its beginning
	reasons map[string]string
}

// readKnown reads a list; a file that does not exist is an empty one.
func readKnown(t testing.TB, path string) *knownList {
	t.Helper()
	list := &knownList{path: path, reasons: map[string]string{}}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			list.head = append(list.head, line)
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		if !ok || reason == "" {
			t.Fatalf("%s: %q has no reason", path, line)
		}
		if _, twice := list.reasons[name]; twice {
			t.Fatalf("%s: %s is there twice", path, name)
		}
		list.reasons[name] = reason
	}
	return list
}

// write writes the list back, sorted by name.
func (l *knownList) write() error {
	lines := slices.Clone(l.head)
	var names []string
	for name := range l.reasons {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(a, b) })
	for _, name := range names {
		lines = append(lines, fmt.Sprintf("%s: %s", name, l.reasons[name]))
	}
	return os.WriteFile(l.path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}
