package install

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFind looks for kernelspecs of ours among others.
func TestFind(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	write := func(data, name, content string) {
		t.Helper()
		dir := filepath.Join(data, "kernels", name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, specFile), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const (
		python = `{"argv":["python","-f","{connection_file}"],"display_name":"Python 3","language":"python"}`
		ours   = `{"argv":["/opt/lab","kernel","{connection_file}"],"display_name":"Go","language":"go","env":{"A":"1"}}`
		named  = `{"argv":["/opt/orthant-2","--old","{connection_file}"],"display_name":"Go","language":"go"}`
	)
	write(first, "python3", python)
	write(first, "MyLab", ours)
	write(first, "orthant", "[")
	write(second, "mylab", python) // behind ours, by name
	write(second, "old", named)
	if err := os.MkdirAll(filepath.Join(second, "kernels", "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	got := Find([]Place{{first, "user"}, {filepath.Join(first, "none"), "system"}, {second, "system"}})
	want := []struct {
		name    string
		data    string
		foreign bool
		broken  bool
	}{
		{"mylab", first, false, false},
		{"orthant", first, true, true},
		{"mylab", second, true, false},
		{"old", second, true, false},
	}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i, w := range want {
		if g := got[i]; g.Name != w.name || g.Place.Data != w.data || g.Foreign != w.foreign || (g.Err != nil) != w.broken {
			t.Errorf("got  %+v\nwant %+v", g, w)
		}
	}
	if got[0].Env["A"] != "1" || filepath.Base(got[0].Dir) != "MyLab" {
		t.Errorf("got %+v", got[0])
	}
}
