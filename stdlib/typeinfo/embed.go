package typeinfo

import "embed"

// common holds the documentation, and the export data of the packages that
// are the same on all platforms. The variable platform, in embed_GOOS_GOARCH.go,
// holds the export data of the others.
//
//go:embed data/common/*.zip
var common embed.FS
