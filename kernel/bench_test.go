package kernel_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"orthant/kernel/kerneltest"
)

// BenchmarkBesideIPykernel measures the installed kernel and ipykernel with the same client in the same run; see
// testdata/peer.py for what is measured. It reports medians, and ratios to ipykernel (below 1 is better). The targets:
// ready below 0.2, a round trip and 100,000 lines below 0.5, no line lost, less than 100 MB of memory.
//
//	go test -run '^$' -bench BesideIPykernel ./kernel
func BenchmarkBesideIPykernel(b *testing.B) {
	const rounds = 5
	python := kerneltest.Python(b)
	prefix := kerneltest.Install(b)
	for b.Loop() {
		cmd := python.Command(b, []string{prefix, python.Prefix()}, "testdata/peer.py", strconv.Itoa(rounds), "orthant", "python3")
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%v\n%s", err, complaint.Bytes())
		}
		var figures map[string]map[string][]float64
		if err := json.Unmarshal(out, &figures); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		report(b, figures["orthant"], figures["python3"])
	}
}

// report reports the figures of the two kernels.
func report(b *testing.B, ours, theirs map[string][]float64) {
	for _, f := range []struct {
		name, unit string
		scale      float64
	}{
		{"ready", "ms", 1e3},
		{"trip", "ms", 1e3},
		{"lines", "ms", 1e3},
		{"memory", "MB", 1e-6},
	} {
		us, them := median(ours[f.name]), median(theirs[f.name])
		b.Logf("%-7s orthant %8.2f %s   ipykernel %8.2f %s   ratio %.3f", f.name, us*f.scale, f.unit, them*f.scale, f.unit, us/them)
		b.ReportMetric(us*f.scale, f.name+"-"+f.unit)
		b.ReportMetric(us/them, f.name+"-ratio")
	}
	lost := slices.Max(ours["lost"])
	b.Logf("lost    orthant %8.0f lines   ipykernel %5.0f lines", lost, slices.Max(theirs["lost"]))
	b.ReportMetric(lost, "lost-lines")
	if lost != 0 {
		b.Errorf("%.0f lines were lost", lost)
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
