package magic

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"orthant/kernel/session"
)

// files completes the path that the word of a line is, where arguments begin at from.
func files(source string, pos, from int) session.Completion {
	start, quote := word(source, pos, from)
	return paths(source, pos, start, quote)
}

// filesInString completes the path that a string of Go is, unless it is that of an import.
func filesInString(source string, pos int) session.Completion {
	c, prev := cutter{mentioned: map[string]bool{}}, token.ILLEGAL
	for at, t := range tokens(source, 0) {
		if at >= pos {
			break
		}
		if t.tok == token.STRING {
			quote, end := t.lit[:1], at+len(t.lit)
			open := len(t.lit) == 1 || !strings.HasSuffix(t.lit, quote)
			if inside := pos < end || pos == end && open; inside && !c.importing {
				return paths(source, pos, at+1, quote)
			}
		}
		c.mention(prev, t)
		prev = t.tok
	}
	return none(pos)
}

// paths completes the path that begins at start, behind a quote if there is one. A path that has to be quoted is.
func paths(source string, pos, start int, quote string) session.Completion {
	folder, begin := filepath.Split(source[start:pos])
	where, err := expand(folder)
	if err != nil {
		return none(pos)
	}
	if where == "" {
		where = "."
	}
	entries, err := os.ReadDir(where)
	if err != nil {
		return none(pos)
	}
	const most = 1000 // no front end shows more
	c := session.Completion{Start: start, End: pos}
	for _, e := range entries {
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(begin, ".")
		if !strings.HasPrefix(e.Name(), begin) || hidden || len(c.Matches) == most {
			continue
		}
		text, closing := folder+e.Name(), quote
		if quote == "" && strings.ContainsAny(text, separators) {
			text, closing = `"`+text, `"`
		}
		info, err := os.Stat(filepath.Join(where, e.Name()))
		switch {
		case err == nil && info.IsDir():
			text += "/" // behind which the path may go on
		case !strings.HasPrefix(source[pos:], closing): // some editors close what is opened
			text += closing
		}
		c.Matches = append(c.Matches, session.Match{Text: text, Kind: "path"})
	}
	return chosen(c)
}

// separators end a word, in a command or as the value of a flag.
const separators = " \t\r\n=<>|;&("

// word returns where the word begins that ends at an offset, and the quote that it is in, which stands in front of it. The
// arguments begin at from.
func word(source string, pos, from int) (start int, quote string) {
	start = from
	for i, r := range source[start:pos] {
		behind := from + i + len(string(r))
		switch {
		case string(r) == quote:
			quote = ""
		case quote == "" && (r == '"' || r == '\''):
			start, quote = behind, string(r)
		case quote == "" && strings.ContainsRune(separators, r):
			start = behind
		}
	}
	return start, quote
}
