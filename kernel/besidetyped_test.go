//go:build !windows

package kernel

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orthant/kernel/wire"
)

// typedBehaviours are about what people type who come from IPython, and what they notice.
var typedBehaviours = []behaviour{
	{name: "a command of the shell", differs: "commands write into pipes and not to a terminal: their lines end in no carriage return", script: cellsOf("command")},
	{name: "the standard error of a command", differs: "a command's streams stay two; a terminal makes them one",
		script: cellsOf("command's error")},
	{name: "a command that fails", differs: "it fails the cell: nothing builds on what a command has not done", script: cellsOf("command that fails", "value")},
	{name: "a magic that is not there", differs: "it is an error of the cell, told before any line has run", script: cellsOf("unknown magic")},
	{name: "a file loaded into the cell", script: func(s *scene) {
		if err := os.WriteFile(filepath.Join(s.folder, "file"), []byte("6 * 7\n"), 0o600); err != nil {
			s.t.Fatal(err)
		}
		s.run("load")
	}},
	{name: "help by a question mark", differs: "? is no character of Go; Shift-Tab shows the same", script: cellsOf("question mark")},
	{name: "the value of the cell before", differs: "_ is no value in Go: a value that is needed again gets a name", fresh: true,
		script: cellsOf("value", "value before")},
	{name: "9 MiB of text", differs: "a cell may write 8 MiB, so that a loop that prints does not choke the front end; ORTHANT_OUTPUT_LIMIT=0 lifts that",
		script: func(s *scene) {
			e := s.client.Shell(s.request("9 MiB"))
			s.say("stdout: %d MiB", len(e.Text("stdout"))>>20)
			s.say("stderr: %d lines", strings.Count(e.Text("stderr"), "\n"))
		}},
	{name: "the metadata of a reply", script: func(s *scene) {
		s.say("%s", strings.Join(slices.Sorted(maps.Keys(fields(s.t, s.client.Shell(s.request("value")).Reply.Metadata))), " "))
	}},
	{name: "completion of a path in a string", script: func(s *scene) {
		code := `f("` + s.folder + "/fi"
		if err := os.WriteFile(filepath.Join(s.folder, "file"), nil, 0o600); err != nil {
			s.t.Fatal(err)
		}
		e := s.client.Shell(wire.CompleteRequest{Code: code, CursorPos: len([]rune(code))})
		v := fields(s.t, e.Reply.Content)
		s.say("%d matches", len(v["matches"].([]any)))
	}},
}
