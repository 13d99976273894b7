package magic

import (
	"context"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func loadMagic() magic {
	return magic{
		name:  "load",
		usage: []string{"%load FILE"},
		short: "put the text of a file into this cell, in its own place",
		help: `The text takes the place of the line, and nothing of it runs. So that no text is lost, the line
must be the only one of its cell.`,
		file: true,
		prepare: func(c *call) (action, *session.Error) {
			path, err := oneFile(c.args())
			if err != nil {
				return nil, c.usage(err.Error())
			}
			if c.parts > 1 || strings.TrimSpace(c.cell.Source[:c.part.start]+c.cell.Source[c.part.end:]) != "" {
				return nil, c.wrong("it replaces the text of its cell, so nothing else may stand there")
			}
			return func(context.Context) (*display.Bundle, *session.Error) {
				front, ok := c.out.Sink.(loader)
				if !ok {
					return nil, c.cannot("the text of a cell cannot be set here")
				}
				text, err := readText(path)
				if err != nil {
					return nil, c.cannot("%v", err)
				}
				const replace = true
				front.SetNextInput(strings.TrimSuffix(text, "\n"), replace)
				return nil, nil
			}, nil
		},
	}
}

// A loader is a sink that can put text into a cell: into the next one, or in the place of the running one's.
type loader interface {
	SetNextInput(text string, replace bool)
}
