package doctor

import (
	"regexp"
	"runtime"
	"strings"
)

// A shell is where a user runs a command that mends something: sh and its relatives, or the command prompt of Windows.
type shell struct{ windows bool }

func thisShell() shell { return shell{windows: runtime.GOOS == "windows"} }

// plain matches words that no shell reads anything into.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// plainWindows is plain for the command prompt.
var plainWindows = regexp.MustCompile(`^[A-Za-z0-9_@+:./\\-]+$`)

// quote returns a word as the shell has to be given it.
func (s shell) quote(word string) string {
	switch {
	case s.windows && plainWindows.MatchString(word), !s.windows && plain.MatchString(word):
		return word
	case s.windows:
		return `"` + word + `"` // no path and no name has a quotation mark in it
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// command returns a command line.
func (s shell) command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = s.quote(w)
	}
	return strings.Join(quoted, " ")
}

// with returns a command line that runs with an environment variable set.
func (s shell) with(name, value, command string) string {
	if s.windows {
		return `set "` + name + "=" + value + `" && ` + command
	}
	return name + "=" + s.quote(value) + " " + command
}

// set returns the command that sets an environment variable for all that follows.
func (s shell) set(name, value string) string {
	if s.windows {
		return `set "` + name + "=" + value + `"`
	}
	return "export " + name + "=" + s.quote(value)
}

// unset returns the command that takes an environment variable away.
func (s shell) unset(name string) string {
	if s.windows {
		return "set " + name + "="
	}
	return "unset " + name
}
