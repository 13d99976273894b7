package magic

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// words splits arguments at white space. Quotes, single or double, hold words together; a backslash means itself, as paths of Windows
// have it.
func words(text string) ([]string, error) {
	var out []string
	var word strings.Builder
	inside, quote := false, rune(0)
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inside = r, true
		case quote == 0 && strings.ContainsRune(" \t\r\n", r):
			if inside {
				out = append(out, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	}
	if inside {
		out = append(out, word.String())
	}
	return out, nil
}

// number reads the value of a flag, which is at least 1.
func number(flag, text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s needs a number of at least 1, not %q", flag, text)
	}
	return n, nil
}

// one returns the only word of arguments.
func one(text, what string) (string, error) {
	list, err := words(text)
	switch {
	case err != nil:
		return "", err
	case len(list) == 0:
		return "", errors.New(what + " is missing")
	case len(list) > 1:
		return "", fmt.Errorf("%q is too much: one name is expected; put quotes around one with spaces", strings.Join(list[1:], " "))
	}
	return list[0], nil
}

// expand replaces a leading ~ by the user's home folder.
func expand(path string) (string, error) {
	if path != "~" && !strings.HasPrefix(path, "~/") && !strings.HasPrefix(path, `~\`) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, path[1:]), nil
}

// oneFile returns the path that is the only word of arguments.
func oneFile(text string) (string, error) {
	path, err := one(text, "the name of a file")
	if err != nil {
		return "", err
	}
	return expand(path)
}
