//go:build !windows

package magic

import (
	"os"
	"strings"
	"testing"

	"orthant/kernel/session"
)

// TestBesideRunningCell uses magics that look at all names, and change them, while a cell of another shell computes with them. The
// race detector looks on.
func TestBesideRunningCell(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.go", []byte("package main\n\nfunc twice(n int) int { return 2 * n }\n\nfunc main() { fmt.Println(twice(21)) }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	i, r := newInterpreter(t), &recorder{came: make(chan struct{}, 1)}
	play(t, i, "end := make(chan bool)\nlist, table, n := []int{}, map[string]int{}, 0\nfunc step() { n++; list = append(list, n); table[fmt.Sprint(n)] = n }")
	wait := execute(t.Context(), i, "fmt.Println(\"ready\")\nfor range 300 { step() }\nstep()\nend <- true\nfor range 300 { step() }\nfmt.Println(len(list), len(table), n)", r)
	r.waitFor(t, "ready\n")
	for at, tt := range []struct{ source, want string }{
		{"%who", "list "},
		{"%run a.go", "42"},
		{"twice(4)", "result 8"},
		{"%history", "%run a.go"},
		{"<-end", "result true"},
		{"%reset -f", ""},
		{"%who", "no cell has defined a name"},
		{"list", "undefined: list"},
		{"list := \"mine\"\nlist", "result mine"},
	} {
		q := &recorder{}
		if got := transcript(i, session.CellNumber(1, at+1), tt.source, q, q); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %s, want %s", tt.source, got, tt.want)
		}
	}
	if failure := wait(); failure != nil {
		t.Fatal(failure)
	}
	if out, _ := r.texts(); out != "ready\n601 601 601\n" {
		t.Errorf("the running cell has %q: it lost its variables", out)
	}
	if got := play(t, i, "list"); got != "result mine" {
		t.Errorf("afterwards list is %s", got)
	}
}
