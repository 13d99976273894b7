package kernel_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// TestKernelspec checks that the kernelspec says of the kernel what the kernel is: package install may not know.
func TestKernelspec(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "install", "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	// Those that jupyter_client knows; others will be errors one day.
	known := []string{"argv", "display_name", "env", "interrupt_mode", "kernel_protocol_version", "language", "metadata"}
	for key := range spec {
		if !slices.Contains(known, key) {
			t.Errorf("the key %s is none of %q", key, known)
		}
	}
	for key, want := range map[string]any{
		"language":                "go", // as in kernel_info_reply
		"interrupt_mode":          "message",
		"kernel_protocol_version": wire.ProtocolVersion,
	} {
		if spec[key] != want {
			t.Errorf("%s is %v, want %v", key, spec[key], want)
		}
	}
	// What is not done must not be declared: a client would encrypt, or open the debugger.
	if metadata, ok := spec["metadata"].(map[string]any); !ok || len(metadata) != 0 {
		t.Errorf("metadata is %v, want {}", spec["metadata"])
	}
}

// TestKernelspecList lets Jupyter list the installed kernel.
func TestKernelspecList(t *testing.T) {
	python := kerneltest.Python(t)
	prefix := kerneltest.Install(t)
	out, err := python.Command(t, []string{prefix}, "-m", "jupyter_client.kernelspecapp", "list", "--json").Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var list struct {
		Kernelspecs map[string]struct {
			ResourceDir string `json:"resource_dir"`
			Spec        struct {
				Argv            []string `json:"argv"`
				DisplayName     string   `json:"display_name"`
				InterruptMode   string   `json:"interrupt_mode"`
				ProtocolVersion string   `json:"kernel_protocol_version"`
			} `json:"spec"`
		} `json:"kernelspecs"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := list.Kernelspecs["orthant"]
	if want := filepath.Join(prefix, "share", "jupyter", "kernels", "orthant"); got.ResourceDir != want {
		t.Errorf("found in %q, want %s", got.ResourceDir, want)
	}
	if s := got.Spec; len(s.Argv) != 3 || !filepath.IsAbs(s.Argv[0]) || s.DisplayName != "Go (orthant)" || s.InterruptMode != "message" ||
		s.ProtocolVersion != wire.ProtocolVersion {
		t.Errorf("got %+v", s)
	}
}
