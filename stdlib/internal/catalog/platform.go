package catalog

import "runtime"

// A Platform is a pair of GOOS and GOARCH.
type Platform struct {
	OS, Arch string
}

func (p Platform) String() string { return p.OS + "/" + p.Arch }

// Suffix returns "_GOOS_GOARCH", which as the end of a file's name makes the
// go command build the file on this platform only.
func (p Platform) Suffix() string { return "_" + p.OS + "_" + p.Arch }

// Platforms lists the platforms the tables are made for. The first one is
// the reference: what is equal everywhere is taken from it.
func Platforms() []Platform {
	return []Platform{
		{"linux", "amd64"}, {"linux", "arm64"},
		{"darwin", "amd64"}, {"darwin", "arm64"},
		{"windows", "amd64"}, {"windows", "arm64"},
	}
}

// Narrow is a 32-bit platform. No tables are made for it; it is looked at to
// find the constants that depend on the size of a word.
func Narrow() Platform { return Platform{"linux", "386"} }

// Host is the platform of the running program.
func Host() Platform { return Platform{runtime.GOOS, runtime.GOARCH} }
