package install

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// template holds the files of the kernelspec; of kernel.json, the executable has still to be set.
//
//go:embed kernel.json logo-32x32.png logo-64x64.png logo-svg.svg
var template embed.FS

// specFile is the file that makes a folder a kernelspec.
const specFile = "kernel.json"

// A kernelSpec is the content of kernel.json. Only the keys that Jupyter knows may stand there.
type kernelSpec struct {
	Argv            []string `json:"argv"`
	DisplayName     string   `json:"display_name"`
	Language        string   `json:"language"`
	InterruptMode   string   `json:"interrupt_mode"`
	ProtocolVersion string   `json:"kernel_protocol_version"`
	Metadata        struct{} `json:"metadata"`
}

// templateSpec returns the embedded kernel.json.
func templateSpec() (kernelSpec, error) {
	data, err := template.ReadFile(specFile)
	if err != nil {
		return kernelSpec{}, err
	}
	var spec kernelSpec
	err = json.Unmarshal(data, &spec)
	return spec, err
}

// writeSpec writes the files of the kernelspec into the folder, for the executable.
func writeSpec(dir, executable string) error {
	files, err := template.ReadDir(".")
	if err != nil {
		return err
	}
	for _, f := range files {
		content, err := template.ReadFile(f.Name())
		if err != nil {
			return err
		}
		if f.Name() == specFile {
			if content, err = specFor(executable); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name()), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// specFor returns the kernel.json for an executable.
func specFor(executable string) ([]byte, error) {
	spec, err := templateSpec()
	if err != nil {
		return nil, err
	}
	spec.Argv[0] = executable
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(spec)
	return b.Bytes(), err
}

// checkOurs returns an error unless the folder holds a kernelspec that Install has made: one that differs from the
// template in nothing but the executable's path. Versions of the protocol may differ.
func checkOurs(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil {
		return fmt.Errorf("%s is not a kernelspec: %w", dir, cause(err))
	}
	want, err := templateSpec()
	if err != nil {
		return err
	}
	var got struct {
		Argv     []string `json:"argv"`
		Language string   `json:"language"`
	}
	if err := json.Unmarshal(data, &got); err != nil {
		return fmt.Errorf("%s is not a kernelspec: %w", dir, err)
	}
	if got.Language != want.Language || len(got.Argv) == 0 || !slices.Equal(got.Argv[1:], want.Argv[1:]) {
		return fmt.Errorf("%s is the kernelspec of another kernel", dir)
	}
	return nil
}

// cause takes the path off an error of package os, for messages that name it themselves.
func cause(err error) error {
	if path, ok := err.(*fs.PathError); ok {
		return path.Err
	}
	return err
}
