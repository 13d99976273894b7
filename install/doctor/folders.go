package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"orthant/install"
)

// folders looks whether the folders that Jupyter and the kernel write to are there, or can be made.
func (x *examination) folders(context.Context) []Finding {
	var findings []Finding
	home, err := os.UserHomeDir()
	if err != nil {
		findings = append(findings, x.homeless(err))
	} else if info, err := os.Stat(home); err != nil || !info.IsDir() {
		findings = append(findings, Finding{"home", Warning, home + " is not a folder", x.makeFolder(home)})
	}
	data, errData := install.UserPlace()
	runtimeDir, errRuntime := install.RuntimeDir()
	cache, errCache := os.UserCacheDir()
	var kept string
	if errCache == nil {
		kept = filepath.Join(cache, "orthant")
	}
	good := ""
	for _, f := range []struct {
		name, dir, why string
		err            error
		state          State // when it cannot be written to
	}{
		{"data", data.Data, "no kernel can be installed", errData, Warning},
		{"runtime", runtimeDir, "Jupyter cannot write connection files", errRuntime, Wrong},
		{"cache", kept, "the kernel cannot keep what a crash would say", errCache, Warning},
	} {
		err, at := f.err, f.dir
		if err == nil {
			at, err = checkWritable(f.dir)
		}
		if err != nil {
			findings = append(findings, Finding{f.name + " folder", f.state, fmt.Sprintf("%v: %s", err, f.why), x.mendFolder(at, err)})
			continue
		}
		if good != "" {
			good += ", "
		}
		good += f.name + " " + f.dir
	}
	if good != "" {
		findings = append(findings, Finding{"folders", OK, good, ""})
	}
	return findings
}

// homeless says what happens without HOME.
func (x *examination) homeless(err error) Finding {
	if home := passwordHome(); home != "" {
		return Finding{"home", Warning, "HOME is not set", x.shell.set("HOME", home)}
	}
	return Finding{"home", Wrong, err.Error(), ""}
}

// errNoFolder says that something else stands where a folder should be.
var errNoFolder = errors.New("is not a folder")

// checkWritable says why nothing can be written to the folder or, where it is not there, why it cannot be made. It
// returns where the trouble is: the folder or one above it.
func checkWritable(dir string) (at string, err error) {
	for at = filepath.Clean(dir); ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case errors.Is(err, os.ErrNotExist) && at != filepath.Dir(at):
			continue
		case err != nil && filepath.Dir(at) != at && !errors.Is(err, os.ErrPermission):
			continue // below a file; the next one up tells
		case err != nil:
			return at, err
		case !info.IsDir():
			return at, fmt.Errorf("%s %w", at, errNoFolder)
		}
		break
	}
	f, err := os.CreateTemp(at, ".orthant-*")
	if err != nil {
		return at, fmt.Errorf("%s cannot be written to", at)
	}
	return at, errors.Join(f.Close(), os.Remove(f.Name()))
}

// mendFolder returns the command that makes a folder one that can be written to.
func (x *examination) mendFolder(at string, err error) string {
	switch {
	case at == "":
		return ""
	case errors.Is(err, errNoFolder):
		return x.moveAside(at)
	case x.shell.windows:
		return x.shell.command("icacls", at, "/grant") + ` "%USERNAME%":(OI)(CI)F`
	case isOwner(at):
		return x.shell.command("chmod", "u+rwx", at)
	}
	return `sudo chown -R "$(id -un)" ` + x.shell.quote(at)
}

// moveAside returns the command that moves what is in the way. It is not removed: nobody knows what it is.
func (x *examination) moveAside(at string) string {
	if x.shell.windows {
		return x.shell.command("ren", at, filepath.Base(at)+".old")
	}
	return x.shell.command("mv", at, at+".old")
}

func (x *examination) makeFolder(dir string) string {
	if x.shell.windows {
		return x.shell.command("mkdir", dir)
	}
	return x.shell.command("mkdir", "-p", dir)
}
