package history

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Variable names the environment variable that says where the history is: the path of a file, [Off] for none. Empty or
// unset is the file history.sqlite in the folder orthant of the user's data.
const Variable = "ORTHANT_HISTORY"

// Off is the value of [Variable] with which nothing is written.
const Off = "off"

// Path returns the file of the user's history, an absolute path; empty where the user wants none. It is an error if nothing
// says where the user's files are.
func Path() (string, error) { return pathOn(runtime.GOOS, os.Getenv) }

// pathOn is [Path] for a system and its environment.
func pathOn(goos string, getenv func(string) string) (string, error) {
	switch named := getenv(Variable); named {
	case "":
	case Off:
		return "", nil
	default:
		path, err := filepath.Abs(named)
		if err != nil {
			return "", fmt.Errorf("history: %s: %w", Variable, err)
		}
		return path, nil
	}
	data, from := dataDir(goos, getenv)
	if data == "" {
		return "", fmt.Errorf("history: no folder for the user's data: %s is not set; set %s to the path of a file, or to %s",
			from, Variable, Off)
	}
	return filepath.Join(data, "orthant", "history.sqlite"), nil
}

// dataDir returns the folder in which programs keep the user's data, and the variable that it follows from; an empty one if
// that is not set.
//
// https://specifications.freedesktop.org/basedir-spec/latest/ has the rule that a relative XDG_DATA_HOME is ignored.
func dataDir(goos string, getenv func(string) string) (dir, from string) {
	if goos == "windows" {
		return getenv("LOCALAPPDATA"), "LOCALAPPDATA"
	}
	if xdg := getenv("XDG_DATA_HOME"); goos != "darwin" && filepath.IsAbs(xdg) {
		return xdg, "XDG_DATA_HOME"
	}
	home := getenv("HOME")
	switch {
	case home == "":
		return "", "HOME"
	case goos == "darwin":
		return filepath.Join(home, "Library", "Application Support"), "HOME"
	}
	return filepath.Join(home, ".local", "share"), "HOME"
}
