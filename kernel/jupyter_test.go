package kernel_test

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"orthant/kernel/kerneltest"
)

// TestJupyter lets Jupyter's own clients talk to the installed kernel.
func TestJupyter(t *testing.T) {
	python := kerneltest.Python(t)
	prefix := kerneltest.Install(t)
	runs := "3"
	if os.Getenv("ORTHANT_LONG") == "1" {
		runs = "50" // evcxr lost lines once in 25 runs (evcxr/evcxr#353)
	}
	tests := []struct {
		name string
		args []string
	}{
		{"conformance", []string{"testdata/conformance.py", "--verbose"}},
		{"comms", []string{"testdata/comms.py", "--verbose"}},
		{"features", []string{"testdata/features.py", "--verbose"}},
		{"life", []string{"testdata/life.py", "--verbose"}},
		{"registration", []string{"testdata/registration.py"}},
		{"nbclient", []string{"testdata/client.py", runs}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := python.Command(t, []string{prefix}, tt.args...).CombinedOutput()
			t.Logf("%s", out)
			if err != nil {
				t.Error(err)
			}
			if bytes.Contains(out, []byte("skipped")) && runtime.GOOS != "windows" {
				t.Error("a test was skipped")
			}
		})
	}
}
