package magic

import (
	"fmt"
	"slices"
	"strings"

	"orthant/kernel/session"
)

// A magic is one of the magics.
type magic struct {
	name  string   // without its %
	usage []string // the forms in which it is written; one that begins with %% is a cell magic
	short string   // what it does, in a line
	help  string   // what else there is to know

	takesGo  bool                                               // what is behind the name is Go, over as many lines as the statement has
	file     bool                                               // the name of a file comes behind it
	complete func(i *Interpreter, typed string) []string        // what may stand behind it; nil for nothing that is known
	prepare  func(c *call) (run action, failure *session.Error) // looks at the arguments; nothing has run yet
}

// table returns all magics, in the order in which %help lists them. They are functions, because some need the table.
func table() []magic {
	return []magic{
		timeMagic(), timeitMagic(), whoMagic(), resetMagic(), runMagic(), loadMagic(), writefileMagic(), shellMagic(), shMagic(),
		cdMagic(), envMagic(), historyMagic(), helpMagic(),
	}
}

// find returns the magic that a part uses.
func find(p part) (magic, error) {
	name := strings.TrimLeft(p.name, "%")
	prefix := p.name[:len(p.name)-len(name)]
	all := table()
	n := slices.IndexFunc(all, func(m magic) bool { return m.name == name })
	switch {
	case name == "":
		return magic{}, fmt.Errorf("the name of a magic is missing behind %s; %%help lists them", prefix)
	case n < 0:
		return magic{}, fmt.Errorf("there is no magic %s%s; %s", prefix, name, advice(name))
	case name == "!":
		return all[n], nil
	case all[n].has(prefix):
		if prefix == "%%" && !p.first {
			return magic{}, fmt.Errorf("%s takes a whole cell: it must be the cell's first line", p.name)
		}
		return all[n], nil
	case prefix == "%%":
		return magic{}, fmt.Errorf("%s takes no cell; write %s", p.name, all[n].usage[0])
	default:
		return magic{}, fmt.Errorf("%s takes a cell; write %s", p.name, all[n].usage[0])
	}
}

// has reports whether a magic has a form that begins with % or %%.
func (m magic) has(prefix string) bool {
	return slices.ContainsFunc(m.usage, func(usage string) bool { return strings.HasPrefix(usage, prefix+m.name) })
}

// habits has what is said of names that people know from elsewhere.
var habits = map[string]string{
	"autoreload": "a cell that defines a function again changes it everywhere",
	"bash":       "use %%sh",
	"cat":        "use !cat",
	"conda":      "what can be imported is compiled in",
	"debug":      "a panic's traceback shows the lines of all cells",
	"file":       "use %%writefile",
	"html":       "use display.HTML",
	"javascript": "use display.Show",
	"latex":      "use display.Show",
	"load_ext":   "there are no extensions",
	"ls":         "use !ls",
	"lsmagic":    "%help lists the magics",
	"magic":      "%help lists the magics",
	"markdown":   "use display.Show",
	"matplotlib": "figures are shown where they are a cell's last expression, or by display.Show",
	"mkdir":      "use !mkdir",
	"pip":        "what can be imported is compiled in",
	"pwd":        "use !pwd, or %cd .",
	"quickref":   "%help lists the magics",
	"script":     "use %%sh",
	"sx":         "use a command: !…",
	"system":     "use a command: !…",
	"whos":       "use %who",
	"who_ls":     "use %who",
}

// advice says what may be meant by a name that is no magic's.
func advice(name string) string {
	if text, ok := habits[name]; ok {
		return text
	}
	var names []string
	for _, m := range table() {
		names = append(names, m.name)
	}
	if nearest := session.Nearest(name, names); nearest != "" {
		return "is %" + nearest + " meant? %help lists the magics"
	}
	return "%help lists the magics"
}
