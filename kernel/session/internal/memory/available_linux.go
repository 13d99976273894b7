package memory

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// physical returns the bytes of memory that the machine has, 0 where it does not say.
func physical() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}

// controlGroup returns the bytes that the process's control groups allow, 0 where they allow any number.
func controlGroup() uint64 { return groupLimit(os.DirFS("/")) }

// groupLimit is controlGroup for a file system. Each group limits those below it.
func groupLimit(root fs.FS) uint64 {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0 // a system without control groups
	}
	var limit uint64
	for line := range strings.Lines(string(data)) { // 4:memory:/a/b, version 1; 0::/a/b, version 2
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		folder, file := "sys/fs/cgroup", "memory.max"
		if parts[0] != "0" || parts[1] != "" {
			folder, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
			if parts[1] != "memory" {
				continue
			}
		}
		// In a container the path may be that of the host, which is not there: then the root is the container's group.
		for at := path.Join("/", parts[2]); ; at = path.Dir(at) {
			if n := readLimit(root, path.Join(folder, at, file)); n > 0 && (limit == 0 || n < limit) {
				limit = n
			}
			if at == "/" {
				break
			}
		}
	}
	return limit
}

// readLimit reads a group's limit, 0 for none.
func readLimit(root fs.FS, name string) uint64 {
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 64)
	if err != nil {
		return 0 // "max"
	}
	return n
}
