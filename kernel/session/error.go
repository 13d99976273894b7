package session

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/split"
)

// An Error is why a cell failed.
type Error struct {
	// Name is what kind of error it is: CompileError (the cell did not run), Panic, Interrupted, Exit, InternalError, or
	// the Go type of an error that the cell's last expression returned, such as *strconv.NumError.
	Name string
	// Value is the message, without colours.
	Value string
	// Traceback has the lines to show, with ANSI colours; never nil.
	Traceback []string
}

// Error returns the kind and the message.
func (e *Error) Error() string { return e.Name + ": " + e.Value }

// The names of errors.
const (
	compileError  = "CompileError"
	panicError    = "Panic"
	interrupted   = "Interrupted"
	exitError     = "Exit"
	internalError = "InternalError"
)

// ANSI colours of tracebacks.
const (
	red   = "\x1b[31m"
	bold  = "\x1b[1m"
	dim   = "\x1b[2m"
	reset = "\x1b[0m"
)

// compileErrors makes the error of a cell that is wrong: every message with its place, source line and a caret.
func compileErrors(source string, list []check.Error) *Error {
	e := &Error{Name: compileError}
	for i, item := range list {
		place := fmt.Sprintf("%s line %d: ", split.Place(item.Pos.Filename), item.Pos.Line)
		if i == 0 {
			e.Value = place + item.Msg
		} else {
			e.Value += "\n" + place + item.Msg
		}
		e.Traceback = append(e.Traceback, bold+red+place+reset+bold+item.Msg+reset)
		e.Traceback = append(e.Traceback, excerpt(source, item.Pos.Line, item.Pos.Column)...)
	}
	return e
}

// How much of an error is kept, in bytes: of its text, which a program may have made of anything, and of a line of source.
const (
	maxErrorText = 64 << 10
	maxExcerpt   = 400
)

// window returns text[start:end], moved so that no character is cut, with marks where something is left out.
func window(text string, start, end int) (piece string, from int) {
	start, end = max(0, start), min(len(text), end)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	piece = text[start:end]
	if start > 0 {
		piece = "…" + piece
		start -= len("…")
	}
	if end < len(text) {
		piece += "…"
	}
	return piece, start
}

// errorText returns as much of an error's text as is kept.
func errorText(text string) string {
	if len(text) <= maxErrorText {
		return text
	}
	kept, _ := window(text, 0, maxErrorText)
	return fmt.Sprintf("%s %d bytes in all", kept, len(text))
}

// excerpt returns a line of a cell and, below it, a caret at the byte column; nothing where there is no such line. Of a very
// long line it is what is around the column.
func excerpt(source string, line, column int) []string {
	lines := strings.Split(source, "\n")
	if line < 1 || line > len(lines) {
		return nil
	}
	text := strings.TrimRight(lines[line-1], "\r")
	if len(text) > maxExcerpt {
		from := 0
		text, from = window(text, column-maxExcerpt/2, max(column, maxExcerpt/2)+maxExcerpt/2)
		column -= from
	}
	number := fmt.Sprintf("%4d | ", line)
	out := []string{dim + number + reset + text}
	if column >= 1 && column <= len(text)+1 {
		// Tabs stay tabs, so that the caret stands below its character whatever the tab width.
		pad := strings.Map(func(r rune) rune {
			if r == '\t' {
				return '\t'
			}
			return ' '
		}, text[:column-1])
		out = append(out, strings.Repeat(" ", len(number))+pad+red+"^"+reset)
	}
	return out
}

// runError makes the error of a cell that failed while statement at of source was running.
func runError(name, value string, cell int, source string, line int) *Error {
	value = errorText(value)
	head := name + ": " + value
	if name == panicError {
		head = "panic: " + value
	}
	e := &Error{Name: name, Value: value, Traceback: []string{bold + red + head + reset}}
	if line > 0 {
		e.Traceback = append(e.Traceback, fmt.Sprintf("%s line %d", CellName(cell), line))
		e.Traceback = append(e.Traceback, excerpt(source, line, 0)...)
	}
	return e
}
