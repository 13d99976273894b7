//go:build !windows

package doctor

import (
	"os"
	"os/user"
	"syscall"
)

// isOwner says whether the user may change who can do what with a file.
func isOwner(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(status.Uid) == os.Geteuid() || os.Geteuid() == 0)
}

// passwordHome returns the user's folder as the password database has it, which Python uses without HOME; empty for none.
func passwordHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.HomeDir
}
