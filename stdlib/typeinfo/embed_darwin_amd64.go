package typeinfo

import "embed"

// platform holds the export data that is particular to this platform.
//
//go:embed data/darwin_amd64/*.zip
var platform embed.FS
