package doctor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// frontEnds are the programs that show notebooks or run them: the package's name in jupyter --version, and the program
// that a shell would find where that is not known.
var frontEnds = []struct{ name, module, program string }{
	{"JupyterLab", "jupyterlab", "jupyter-lab"},
	{"Notebook", "notebook", "jupyter-notebook"},
	{"Console", "jupyter_console", "jupyter-console"},
	{"Qt Console", "qtconsole", "jupyter-qtconsole"},
	{"nbclient", "nbclient", "jupyter-execute"},
	{"nbconvert", "nbconvert", "jupyter-nbconvert"},
	{"Voilà", "voila", "voila"},
	{"papermill", "papermill", "papermill"},
	{"Quarto", "quarto", "quarto"},
}

// frontEnds looks for programs to use the kernel with.
func (x *examination) frontEnds(ctx context.Context) []Finding {
	versions, err := x.jupyter.versions(ctx)
	if err != nil {
		versions = nil // then the programs on the PATH tell
	}
	var found []string
	for _, f := range frontEnds {
		if v := versions[f.module]; v != "" {
			found = append(found, f.name+" "+v)
		} else if _, err := exec.LookPath(f.program); err == nil {
			found = append(found, f.name)
		}
	}
	code, err := exec.LookPath("code")
	hasCode, hasExtension := err == nil, hasJupyterExtension()
	if hasCode && hasExtension {
		found = append(found, "VS Code")
	}
	switch {
	case len(found) > 0:
		return []Finding{{"front ends", OK, strings.Join(found, ", "), ""}}
	case hasCode:
		return []Finding{{"front ends", Warning, "VS Code lacks its Jupyter extension",
			x.shell.command(filepath.Base(code), "--install-extension", "ms-toolsai.jupyter")}}
	}
	return []Finding{{"front ends", Warning, "none is on the PATH; orthant run needs none", "python3 -m pip install jupyterlab"}}
}

// hasJupyterExtension looks for the extension among those of VS Code.
func hasJupyterExtension() bool {
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	found, err := filepath.Glob(filepath.Join(home, ".vscode*", "extensions", "ms-toolsai.jupyter-[0-9]*"))
	return err == nil && len(found) > 0
}
