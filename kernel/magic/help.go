package magic

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func helpMagic() magic {
	return magic{
		name:  "help",
		usage: []string{"%help [NAME]"},
		short: "list the magics, or tell all about one",
		help: `Front ends show the same where they show the documentation of a name: by Shift-Tab at the
magic, in a notebook.`,
		complete: func(_ *Interpreter, typed string) []string {
			marks := typed[:len(typed)-len(strings.TrimLeft(typed, "%"))]
			var names []string
			for _, m := range table() {
				names = append(names, marks+m.name)
			}
			return names
		},
		prepare: func(c *call) (action, *session.Error) {
			name := strings.TrimLeft(strings.TrimSpace(c.args()), "%")
			if name == "" {
				return func(context.Context) (*display.Bundle, *session.Error) {
					c.out.Display(overview().bundle())
					return nil, nil
				}, nil
			}
			all := table()
			n := slices.IndexFunc(all, func(m magic) bool { return m.name == name })
			if n < 0 {
				return nil, c.wrong("there is no magic %q; %s", name, advice(name))
			}
			return func(context.Context) (*display.Bundle, *session.Error) {
				c.out.Display(all[n].description())
				return nil, nil
			}, nil
		},
	}
}

// overview is the table of all magics.
func overview() grid {
	g := grid{
		columns: []column{{"magic", code}, {"what it does", prose}},
		foot:    "A magic stands at the beginning of a line, outside of all brackets; one with %% takes the whole cell. %help NAME tells more.",
	}
	for _, m := range table() {
		g.rows = append(g.rows, []string{strings.Join(m.usage, "\n"), m.short})
	}
	return g
}

// description is all there is to say of a magic, as plain text and Markdown.
func (m magic) description() display.Bundle {
	usage := strings.Join(m.usage, "\n")
	help := strings.ReplaceAll(m.help, "\n", " ")
	b := display.Text(fmt.Sprintf("%s\n\n%s.\n\n%s", usage, strings.ToUpper(m.short[:1])+m.short[1:], m.help))
	b.Data["text/markdown"] = fmt.Sprintf("```\n%s\n```\n\n%s.\n\n%s", usage, strings.ToUpper(m.short[:1])+m.short[1:], help)
	return b
}
