package history

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPath(t *testing.T) {
	root, err := filepath.Abs(string(filepath.Separator))
	if err != nil {
		t.Fatal(err)
	}
	home, data := filepath.Join(root, "home"), filepath.Join(root, "data")
	const file = "orthant/history.sqlite"
	tests := []struct {
		name, goos  string
		environment map[string]string
		want        string
	}{
		{"linux", "linux", map[string]string{"HOME": home}, filepath.Join(home, ".local/share", file)},
		{"linux XDG", "linux", map[string]string{"HOME": home, "XDG_DATA_HOME": data}, filepath.Join(data, file)},
		{"linux, relative XDG", "linux", map[string]string{"HOME": home, "XDG_DATA_HOME": "data"}, filepath.Join(home, ".local/share", file)},
		{"darwin", "darwin", map[string]string{"HOME": home, "XDG_DATA_HOME": data}, filepath.Join(home, "Library/Application Support", file)},
		{"windows", "windows", map[string]string{"LOCALAPPDATA": data, "HOME": home}, filepath.Join(data, file)},
		{"named", "linux", map[string]string{Variable: filepath.Join(data, "mine")}, filepath.Join(data, "mine")},
		{"off", "linux", map[string]string{Variable: Off, "HOME": home}, ""},
		{"empty", "linux", map[string]string{Variable: "", "HOME": home}, filepath.Join(home, ".local/share", file)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := pathOn(tt.goos, func(name string) string { return tt.environment[name] })
			if err != nil || got != tt.want {
				t.Errorf("got %q and %v, want %q", got, err, tt.want)
			}
		})
	}
	for goos, missing := range map[string]string{"linux": "HOME", "darwin": "HOME", "windows": "LOCALAPPDATA"} {
		_, err := pathOn(goos, func(string) string { return "" })
		if err == nil || !strings.Contains(err.Error(), missing+" is not set; set ORTHANT_HISTORY") {
			t.Errorf("%s: got %v, want what is missing and what helps", goos, err)
		}
	}
}
