package memory

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGroupLimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		text  string // of /proc/self/cgroup
		want  uint64
		found bool
	}{
		{name: "none", text: "0::/\n"},
		{name: "version 2", text: "0::/a/b\n", files: map[string]string{"a/b/memory.max": "1000\n"}, want: 1000, found: true},
		{name: "version 2, no limit", text: "0::/a\n", files: map[string]string{"a/memory.max": "max\n"}},
		{name: "version 2, the parent's is smaller", text: "0::/a/b\n",
			files: map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "500\n"}, want: 500, found: true},
		{name: "container whose own group is mounted as the root", text: "0::/elsewhere/x\n",
			files: map[string]string{"memory.max": "700\n"}, want: 700, found: true},
		{name: "version 1", text: "4:cpu,memory:/x\n"},
		{name: "version 1 memory", text: "5:cpu:/\n4:memory:/x\n0::/\n",
			files: map[string]string{"memory/x/memory.limit_in_bytes": "300\n"}, want: 300, found: true},
		{name: "nonsense", text: "what\n4:memory\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range c.files {
				file := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, found := groupLimit(root, c.text); got != c.want || found != c.found {
				t.Errorf("got %d, %v; want %d, %v", got, found, c.want, c.found)
			}
		})
	}
}
