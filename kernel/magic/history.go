package magic

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func historyMagic() magic {
	return magic{
		name:  "history",
		usage: []string{"%history [-n NUMBER] [-g] [PATTERN]"},
		short: "print the cells of this session; with -g, of all sessions",
		help: `-n prints the last NUMBER cells only. A pattern chooses the cells that contain it; * and ? in
it stand for any text and any character.`,
		complete: func(*Interpreter, string) []string { return []string{"-n", "-g"} },
		prepare: func(c *call) (action, *session.Error) {
			q, err := parseQuery(c.args())
			if err != nil {
				return nil, c.usage(err.Error())
			}
			if q.all && c.options.Earlier == nil {
				return nil, c.wrong("no history of other sessions is kept here")
			}
			return func(context.Context) (*display.Bundle, *session.Error) {
				found, err := c.history(q)
				if err != nil {
					return nil, c.cannot("%v", err)
				}
				for _, e := range found {
					c.out.Text(display.Stdout, e.text(q.all))
				}
				return nil, nil
			}, nil
		},
	}
}

// A query is what %history is asked for.
type query struct {
	n       int // the last so many; 0 for all
	all     bool
	pattern string // a glob; empty for all
}

func parseQuery(args string) (query, error) {
	var q query
	list, err := words(args)
	if err != nil {
		return q, err
	}
	for i := 0; i < len(list); i++ {
		switch {
		case list[i] == "-g":
			q.all = true
		case list[i] == "-n":
			i++
			value := ""
			if i < len(list) {
				value = list[i]
			}
			if q.n, err = number("-n", value); err != nil {
				return q, err
			}
		case strings.HasPrefix(list[i], "-"):
			return q, fmt.Errorf("there is no flag %s; put quotes around a pattern with spaces in it", list[i])
		default:
			q.pattern = strings.Join(list[i:], " ")
			return q, nil
		}
	}
	return q, nil
}

// glob returns the pattern for a whole cell.
func (q query) glob() string {
	if q.pattern == "" {
		return "*"
	}
	return "*" + q.pattern + "*"
}

// history answers a query. The running cell is not among the answers.
func (c *call) history(q query) ([]Entry, error) {
	if q.all {
		return c.earlier(q)
	}
	pattern := regexp.QuoteMeta(q.glob())
	pattern = strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(pattern)
	matches, err := regexp.Compile("(?s)^" + pattern + "$")
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []Entry
	for _, e := range slices.Backward(c.entries) {
		if e.Line == c.cell.Number { // cells of other shells may have begun since
			continue
		}
		if matches.MatchString(e.Source) {
			found = append(found, e)
		}
		if len(found) == q.n && q.n > 0 {
			break
		}
	}
	slices.Reverse(found)
	return found, nil
}

// earlier answers a query about all sessions. The running cell may be in the history already: it is the last one of its text.
func (c *call) earlier(q query) ([]Entry, error) {
	n := q.n
	if n > 0 {
		n++
	}
	found, err := c.options.Earlier.Search(q.glob(), n)
	if err != nil {
		return nil, err
	}
	own := strings.TrimRight(c.cell.Source, "\n")
	for i, e := range slices.Backward(found) {
		if c.cell.Number > 0 && strings.TrimRight(e.Source, "\n") == own {
			found = slices.Delete(found, i, i+1)
			break
		}
	}
	if q.n > 0 {
		found = found[max(0, len(found)-q.n):]
	}
	return found, nil
}

// text writes an entry: its number in front of its first line, the others below that.
func (e Entry) text(all bool) string {
	head := fmt.Sprintf("%4s: ", shortName(e.Line))
	if all {
		head = fmt.Sprintf("%4d/%d: ", e.Session, e.Line)
	}
	return head + strings.ReplaceAll(strings.TrimRight(e.Source, "\r\n"), "\n", "\n"+strings.Repeat(" ", len(head))) + "\n"
}
