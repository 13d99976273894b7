package doctor

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// limits looks at what limits cells.
func (x *examination) limits(context.Context) []Finding {
	var findings []Finding
	for _, l := range x.Limits {
		bytes, text, err := l.Read()
		switch {
		case err != nil:
			findings = append(findings, Finding{l.Check, Wrong, err.Error(), x.shell.unset(l.Variable)})
		case bytes != 0 && bytes < l.Little:
			findings = append(findings, Finding{l.Check, Warning, l.May + " only " + text, x.shell.set(l.Variable, l.Enough)})
		default:
			findings = append(findings, Finding{l.Check, OK, l.May + " " + text, ""})
		}
	}
	return findings
}

// wrongLimit says whether a limit keeps every kernel from starting.
func (x *examination) wrongLimit() bool {
	return slices.ContainsFunc(x.Limits, func(l Limit) bool {
		_, _, err := l.Read()
		return err != nil
	})
}

// arithmetic looks whether the clustering methods can compute.
func (x *examination) arithmetic(context.Context) []Finding {
	if err := x.Arithmetic(); err != nil {
		return []Finding{{"arithmetic", Wrong, err.Error(), x.shell.unset(x.ArithmeticVariable)}}
	}
	return nil // what is set is among the variables
}

// The beginnings of our environment variables, and of those that are for tests.
const (
	variablePrefix     = "ORTHANT_"
	testVariablePrefix = "ORTHANT_TEST_"
)

// variables looks for settings that nothing reads.
func (x *examination) variables(context.Context) []Finding {
	var findings []Finding
	var set []string
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, variablePrefix) || strings.HasPrefix(name, testVariablePrefix) {
			continue
		}
		if slices.Contains(x.Variables, name) || slices.Contains(x.TestVariables, name) {
			set = append(set, name+"="+value)
			continue
		}
		findings = append(findings, Finding{"variables", Warning,
			fmt.Sprintf("%s is set and means nothing; there are %s", name, strings.Join(x.Variables, ", ")), x.shell.unset(name)})
	}
	slices.SortFunc(findings, func(a, b Finding) int { return strings.Compare(a.Text, b.Text) })
	slices.Sort(set)
	if len(set) > 0 {
		findings = append(findings, Finding{"variables", OK, strings.Join(set, " "), ""})
	}
	return findings
}
