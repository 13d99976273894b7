package typeinfo

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// Importer returns an importer of the packages that are compiled in. It reads
// a package when it is first imported and gives the same *types.Package ever
// after, so that a type is identical however it is reached. Types of two
// importers are never identical: a session keeps one importer.
//
// fset is that of the code to be checked. Imported objects have no positions:
// the sources they were in are not there to be looked at. The importer may be
// used by several goroutines at a time. An unknown path gives an error that
// says so and names packages that may have been meant.
func Importer(fset *token.FileSet) types.Importer {
	return &importer{fset: fset, packages: map[string]*types.Package{"unsafe": types.Unsafe}}
}

type importer struct {
	fset *token.FileSet

	mu sync.Mutex
	// packages holds the packages by path. Export data names everything a
	// package's exported declarations can reach in other packages, so there
	// are also packages that hold just that part; those are not Complete.
	// A complete package does not change any more: whatever another package
	// can reach in it, its own export data has reached already.
	packages map[string]*types.Package
}

func (imp *importer) Import(path string) (*types.Package, error) {
	imp.mu.Lock()
	defer imp.mu.Unlock()
	// A complete package need not be one of ours: cells do not see the
	// internal packages our packages use, and those are never completed.
	if pkg := imp.packages[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	f, ok := archives().types[path]
	if !ok {
		return nil, unknown(path)
	}
	data, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("typeinfo: %s: %w", path, err)
	}
	pkg, err := gcexportdata.Read(bytes.NewReader(data), imp.fset, imp.packages, path)
	if err != nil {
		return nil, fmt.Errorf("typeinfo: %s: %w", path, err)
	}
	return pkg, nil
}
