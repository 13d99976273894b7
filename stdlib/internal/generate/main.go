// Command generate makes the tables of stdlib/symbols and stdlib/typeinfo
// from the packages that stdlib/internal/catalog lists.
//
//	go generate ./stdlib/...                     # everything: some minutes
//	go run ./stdlib/internal/generate -group own # our own packages only: seconds
//
// Symbols come from `go tool yaegi extract`, rewritten (rewrite.go) so that
// they need no package variable, no init function and no copy of yaegi's
// helper tables. Export data and documentation come from the sources.
//
// Packages whose declarations differ between platforms are extracted once
// for each platform; constants that differ between platforms become
// expressions; all else is written once. Run it from the module's root or
// any folder below it. The output depends only on the sources and the Go
// version.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"orthant/stdlib/internal/catalog"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	group := flag.String("group", "", "generate this `group` only (std, gonum, plot, own)")
	only := flag.String("only", "", "generate `symbols` or typeinfo only")
	flag.Parse()
	if err := run(*group, *only); err != nil {
		log.Fatal(err)
	}
}

// run generates the tables of one group, or of all groups if the name is
// empty; only restricts it to one of the two packages.
func run(group, only string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	groups := catalog.Groups()
	if group != "" {
		groups = slices.DeleteFunc(groups, func(g catalog.Group) bool { return g.Name != group })
		if len(groups) == 0 {
			return fmt.Errorf("no group %q", group)
		}
	}
	w, err := loadWorld(root, groups)
	if err != nil {
		return err
	}
	if only != "typeinfo" {
		if err := writeSymbols(root, w, groups); err != nil {
			return err
		}
	}
	if only != "symbols" {
		return writeTypeinfo(filepath.Join(root, "stdlib", "typeinfo", "data"), w, groups)
	}
	return nil
}

// moduleRoot returns the folder of this module's go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == os.DevNull {
		return "", fmt.Errorf("not inside a module")
	}
	return filepath.Dir(file), nil
}
