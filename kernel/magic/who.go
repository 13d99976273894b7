package magic

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func whoMagic() magic {
	return magic{
		name:  "who",
		usage: []string{"%who"},
		short: "list the names that cells defined: type, cell and bytes, largest first",
		help: `The bytes of a variable are those of all that can be reached from it, what is shared counted
once. What closures and channels hold cannot be seen. A + means at least so much: counting
stops after a tenth of a second, and while goroutines of cells run, which may be changing what
is counted, only the outermost part of a value is.`,
		prepare: func(c *call) (action, *session.Error) {
			if strings.TrimSpace(c.args()) != "" {
				return nil, c.usage("nothing may stand behind it")
			}
			return func(context.Context) (*display.Bundle, *session.Error) {
				names := c.Names()
				if len(names) == 0 {
					c.out.Text(display.Stdout, "no cell has defined a name\n")
					return nil, nil
				}
				c.out.Display(c.listing(names).bundle())
				return nil, nil
			}, nil
		},
	}
}

// listing makes the table of names. While a cell of another shell runs nothing is looked at that it may be changing.
func (i *Interpreter) listing(names []session.Name) (g grid) {
	if !i.Still(func() { g = i.sized(names, (*measure).add) }) {
		g = i.sized(names, (*measure).addFlat)
	}
	return g
}

// sized is listing with a way to count a variable.
func (i *Interpreter) sized(names []session.Name, add func(*measure, reflect.Value)) grid {
	values := i.Values()
	all := newMeasure(i.Goroutines() > 0)
	sizes := map[string]size{}
	for name, v := range values {
		one := newMeasure(all.shallow)
		one.deadline = all.deadline
		add(one, v)
		sizes[name] = one.size()
		all.merge(one)
	}
	slices.SortStableFunc(names, func(a, b session.Name) int {
		return cmp.Or(cmp.Compare(sizes[b.Name].bytes, sizes[a.Name].bytes), cmp.Compare(a.Name, b.Name))
	})
	g := grid{columns: []column{{"name", code}, {"kind", prose}, {"type", code}, {"cell", numeric}, {"bytes", numeric}}}
	for _, n := range names {
		bytes := ""
		if _, ok := values[n.Name]; ok {
			bytes = sizes[n.Name].String()
		}
		g.rows = append(g.rows, []string{n.Name, n.Kind, clip(n.Type, widest), i.callFiles(shortName(n.Cell)), bytes})
	}
	if len(values) > 1 {
		g.foot = fmt.Sprintf("all variables together: %s bytes", all.size())
	}
	return g
}
