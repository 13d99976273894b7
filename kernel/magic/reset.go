package magic

import (
	"context"
	"fmt"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

func resetMagic() magic {
	return magic{
		name:  "reset",
		usage: []string{"%reset [-f]"},
		short: "forget all names that cells defined, and free their values",
		help: `It asks first, unless -f is there. Preloaded names mean again what they meant at the start.
Goroutines of cells go on, and keep what they use.`,
		complete: func(*Interpreter, string) []string { return []string{"-f"} },
		prepare: func(c *call) (action, *session.Error) {
			args := strings.TrimSpace(c.args())
			if args != "" && args != "-f" {
				return nil, c.usage(fmt.Sprintf("%q is not understood", args))
			}
			return func(ctx context.Context) (*display.Bundle, *session.Error) {
				if args == "" {
					if yes, failure := c.ask(ctx, prompt); !yes {
						return nil, failure
					}
				}
				c.Reset()
				if n := c.Goroutines(); n > 0 {
					c.out.Text(display.Stderr, fmt.Sprintf("goroutines of earlier cells go on: %d\n", n))
				}
				return nil, nil
			}, nil
		},
	}
}

// prompt fits beside a front end's field for the answer.
const prompt = "Forget all names that cells defined (y/[n])? "

// An asker is a sink whose front end can be asked.
type asker interface {
	Ask(ctx context.Context, prompt string, password bool) (string, error)
}

// ask asks for a yes. What is not one is a no, and said to be.
func (c *call) ask(ctx context.Context, prompt string) (yes bool, failure *session.Error) {
	front, ok := c.out.Sink.(asker)
	if !ok {
		return false, c.cannot("nobody can be asked here; %%reset -f does not ask")
	}
	const visible = false // the answer is no password
	answer, err := front.Ask(ctx, prompt, visible)
	if ctx.Err() != nil {
		return false, interruptedAt(c.cell, c.part.line)
	}
	if err != nil {
		return false, c.cannot("nobody has answered (%v); %%reset -f does not ask", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	c.out.Text(display.Stdout, "nothing was forgotten\n")
	return false, nil
}

// cannot makes the error of a magic that could not do what it should.
func (c *call) cannot(format string, args ...any) *session.Error { return c.wrong(format, args...) }
