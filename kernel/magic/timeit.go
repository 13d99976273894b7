package magic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func timeitMagic() magic {
	return magic{
		name:  "timeit",
		usage: []string{"%timeit [-n LOOPS] [-r RUNS] STATEMENT", "%%timeit [-n LOOPS] [-r RUNS] [SETUP]"},
		short: "run a statement, or the whole cell, many times, and tell the mean time of one",
		help: `Without -n the number of loops grows tenfold until a run takes a fifth of a second. -r is the
number of runs whose mean and standard deviation are told; without, it is 7. The setup runs
once, in front of all loops. The statement is the body of a loop inside a function: names that
it defines end with the loop. Cells are interpreted: loops and calls between functions of cells
take far longer than in a compiled program, what compiled packages do takes as long as there.
The time of the loop itself, some tens of nanoseconds, is part of the result.`,
		takesGo: true,
		prepare: func(c *call) (action, *session.Error) {
			m, failure := c.measurement()
			if failure != nil {
				return nil, failure
			}
			return m.run, nil
		},
	}
}

const (
	defaultRuns = 7                      // as in IPython
	enough      = 200 * time.Millisecond // for one run, as in IPython
	mostLoops   = 1_000_000_000
	mostRuns    = 1000
)

// A measurement is a use of %timeit.
type measurement struct {
	*call
	setup, statement string
	at               int // where the statement begins in the cell
	loops, runs      int // loops is 0 where they are to be chosen
}

// measurement reads what is to be measured.
func (c *call) measurement() (*measurement, *session.Error) {
	m := &measurement{call: c, runs: defaultRuns}
	rest, err := m.flags(c.args())
	if err != nil {
		return nil, c.usage(err.Error())
	}
	m.statement, m.at = rest, c.part.end-len(rest)
	if c.part.first {
		m.setup, m.statement, m.at = strings.TrimSpace(rest), c.body(), c.part.end
	}
	if strings.TrimSpace(m.statement) == "" {
		return nil, c.usage("what to measure is missing")
	}
	if failure := c.onlyGo(m.at, m.at+len(m.statement), ""); failure != nil {
		return nil, failure
	}
	if failure := c.CheckSyntax(c.goPart(m.at, m.at+len(m.statement))); failure != nil {
		return nil, failure
	}
	return m, nil
}

// flags reads the flags that arguments begin with, and returns the rest.
func (m *measurement) flags(args string) (rest string, err error) {
	for {
		rest = strings.TrimLeft(args, " \t")
		flag := rest[:min(2, len(rest))]
		if flag != "-n" && flag != "-r" {
			return rest, nil
		}
		value := strings.TrimLeft(rest[2:], " \t")
		end := strings.IndexAny(value, " \t\r\n")
		if end < 0 {
			end = len(value)
		}
		n, err := number(flag, value[:end])
		switch {
		case err != nil:
			return "", err
		case flag == "-n":
			m.loops = min(n, mostLoops)
		case n > mostRuns:
			return "", fmt.Errorf("-r %d is more than %d", n, mostRuns)
		default:
			m.runs = n
		}
		args = value[end:]
	}
}

// run measures.
func (m *measurement) run(ctx context.Context) (*display.Bundle, *session.Error) {
	body, failure := m.loopBody()
	if failure != nil {
		return nil, failure
	}
	loops := m.loops
	if loops == 0 {
		for loops = 1; loops < mostLoops; loops *= 10 {
			times, failure := m.measure(ctx, body, loops, 1)
			if failure != nil {
				return nil, failure
			}
			if times[0] >= float64(enough) {
				break
			}
		}
	}
	times, failure := m.measure(ctx, body, loops, m.runs)
	if failure != nil {
		return nil, failure
	}
	m.out.Text(display.Stdout, summary(times, loops))
	return nil, nil
}

// clock is the name of package time in the measuring program. No keyboard writes its mark by accident.
const clock = "ːtime"

// program returns the program that runs a loop a number of times and has the nanoseconds of each as its result. The
// statement keeps its line.
func (m *measurement) program(body string, loops, runs int) session.Part {
	head, next := blank(m.cell.Source[:m.at]), "; "
	if m.part.first { // the setup has a line to itself, which may end in a comment
		body, next = strings.TrimPrefix(body, "\n"), "\n"
	}
	text := head[:strings.LastIndexByte(head, '\n')+1] +
		`import ` + clock + ` "time"; func() (ːtimes []int64) { ` + m.setup + next + `for range ` + strconv.Itoa(runs) +
		` { ːstart := ` + clock + `.Now(); for range ` + strconv.Itoa(loops) + ` { ` + body +
		"\n}; ːtimes = append(ːtimes, " + clock + ".Since(ːstart).Nanoseconds()) }; return }()"
	return session.Part{Cell: session.Cell{Number: m.cell.Number, Source: text}, Whole: m.cell.Source, Typed: m.cell.Source}
}

// measure returns how many nanoseconds each run took.
func (m *measurement) measure(ctx context.Context, body string, loops, runs int) ([]float64, *session.Error) {
	b, failure := m.Try(ctx, m.program(body, loops, runs), m.out)
	if failure != nil {
		return nil, failure
	}
	times, err := parseTimes(b)
	if err != nil || len(times) != runs {
		return nil, m.wrong("the statement ended the measurement, perhaps by a return")
	}
	return times, nil
}

// parseTimes reads the result of the measuring program: [12 34].
func parseTimes(b *display.Bundle) ([]float64, error) {
	if b == nil {
		return nil, errors.New("no result")
	}
	text, _ := b.Data["text/plain"].(string)
	var times []float64
	for _, field := range strings.Fields(strings.Trim(text, "[]")) {
		ns, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, err
		}
		times = append(times, ns)
	}
	return times, nil
}

// summary tells of runs.
func summary(times []float64, loops int) string {
	best, mean, squares := math.Inf(1), 0.0, 0.0
	for _, t := range times {
		t /= float64(loops)
		best = min(best, t)
		mean += t / float64(len(times))
	}
	for _, t := range times {
		d := t/float64(loops) - mean
		squares += d * d
	}
	deviation := math.Sqrt(squares / float64(len(times)))
	return fmt.Sprintf("%s ± %s per loop (mean ± std. dev. of %s, %s each); best %s, interpreted\n",
		nanoseconds(mean), nanoseconds(deviation), count(len(times), "run"), count(loops, "loop"), nanoseconds(best))
}

// count writes a number and what it counts: 1 run, 10,000 loops.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return thousands(n) + " " + what
}

// thousands writes a number with commas.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
