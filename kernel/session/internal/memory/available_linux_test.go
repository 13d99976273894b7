package memory

import (
	"testing"
	"testing/fstest"
)

func TestGroupLimit(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  uint64
	}{
		{"no groups", nil, 0},
		{"version 2", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "2048\n"}, 2048},
		{"the smaller of two levels", map[string]string{"proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "4096\n", "sys/fs/cgroup/a/memory.max": "1024\n"}, 1024},
		{"max", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 0},
		{"a path of the host's", map[string]string{"proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/memory.max": "512\n"}, 512},
		{"version 1", map[string]string{"proc/self/cgroup": "5:cpu:/q\n4:memory:/c\n0::/\n",
			"sys/fs/cgroup/memory/c/memory.limit_in_bytes": "256\n", "sys/fs/cgroup/cpu/q/memory.limit_in_bytes": "1\n"}, 256},
		{"nonsense", map[string]string{"proc/self/cgroup": "what\n\n::\n"}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := fstest.MapFS{}
			for name, text := range test.files {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := groupLimit(root); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}
