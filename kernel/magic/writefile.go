package magic

import (
	"context"
	"errors"
	"os"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func writefileMagic() magic {
	return magic{
		name:  "writefile",
		usage: []string{"%%writefile [-a] FILE"},
		short: "write the cell into a file; with -a, append it",
		help:  `What stands below the line is written as it is, and ends with a newline. The folder must be there.`,
		file:  true,
		prepare: func(c *call) (action, *session.Error) {
			list, err := words(c.args())
			more := len(list) > 0 && list[0] == "-a"
			if more {
				list = list[1:]
			}
			switch {
			case err != nil:
				return nil, c.usage(err.Error())
			case len(list) != 1:
				return nil, c.usage("one name of a file is expected; put quotes around one with spaces")
			}
			path, err := expand(list[0])
			if err != nil {
				return nil, c.wrong("%v", err)
			}
			return func(context.Context) (*display.Bundle, *session.Error) {
				did, err := writeFile(path, c.text(), more)
				if err != nil {
					return nil, c.cannot("%v", short(err))
				}
				c.out.Text(display.Stdout, did+" "+path+"\n")
				return nil, nil
			}, nil
		},
	}
}

// text returns the body of a cell magic, with a newline at its end.
func (c *call) text() string {
	text := strings.TrimPrefix(c.body(), "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// writeFile writes or appends text, and returns what that was.
func writeFile(path, text string, more bool) (did string, err error) {
	did, mode := "wrote", os.O_TRUNC
	if _, err := os.Stat(path); err == nil {
		did = "overwrote"
	}
	if more {
		did, mode = "appended to", os.O_APPEND
	}
	const readable = 0o666 // before the user's umask
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|mode, readable)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return did, errors.Join(err, f.Close())
}
