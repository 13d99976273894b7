package session

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands around a position in the text of a cell, by its tokens. The text need not be a whole cell.

func isIdentRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// word returns the range of the identifier or number around a position, empty where there is none.
func word(source string, pos int) (start, end int) {
	start, end = pos, pos
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(source[:start])
		if !isIdentRune(r) {
			break
		}
		start -= size
	}
	for end < len(source) {
		r, size := utf8.DecodeRuneInString(source[end:])
		if !isIdentRune(r) {
			break
		}
		end += size
	}
	return start, end
}

// isNumber reports whether a word is a number, or the beginning of one.
func isNumber(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsDigit(r)
}

// A lexeme is a token of a cell: source[start:end].
type lexeme struct {
	tok        token.Token
	start, end int
	closed     bool // false for a string or comment that does not end
}

// lexemes returns the tokens of source, comments included. Semicolons that nobody wrote are empty.
func lexemes(source string) []lexeme {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	open := map[int]bool{} // the beginnings of what does not end
	note := func(at token.Position, msg string) {
		if strings.HasSuffix(msg, "not terminated") {
			open[at.Offset] = true
		}
	}
	var out []lexeme
	var s scanner.Scanner
	s.Init(file, []byte(source), note, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		start := file.Offset(pos)
		if tok == token.SEMICOLON && lit == "\n" {
			out = append(out, lexeme{tok, start, start, true})
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		// The literal of a comment or raw string lacks the carriage returns of the text.
		end := start + len(lit)
		for i := start; i < end && end < len(source); i++ {
			if source[i] == '\r' && (tok == token.COMMENT || source[start] == '`') {
				end++
			}
		}
		out = append(out, lexeme{tok, start, end, !open[start]})
	}
}

// literal returns the index of the string, rune or comment that a position lies inside; -1 where it lies in none.
func literal(toks []lexeme, source string, pos int) int {
	for i, t := range toks {
		switch t.tok {
		case token.STRING, token.CHAR, token.COMMENT:
			lineComment := strings.HasPrefix(source[t.start:], "//")
			if t.start < pos && (pos < t.end || pos == t.end && (!t.closed || lineComment)) {
				return i
			}
		}
	}
	return -1
}

// isImport reports whether the string toks[i] is the path of an import.
func isImport(toks []lexeme, i int) bool {
	if toks[i].tok != token.STRING {
		return false
	}
	for i--; i >= 0; i-- {
		switch toks[i].tok {
		case token.IMPORT:
			return true
		case token.STRING, token.IDENT, token.PERIOD, token.LPAREN, token.SEMICOLON, token.COMMENT: // what an import may hold
		default:
			return false
		}
	}
	return false
}

// importPath returns the range of the path inside the string t, in which the cursor stands.
func importPath(source string, t lexeme, pos int) (start, end int) {
	start, end = t.start+1, t.end
	if t.closed {
		return start, end - 1
	}
	if i := strings.IndexFunc(source[pos:t.end], unicode.IsSpace); i >= 0 {
		end = pos + i
	}
	return start, end
}

// called returns the end of the name in front of the innermost parenthesis that is open at a position, and of type arguments, or
// in front of the brace: what is being called, or made, there.
func called(toks []lexeme, pos int) (end int, ok bool) {
	var before []lexeme
	for _, t := range toks {
		if t.start >= pos {
			break
		}
		before = append(before, t)
	}
	open := openBrackets(before)
	if len(open) == 0 {
		return 0, false
	}
	i := open[len(open)-1]
	if before[i].tok == token.LBRACK || before[i].tok == token.LBRACE && (place{before: before}).opener(i) != token.ILLEGAL {
		return 0, false
	}
	if i > 0 && before[i-1].tok == token.RBRACK {
		i = place{before: before}.opening(i - 1)
	}
	if i <= 0 || before[i-1].tok != token.IDENT {
		return 0, false
	}
	return before[i-1].end, true
}
