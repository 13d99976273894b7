package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"orthant/install"
)

// kernelspecs looks at all kernelspecs of ours, and starts those that Jupyter would start.
func (x *examination) kernelspecs(ctx context.Context) []Finding {
	found := install.Find(x.places)
	if len(found) == 0 {
		return []Finding{x.nothingInstalled()}
	}
	listed, errListed := x.jupyter.kernels(ctx)
	var findings []Finding
	first := make(map[string]install.Found)
	for _, f := range found {
		if earlier, taken := first[f.Name]; taken {
			findings = append(findings, x.hidden(f, earlier))
			continue
		}
		first[f.Name] = f
		spec := x.kernelspec(f)
		if dir, ok := listed[f.Name]; errListed == nil && spec.State == OK && !ok {
			spec = Finding{"kernelspec", Wrong, f.Dir + " is a good one, but Jupyter does not list it: its configuration may " +
				"allow other kernels only (KernelSpecManager.allowed_kernelspecs)", ""}
		} else if ok && !install.SameFile(dir, f.Dir) {
			spec = Finding{"kernelspec", Warning, fmt.Sprintf("Jupyter takes %s from %s and not from %s", f.Name, dir, f.Dir), ""}
		}
		findings = append(findings, spec)
		if spec.State == OK {
			findings = append(findings, x.start(ctx, f))
		}
	}
	return findings
}

// nothingInstalled says that there is no kernelspec, that something else is in its place, or that there is one only where
// Jupyter does not look.
func (x *examination) nothingInstalled() Finding {
	mend := x.shell.command(x.program(), "install")
	if user, err := install.UserPlace(); err == nil {
		dir := filepath.Join(user.Data, "kernels", implementation)
		if _, err := os.Lstat(dir); err == nil { // Find would have found a kernelspec, and Install replaces nothing else
			return Finding{"kernelspec", Wrong, dir + " is in the way: it has no kernel.json", x.moveAside(dir) + " && " + mend}
		}
	}
	if lost := install.Find(install.UnsearchedPlaces(x.Executable)); len(lost) > 0 {
		return Finding{"kernelspec", Wrong, lost[0].Dir + " is not where Jupyter looks", mend}
	}
	return Finding{"kernelspec", Wrong, "orthant is not installed where Jupyter looks", mend}
}

// hidden says that a kernelspec is behind another one of its name.
func (x *examination) hidden(f, earlier install.Found) Finding {
	if f.Place == earlier.Place {
		return Finding{"kernelspec", Warning,
			fmt.Sprintf("%s and %s are one kernel for Jupyter, which does not tell cases apart", earlier.Dir, f.Dir), x.reinstall(f)}
	}
	finding := Finding{Check: "kernelspec", State: Warning, Text: f.Dir + " is never used: " + earlier.Dir + " comes first"}
	if !f.Foreign {
		finding.Mend = x.at(f, "uninstall")
	}
	return finding
}

// kernelspec looks at the file and at the program that it names.
func (x *examination) kernelspec(f install.Found) Finding {
	if f.Err != nil {
		return Finding{"kernelspec", Wrong, fmt.Sprintf("%s: %v", filepath.Join(f.Dir, "kernel.json"), f.Err), x.reinstall(f)}
	}
	if err := checkProgram(f.Argv[0]); err != nil {
		return Finding{"kernelspec", Wrong, fmt.Sprintf("%s names the program %s, which %v", f.Dir, f.Argv[0], err), x.reinstall(f)}
	}
	return Finding{"kernelspec", OK, fmt.Sprintf("%s: %s", f.Name, f.Dir), ""}
}

// checkProgram says why a program cannot be started.
func checkProgram(name string) error {
	if !filepath.IsAbs(name) {
		if _, err := exec.LookPath(name); err != nil {
			return errors.New("is not on the PATH, and may be on no server's")
		}
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return errors.New("is gone")
	case err != nil:
		return fmt.Errorf("cannot be read: %w", errors.Unwrap(err))
	case !info.Mode().IsRegular():
		return errors.New("is not a file")
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return errors.New("is not executable")
	}
	return nil
}

// startTime bounds how long a kernel may take for everything, so that one which hangs leaves time for the others.
const startTime = 20 * time.Second

// start starts what a good kernelspec names.
func (x *examination) start(ctx context.Context, f install.Found) Finding {
	argv := slices.Clone(f.Argv)
	for i := range argv {
		argv[i] = strings.ReplaceAll(argv[i], "{resource_dir}", f.Dir)
	}
	var environment []string
	for name, value := range f.Env {
		environment = append(environment, name+"="+os.ExpandEnv(value))
	}
	slices.Sort(environment)
	limited, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	k, err := x.Start(limited, argv, environment)
	switch {
	case k.Implementation != "" && k.Implementation != implementation && f.Foreign:
		return Finding{"start", Wrong, fmt.Sprintf("%s is another kernel, %s %s", f.Name, k.Implementation, k.Version),
			x.shell.command(x.program(), "install", "--name", f.Name+"-go")}
	case k.Implementation != "" && k.Implementation != implementation:
		return Finding{"start", Wrong, fmt.Sprintf("%s starts another kernel, %s %s", f.Argv[0], k.Implementation, k.Version), x.reinstall(f)}
	case err != nil && ctx.Err() != nil:
		return x.late("start")
	case err != nil:
		finding := Finding{"start", Wrong, fmt.Sprintf("%s does not work: %v", f.Argv[0], err), x.reinstall(f)}
		if x.wrongLimit() {
			finding.Mend = "" // the limit has a finding of its own
		}
		return finding
	case k.Version != x.Version && newer(k.Version, x.Version):
		return Finding{"start", Warning, fmt.Sprintf("%s is version %s, newer than this program", f.Argv[0], k.Version),
			x.shell.command(f.Argv[0], "doctor")}
	case k.Version != x.Version:
		return Finding{"start", Warning, fmt.Sprintf("%s is version %s, not %s", f.Argv[0], k.Version, x.Version), x.reinstall(f)}
	}
	return Finding{"start", OK, fmt.Sprintf("%s answers after %s, has run a cell after %s", f.Argv[0], seconds(k.Ready), seconds(k.Cell)), ""}
}

// reinstall returns the command that puts a good kernelspec in the place of f.
func (x *examination) reinstall(f install.Found) string {
	words := []string{"install"}
	if f.Foreign {
		words = append(words, "--replace")
	}
	return x.at(f, words...)
}

// at returns a command of this program for the place and the name of f. A name that is none becomes the default.
func (x *examination) at(f install.Found, words ...string) string {
	words = append([]string{x.program()}, words...)
	if f.Name != implementation && install.CheckName(f.Name) == nil {
		words = append(words, "--name", f.Name)
	}
	user, err := install.UserPlace()
	if err == nil && filepath.Clean(user.Data) == f.Place.Data {
		return x.shell.command(words...)
	}
	if share := filepath.Dir(f.Place.Data); filepath.Base(f.Place.Data) == "jupyter" && filepath.Base(share) == "share" {
		words = append(words, "--prefix", filepath.Dir(share))
		if f.Place.Why == "system" && !x.shell.windows && os.Geteuid() != 0 {
			words = append([]string{"sudo"}, words...)
		}
		return x.shell.command(words...)
	}
	return x.shell.with("JUPYTER_DATA_DIR", f.Place.Data, x.shell.command(words...))
}
