package doctor

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// littleMemory is a limit below which cells soon end.
const littleMemory = 256 << 20

// memory looks at the limit of the cells' memory.
func (x *examination) memory(context.Context) []Finding {
	bytes, text, err := x.Memory()
	switch {
	case err != nil:
		return []Finding{{"memory", Wrong, err.Error(), x.shell.unset(x.MemoryVariable)}}
	case bytes != 0 && bytes < littleMemory:
		return []Finding{{"memory", Warning, "only " + text + " for cells", x.shell.set(x.MemoryVariable, "1GiB")}}
	}
	return []Finding{{"memory", OK, text + " for cells", ""}}
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
		if slices.Contains(x.Variables, name) {
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
