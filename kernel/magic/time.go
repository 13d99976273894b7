package magic

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func timeMagic() magic {
	return magic{
		name:  "time",
		usage: []string{"%time STATEMENT", "%%time"},
		short: "run a statement, or the whole cell, and tell how long it took",
		help: `The statement may go over several lines and define names, as without %time; if it is an
expression and comes last, its value is the cell's result. The wall time includes the check of
the statement, some milliseconds. The processor times are those of the whole kernel: several
processors add up, and goroutines of other cells count.`,
		takesGo: true,
		prepare: func(c *call) (action, *session.Error) {
			run, failure := c.timed()
			if failure != nil {
				return nil, failure
			}
			return func(ctx context.Context) (*display.Bundle, *session.Error) {
				start, used := time.Now(), usedTime()
				b, failure := run(ctx)
				wall := time.Since(start)
				used = usedTime().since(used)
				c.out.Text(display.Stdout, fmt.Sprintf("CPU times: user %s, system %s, total %s\nWall time: %s\n",
					duration(used.user), duration(used.system), duration(used.user+used.system), duration(wall)))
				return b, failure
			}, nil
		},
	}
}

// timed returns what is to be timed.
func (c *call) timed() (action, *session.Error) {
	if !c.part.first {
		if strings.TrimSpace(c.args()) == "" {
			return nil, c.usage("a statement is missing")
		}
		if failure := c.onlyGo(c.part.args, c.part.end, "; %%time takes a cell with others"); failure != nil {
			return nil, failure
		}
		return c.goAction(c.part.args, c.part.end)
	}
	if strings.TrimSpace(c.args()) != "" {
		return nil, c.usage("nothing may stand in its line; the cell follows")
	}
	if strings.TrimSpace(c.body()) == "" {
		return nil, c.usage("the cell is empty")
	}
	return c.Interpreter.prepare(session.Cell{Number: c.cell.Number, Source: blank(c.cell.Source[:c.part.end]) + c.body()}, c.out)
}

// A processorTime is how long processors worked for this process.
type processorTime struct{ user, system time.Duration }

func (t processorTime) since(start processorTime) processorTime {
	return processorTime{t.user - start.user, t.system - start.system}
}

// duration writes a duration with three digits, as a scientist would: 12.3 µs.
func duration(d time.Duration) string {
	if d >= time.Minute {
		return d.Round(time.Second).String()
	}
	return nanoseconds(float64(d))
}

// nanoseconds writes a number of nanoseconds with three digits.
func nanoseconds(ns float64) string {
	for _, unit := range []struct {
		name string
		size float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= unit.size*0.9995 {
			return digits(ns/unit.size) + " " + unit.name
		}
	}
	return digits(ns) + " ns"
}

// digits writes a number below some thousand with three digits.
func digits(x float64) string {
	if x == 0 {
		return "0"
	}
	decimals := 2 - int(math.Floor(math.Log10(x)+1e-9))
	return fmt.Sprintf("%.*f", min(2, max(0, decimals)), x)
}
