package kernel_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"orthant/kernel/kerneltest"
)

// TestUsageAsIPykernel compares the fields of usage_reply and their types with those of ipykernel, which is all the
// specification that there is.
func TestUsageAsIPykernel(t *testing.T) {
	python := kerneltest.Python(t)
	ours := kerneltest.Install(t)
	fields := func(prefix, kernel string) []string {
		cmd := python.Command(t, []string{prefix}, "testdata/usage.py", kernel)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", kernel, err)
		}
		var reply map[string]any
		if err := json.Unmarshal(out, &reply); err != nil {
			t.Fatalf("%s: %v: %s", kernel, err, out)
		}
		t.Logf("%s: %s", kernel, out)
		delete(reply, "host_cpu_percent") // left out when it is 0
		var found []string
		for name, value := range reply {
			found = append(found, fmt.Sprintf("%s %T", name, value))
		}
		if host, ok := reply["host_virtual_memory"].(map[string]any); ok {
			for name, value := range host {
				found = append(found, fmt.Sprintf("host_virtual_memory.%s %T", name, value))
			}
		}
		slices.Sort(found)
		return found
	}
	got, want := fields(ours, "orthant"), fields(python.Prefix(), "python3")
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
