package memory

import (
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// physical is the machine's memory.
func physical() (uint64, bool) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0, false
	}
	return uint64(info.Totalram) * uint64(info.Unit), true
}

// controlGroup is the smallest limit on the way from the process's control group to the root, in either version.
func controlGroup() (uint64, bool) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0, false // no control groups here
	}
	return groupLimit("/sys/fs/cgroup", string(text))
}

// groupLimit reads the limits of the groups listed in text, whose lines are hierarchy:controllers:path (cgroups(7)), in the file
// system mounted at root.
func groupLimit(root, text string) (limit uint64, found bool) {
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		mount, file := "", ""
		switch {
		case fields[0] == "0" && fields[1] == "":
			mount, file = root, "memory.max"
		case fields[1] == "memory":
			mount, file = path.Join(root, "memory"), "memory.limit_in_bytes"
		default:
			continue
		}
		// In a container the path may be that of the host, of which only the root is mounted: the walk ends there.
		for dir := path.Join("/", fields[2]); ; dir = path.Dir(dir) {
			if b, ok := readLimit(path.Join(mount, dir, file)); ok && (!found || b < limit) {
				limit, found = b, true
			}
			if dir == "/" {
				break
			}
		}
	}
	return limit, found
}

// readLimit is the number in a file; "max" (version 2) is none.
func readLimit(file string) (uint64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false // no such group here
	}
	b, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return b, err == nil
}
