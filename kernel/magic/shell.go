package magic

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"orthant/kernel/session"
	"orthant/stdlib/display"
)

const shellHelp = `The command is sh's on Linux and macOS and cmd's on Windows. What it prints comes as it
prints it; its input is empty. It runs in the kernel's working directory, with the kernel's
environment. An exit status other than 0 fails the cell. An interrupt ends the command and all
that it has started. What it leaves running in the background goes on, and prints into its
cell; on Linux and macOS it is told to end when the kernel ends. The text is the shell's
alone: $NAME and {a,b} mean what they mean there. Values of Go reach it by os.Setenv.`

func shellMagic() magic {
	return magic{
		name:  "!",
		usage: []string{"!COMMAND"},
		short: "run a command of the shell",
		help: shellHelp + `
A line that ends in \ goes on in the next. A line that is an expression of Go whose names are
known, such as !ok, is no command.`,
		file: true,
		prepare: func(c *call) (action, *session.Error) {
			command := unixLines(strings.TrimSpace(c.args()))
			switch {
			case command == "":
				return nil, c.usage("a command is missing")
			case strings.HasPrefix(command, "!"):
				return nil, c.usage("one ! is enough")
			case strings.Contains(command, "\x00"):
				return nil, c.wrong("a command cannot hold a NUL character")
			}
			return func(ctx context.Context) (*display.Bundle, *session.Error) {
				failure := c.shell(ctx, command)
				if failure == nil && (command == "cd" || strings.HasPrefix(command, "cd ") && !strings.ContainsAny(command, ";&|")) {
					c.out.Text(display.Stderr, "!cd changes the folder of its own shell only; %cd changes the kernel's\n")
				}
				return nil, failure
			}, nil
		},
	}
}

func shMagic() magic {
	return magic{
		name:  "sh",
		usage: []string{"%%sh"},
		short: "run the cell as a script of the shell",
		help:  shellHelp,
		prepare: func(c *call) (action, *session.Error) {
			if strings.TrimSpace(c.args()) != "" {
				return nil, c.usage("nothing may stand in its line; the script follows")
			}
			if strings.TrimSpace(c.body()) == "" {
				return nil, c.usage("the script is empty")
			}
			if strings.Contains(c.body(), "\x00") {
				return nil, c.wrong("a script cannot hold a NUL character")
			}
			return func(ctx context.Context) (*display.Bundle, *session.Error) {
				return nil, c.shell(ctx, unixLines(strings.TrimPrefix(c.body(), "\n")))
			}, nil
		},
	}
}

// unixLines returns a text whose lines end as the shell wants it: to sh, a carriage return is part of a word.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// shell runs a command and waits for it. Its output goes to the cell while it runs.
func (c *call) shell(ctx context.Context, command string) *session.Error {
	err := c.jobs.run(ctx, command, c.out)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return interruptedAt(c.cell, c.part.line)
	case errors.As(err, &exit):
		return failed(commandError, c.cell, c.part.line, fmt.Sprintf("%s: %v", firstLine(command), exit)) // exit status 3, signal: killed
	case err != nil:
		return failed(commandError, c.cell, c.part.line, err.Error())
	}
	return nil
}

// firstLine returns the first line of a command, as errors quote it.
func firstLine(command string) string {
	line, rest, _ := strings.Cut(command, "\n")
	line = clip(line, longest)
	if rest != "" {
		line += " …"
	}
	return line
}
