package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orthant/install"
)

// installed makes a machine of its own for the test, on which the kernel is installed, and returns the program and the kernelspec.
func installed(t *testing.T) (program string, spec install.Spec) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "JUPYTER_DATA_DIR": filepath.Join(home, "data"), "PATH": home, "JUPYTER_PATH": "", "VIRTUAL_ENV": "", "CONDA_PREFIX": "",
	} {
		t.Setenv(name, value)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	spec, err = install.Install(install.Options{Executable: program})
	if err != nil {
		t.Fatal(err)
	}
	return program, spec
}

// TestLate checks that nothing is blamed for what there was no time to look at.
func TestLate(t *testing.T) {
	program, _ := installed(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	report := Examine(ctx, Options{
		Executable: program,
		Start:      func(ctx context.Context, _, _ []string) (Kernel, error) { return Kernel{}, ctx.Err() },
		Arithmetic: func() error { return nil },
		History:    func() (string, error) { return "", nil },
	})
	for _, check := range []string{"start", "ports"} {
		want := Finding{check, Warning, "not looked at: the time was over", thisShell().command(program, "doctor", "--timeout", "5m")}
		if !slices.Contains(report.Findings, want) {
			t.Errorf("%s: want %+v in %+v", check, want, report.Findings)
		}
	}
}

// TestStart gives the doctor kernels that say different things of themselves.
func TestStart(t *testing.T) {
	const version = "0.2.0"
	ours := Kernel{Implementation: implementation, Version: version, Ready: 120 * time.Millisecond, Cell: time.Second}
	with := func(change func(k *Kernel)) Kernel {
		k := ours
		change(&k)
		return k
	}
	broken := errors.New("broken")
	for _, test := range []struct {
		name    string
		kernel  Kernel
		err     error
		foreign bool // the kernelspec is not ours but has our name
		want    string
		mend    string // after the program's name
	}{
		{"good", ours, nil, false, "ok: P answers after 0.12 s, has run a cell after 1.00 s", ""},
		{"older", with(func(k *Kernel) { k.Version = "0.1.9" }), nil, false, "warning: P is version 0.1.9, not 0.2.0", " install"},
		{"newer", with(func(k *Kernel) { k.Version = "0.10.0" }), nil, false, "warning: P is version 0.10.0, newer than this program", "P doctor"},
		{"another program", with(func(k *Kernel) { k.Implementation = "gonb" }), nil, false, "wrong: P starts another kernel, gonb 0.2.0", " install"},
		{"another program that knows no cell", with(func(k *Kernel) { k.Implementation = "ipython" }), broken, false,
			"wrong: P starts another kernel, ipython 0.2.0", " install"},
		{"another kernel of our name", with(func(k *Kernel) { k.Implementation = "other" }), nil, true,
			"wrong: orthant is another kernel, other 0.2.0", " install --name orthant-go"},
		{"does not start", Kernel{}, broken, false, "wrong: P does not work: broken", " install"},
		{"cannot run cells", ours, broken, false, "wrong: P does not work: broken", " install"},
	} {
		t.Run(test.name, func(t *testing.T) {
			program, spec := installed(t)
			if test.foreign {
				content := `{"argv":["` + filepath.ToSlash(spec.Executable) + `","{connection_file}","{resource_dir}"],` +
					`"display_name":"x","language":"x","env":{"A":"${HOME}/a"}}`
				if err := os.WriteFile(filepath.Join(spec.Dir, "kernel.json"), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var argv, environment []string
			report := Examine(t.Context(), Options{
				Version: version, Executable: program,
				Start: func(_ context.Context, a, e []string) (Kernel, error) {
					argv, environment = a, e
					return test.kernel, test.err
				},
				Arithmetic: func() error { return nil },
				History:    func() (string, error) { return "", nil },
			})
			at := slices.IndexFunc(report.Findings, func(f Finding) bool { return f.Check == "start" })
			if at < 0 {
				t.Fatalf("nothing was started: %+v", report.Findings)
			}
			got := report.Findings[at]
			name := strings.NewReplacer(spec.Executable, "P")
			if line := string(got.State) + ": " + name.Replace(got.Text); line != test.want {
				t.Errorf("got  %s\nwant %s", line, test.want)
			}
			if mend := strings.TrimPrefix(name.Replace(got.Mend), thisShell().quote(program)); mend != test.mend {
				t.Errorf("the mending command ends in %q, want %q", mend, test.mend)
			}
			if test.foreign && (argv[2] != spec.Dir || environment[0] != "A="+os.Getenv("HOME")+"/a") {
				t.Errorf("started %q with %q", argv, environment)
			}
		})
	}
}
