package kernel

import (
	"slices"
	"testing"

	"orthant/kernel/session"
)

// TestCompletionTypes has every kind of match that the session tells in the terms of JupyterLab.
func TestCompletionTypes(t *testing.T) {
	known := []string{"function", "instance", "class", "module", "keyword"}
	s, err := session.New()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := map[string]bool{}
	for _, src := range []string{
		"", "fmt.", "ctx.", "import \"", "display.Bundle{}.", "L:\nfor { break ", "const local = 1\nfunc f(x int) { ",
	} {
		for _, m := range s.Complete(src, len(src)).Matches {
			seen[m.Kind] = true
			if !slices.Contains(known, completionTypes[m.Kind]) {
				t.Errorf("%q offers %s of kind %q, which becomes %q", src, m.Text, m.Kind, completionTypes[m.Kind])
			}
		}
	}
	for kind := range completionTypes {
		if !seen[kind] {
			t.Errorf("nothing of kind %s was offered", kind)
		}
	}
}
