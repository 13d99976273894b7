package magic

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func runMagic() magic {
	return magic{
		name:  "run",
		usage: []string{"%run FILE.go"},
		short: "run a Go file as a cell: its names become the session's, and main is called",
		help: `The file may be a program, with package clause and func main, or hold what a cell may hold,
but no magics. Messages name the file and its lines. The file is read when it is the line's
turn, so lines above may write it.`,
		file: true,
		prepare: func(c *call) (action, *session.Error) {
			path, err := oneFile(c.args())
			if err != nil {
				return nil, c.usage(err.Error())
			}
			if filepath.Ext(path) != ".go" {
				return nil, c.usage(fmt.Sprintf("%s is no Go file", path))
			}
			return func(ctx context.Context) (*display.Bundle, *session.Error) {
				text, err := readText(path)
				if err != nil {
					return nil, c.cannot("%v", err)
				}
				if declaresMain(text) {
					text += "\nmain()"
				}
				return c.Session.Execute(ctx, session.Cell{Number: c.enter(path), Source: text}, c.out)
			}, nil
		},
	}
}

// enter gives a file that is run its number as a cell: those of files are below 0.
func (i *Interpreter) enter(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.files = append(i.files, path)
	return -len(i.files)
}

// declaresMain reports whether a text declares func main.
func declaresMain(text string) bool {
	depth, fn := 0, false
	for _, t := range tokens(text, 0) {
		if depth == 0 && fn && t.lit == "main" {
			return true
		}
		fn = t.tok == token.FUNC
		depth += nesting(t.tok)
	}
	return false
}

// mostText is how large a file may be that is taken for the text of a cell.
const mostText = 16 << 20

// readText reads a file of text.
func readText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", short(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostText+1))
	switch {
	case err != nil:
		return "", short(err)
	case len(data) > mostText:
		return "", fmt.Errorf("%s has more than %d MiB", path, mostText>>20)
	case !utf8.Valid(data):
		return "", fmt.Errorf("%s is no text in UTF-8", path)
	}
	return strings.TrimPrefix(string(data), "\uFEFF"), nil
}

// short returns an error of the file system without the name of the system call.
func short(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%s: %w", at.Path, at.Err)
	}
	return err
}
