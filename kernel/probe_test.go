//go:build !windows

package kernel

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// probeTimeout bounds a probe that should succeed.
const probeTimeout = kerneltest.Timeout

// asKernel is a command that makes this test a kernel with a fake session, as a kernelspec would name it.
func asKernel(t *testing.T) []string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "kernel.sh")
	content := "#!/bin/sh\nexport " + kernelVariable + "=\"$1\"\nexec '" + os.Args[0] + "'\n"
	if err := os.WriteFile(script, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{script, "{connection_file}"}
}

func TestProbe(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), probeTimeout)
	defer cancel()
	got, err := Probe(ctx, asKernel(t), []string{"XDG_CACHE_HOME=" + t.TempDir()}, "value 1")
	if err != nil {
		t.Fatal(err)
	}
	if got.Implementation != "orthant" || got.Protocol != wire.ProtocolVersion || got.Ready <= 0 || got.Cell < got.Ready {
		t.Errorf("got %+v", got)
	}
}

// TestProbeOfAnother checks that what another kernel says of itself is understood.
func TestProbeOfAnother(t *testing.T) {
	python := kerneltest.Python(t).Command(t, nil, "-m", "ipykernel_launcher", "-f", "{connection_file}")
	ctx, cancel := context.WithTimeout(t.Context(), probeTimeout)
	defer cancel()
	got, err := Probe(ctx, python.Args, python.Env, "1 + 1")
	if err != nil || got.Implementation != "ipython" || got.Cell <= got.Ready {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestProbeFails(t *testing.T) {
	for _, tc := range []struct {
		name    string
		command []string
		cell    string
		timeout time.Duration
		want    string
	}{
		{"no command", nil, "", probeTimeout, "there is no command"},
		{"no such program", []string{"/nonexistent/orthant", "{connection_file}"}, "", probeTimeout, "no such file"},
		{"another program", []string{"/bin/sh", "-c", "echo not a kernel >&2; exit 3"}, "", probeTimeout, "the process ended (exit status 3): not a kernel"},
		{"a program that ends well", []string{"/bin/sh", "-c", ":"}, "", probeTimeout, "the process ended (exit status 0)"},
		{"a program that only waits", []string{"/bin/sh", "-c", "exec sleep 60"}, "", 200 * time.Millisecond, "shell does not listen: context deadline exceeded"},
		{"a cell that fails", asKernel(t), "fail", probeTimeout, `the cell "fail" fails: `},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), tc.timeout)
			defer cancel()
			_, err := Probe(ctx, tc.command, nil, tc.cell)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
			if tc.timeout != probeTimeout && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v does not wrap the context's error", err)
			}
		})
	}
}
