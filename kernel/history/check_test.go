package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	header := func(application, version byte) string {
		h := []byte(fileMagic + strings.Repeat("\x00", fileHeaderSize))
		copy(h[fileApplicationAt:], []byte("ort"))
		h[fileApplicationAt+3], h[fileVersionAt+3] = application, version
		return string(h)
	}
	for _, tt := range []struct {
		name, content string
		damage        func(path string) error
		want          string // what the error ends in
	}{
		{name: "not there", damage: os.Remove},
		{name: "empty"},
		{name: "ours", content: header('h', formatVersion)},
		{name: "of the future", content: header('h', formatVersion+1), want: "it was written by a newer orthant"},
		{name: "of another program", content: header('x', 1), want: "it is the database of another program"},
		{name: "short text", content: "my notes", want: errNoDatabase.Error()},
		{name: "long text", content: strings.Repeat("my notes ", 100), want: errNoDatabase.Error()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sub", "file")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if tt.damage != nil {
				if err := tt.damage(path); err != nil {
					t.Fatal(err)
				}
			}
			t.Setenv(Variable, path)
			got, err := Check()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.HasSuffix(err.Error(), path+": "+tt.want)) || got != path {
				t.Errorf("got %q and %v, want %q", got, err, tt.want)
			}
			if content, _ := os.ReadFile(path); string(content) != tt.content {
				t.Errorf("the file has changed to %q", content)
			}
		})
	}
	t.Run("folder", func(t *testing.T) {
		t.Setenv(Variable, t.TempDir())
		if _, err := Check(); err == nil || !strings.HasSuffix(err.Error(), "it is not a regular file") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("off", func(t *testing.T) {
		t.Setenv(Variable, Off)
		if path, err := Check(); path != "" || err != nil {
			t.Errorf("got %q, %v", path, err)
		}
	})
	t.Run("what a store makes", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "file")
		s := Open(path, nil)
		s.Add(1, "1")
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Setenv(Variable, path)
		if _, err := Check(); err != nil {
			t.Error(err)
		}
	})
}
