package magic

import (
	"context"
	"errors"
	"os"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

// There is no other way from a line: !cd changes the folder of its own shell only. The other magics that name files begin
// where it leads.
func cdMagic() magic {
	return magic{
		name:  "cd",
		usage: []string{"%cd [FOLDER]"},
		short: "change the working directory of the kernel, and tell it",
		help:  `Without a folder it leads to the user's own, with - to the one before.`,
		file:  true,
		prepare: func(c *call) (action, *session.Error) {
			folder := "~"
			if strings.TrimSpace(c.args()) != "" {
				var err error
				if folder, err = one(c.args(), "the name of a folder"); err != nil {
					return nil, c.usage(err.Error())
				}
			}
			return func(context.Context) (*display.Bundle, *session.Error) {
				now, err := c.changeFolder(folder)
				if err != nil {
					return nil, c.cannot("%v", short(err))
				}
				c.out.Text(display.Stdout, now+"\n")
				return nil, nil
			}, nil
		},
	}
}

// changeFolder changes the working directory and returns it.
func (i *Interpreter) changeFolder(folder string) (string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if folder == "-" {
		if i.folder == "" {
			return "", errors.New("there is no folder before this one")
		}
		folder = i.folder
	}
	folder, err := expand(folder)
	if err != nil {
		return "", err
	}
	before, err := os.Getwd()
	if err != nil {
		before = i.folder // from one that is gone nothing leads back
	}
	if err := os.Chdir(folder); err != nil {
		return "", err
	}
	i.folder = before
	return os.Getwd()
}
