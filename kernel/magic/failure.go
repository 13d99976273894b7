package magic

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// The names of errors, beside those of the session.
const (
	magicError   = "MagicError"   // a magic is wrong, and nothing has run, or it could not do what it should
	commandError = "CommandError" // a command failed
	interrupted  = "Interrupted"
)

// ANSI colours of tracebacks.
const (
	red   = "\x1b[31m"
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

// longest is how many characters of a line an error quotes.
const longest = 200

// misuse makes the error of a mistake in a cell.
func misuse(c session.Cell, m *mistake) *session.Error { return failed(magicError, c, m.line, m.text) }

// failed makes an error about a line of a cell.
func failed(name string, c session.Cell, line int, text string) *session.Error {
	place := fmt.Sprintf("line %d: ", line)
	if c.Number > 0 {
		place = fmt.Sprintf("%s line %d: ", session.CellName(c.Number), line)
	}
	e := &session.Error{Name: name, Value: place + text, Traceback: []string{bold + red + place + reset + bold + text + reset}}
	if lines := strings.Split(c.Source, "\n"); line <= len(lines) {
		e.Traceback = append(e.Traceback, dim+fmt.Sprintf("%4d | ", line)+reset+clip(strings.TrimRight(lines[line-1], "\r"), longest))
	}
	return e
}

// interruptedAt makes the error of a cell that was interrupted in a line.
func interruptedAt(c session.Cell, line int) *session.Error {
	e := failed(interrupted, c, line, "interrupted")
	e.Value = fmt.Sprintf("interrupted in line %d", line)
	return e
}

// shortName returns how a table calls the cell with a number: "3", "3 of subshell 1"; see callFiles for files.
func shortName(number int) string { return strings.TrimPrefix(session.CellName(number), "cell ") }

// wrong makes the error of a use that is wrong, which is known before the cell runs.
func (c *call) wrong(format string, args ...any) *session.Error {
	return misuse(c.cell, &mistake{c.part.line, c.part.name + ": " + fmt.Sprintf(format, args...)})
}

// usage makes the error of a use that is wrong, and tells what would be right.
func (c *call) usage(text string) *session.Error {
	m, err := find(c.part)
	if err != nil {
		return c.wrong("%s", text)
	}
	return c.wrong("%s; usage: %s", text, strings.Join(m.usage, " or "))
}

// fileName is how the session calls a file that was run as a cell: by its number.
var fileName = regexp.MustCompile(`file#([0-9]+)`)

// callFiles replaces, in a text of the session's, the numbers of files by their names.
func (i *Interpreter) callFiles(text string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.files) == 0 {
		return text
	}
	return fileName.ReplaceAllStringFunc(text, func(name string) string {
		n, err := strconv.Atoi(strings.TrimPrefix(name, "file#"))
		if err != nil || n < 1 || n > len(i.files) {
			return name
		}
		return i.files[n-1]
	})
}

// named returns an error in which files have their names.
func (i *Interpreter) named(e *session.Error) *session.Error {
	if e == nil {
		return nil
	}
	named := &session.Error{Name: e.Name, Value: i.callFiles(e.Value), Traceback: []string{}}
	for _, line := range e.Traceback {
		named.Traceback = append(named.Traceback, i.callFiles(line))
	}
	return named
}

// namedBundle is named for what is shown.
func (i *Interpreter) namedBundle(b display.Bundle) display.Bundle {
	for mime, data := range b.Data {
		if text, ok := data.(string); ok {
			b.Data[mime] = i.callFiles(text)
		}
	}
	return b
}
