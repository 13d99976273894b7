package install

import "golang.org/x/sys/unix"

// exchange puts each of two folders in the place of the other, at once. Some file systems cannot.
func exchange(a, b string) error {
	return unix.RenamexNp(a, b, unix.RENAME_SWAP)
}
