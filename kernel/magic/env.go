package magic

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func envMagic() magic {
	return magic{
		name:  "env",
		usage: []string{"%env", "%env NAME", "%env NAME=VALUE"},
		short: "list the environment's variables, show one, or set one",
		help: `The environment is the kernel's: Go code sees what is set by os.Getenv, commands inherit it.
What stands behind the = is the value as it is: quotes and $ mean nothing. The list hides the
values of names with KEY, TOKEN, SECRET or PASS in them, because notebooks are passed on;
%env NAME shows them.`,
		complete: func(*Interpreter, string) []string { return environment() },
		prepare: func(c *call) (action, *session.Error) {
			args := strings.TrimSpace(c.args())
			name, value, set := strings.Cut(args, "=")
			name = strings.TrimSpace(name)
			switch {
			case set && (name == "" || strings.ContainsAny(name, " \t")):
				return nil, c.usage(fmt.Sprintf("%q is no name of a variable", name))
			case strings.ContainsAny(name, " \t"):
				return nil, c.usage(fmt.Sprintf("%q is no name of a variable; a value stands behind =", name))
			case set && strings.ContainsRune(value, 0):
				return nil, c.wrong("a value cannot contain a NUL byte")
			}
			return func(context.Context) (*display.Bundle, *session.Error) {
				switch {
				case set:
					return nil, c.setVariable(name, strings.TrimSpace(value))
				case name != "":
					return c.showVariable(name)
				}
				c.out.Display(listEnvironment().bundle())
				return nil, nil
			}, nil
		},
	}
}

func (c *call) setVariable(name, value string) *session.Error {
	if err := os.Setenv(name, value); err != nil {
		return c.cannot("%v", err)
	}
	return nil
}

// showVariable has the value of a variable as the cell's result.
func (c *call) showVariable(name string) (*display.Bundle, *session.Error) {
	value, ok := os.LookupEnv(name)
	if !ok {
		return nil, c.cannot("%s is not set", name)
	}
	b := display.Text(value)
	return &b, nil
}

// environment returns the names of the environment's variables.
func environment() []string {
	var names []string
	for _, entry := range os.Environ() {
		// Windows has names that begin with =, for the folders of drives.
		if name, _, _ := strings.Cut(entry, "="); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func listEnvironment() grid {
	g := grid{columns: []column{{"name", code}, {"value", code}}}
	for _, name := range environment() {
		value := os.Getenv(name)
		for _, word := range []string{"KEY", "TOKEN", "SECRET", "PASS"} {
			if value != "" && strings.Contains(strings.ToUpper(name), word) {
				value = "(hidden)"
			}
		}
		g.rows = append(g.rows, []string{name, value})
	}
	return g
}
