// Command testlog reads what go test -json prints and shows what matters: go test's own closing lines, the output of
// tests that failed, and the tests that were skipped. It exits with 1 if any failed, or was skipped for a reason other
// than its long form being off: a test that is skipped for missing data or tools is one that nobody runs.
//
//	go test -json ./... | testlog
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// switches are what the reason of a skip has to name one of to be a good one: the long forms are off, the short ones were
// asked for, or the test needs a right that containers withhold.
var switches = []string{"ORTHANT_LONG", "-short", "containers withhold"}

// An event is a line of go test -json (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Output     string
}

// A test names a test, or a package when Test is empty.
type test struct{ Package, Test string }

func main() {
	bad, err := filter(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
	}
	if bad > 0 || err != nil {
		os.Exit(1)
	}
}

// filter returns how many tests, packages and builds failed or were skipped without a good reason.
func filter(r io.Reader, w io.Writer) (bad int, err error) {
	output := make(map[test]string)
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			bad += show(w, output, line)
		}
		if err == io.EOF {
			return bad, nil
		}
		if err != nil {
			return bad, err
		}
	}
}

// show handles one line and returns 1 if it says that something is bad.
func show(w io.Writer, output map[test]string, line string) int {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Fprint(w, line) // not go test's: a crash of the toolchain, say
		return 0
	}
	t := test{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(w, e.Output)
	case "build-fail":
		return 1
	case "output":
		switch {
		case e.Test != "":
			output[t] += e.Output
		case e.Output != "PASS\n":
			fmt.Fprint(w, e.Output) // ok, FAIL, no test files; a panic's stack
		}
	case "pass":
		delete(output, t)
	case "fail":
		fmt.Fprint(w, output[t])
		return 1
	case "skip":
		if e.Test == "" || slices.ContainsFunc(switches, func(s string) bool { return strings.Contains(output[t], s) }) {
			return 0 // a package without tests, or a switch
		}
		fmt.Fprintf(w, "skipped: %s %s\n%s", e.Package, e.Test, output[t])
		return 1
	}
	return 0
}
