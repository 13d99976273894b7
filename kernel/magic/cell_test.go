//go:build !windows

package magic

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orthant/kernel/session"
)

// TestCells plays cells with magics of all kinds in one folder, and looks at what the last one gives. In what is wanted, …
// stands for any text.
func TestCells(t *testing.T) {
	tests := []struct {
		name  string
		cells []string
		want  string
	}{
		{"Go alone", []string{"x := 6\nx * 7"}, "result 42"},
		{"in order", []string{"fmt.Println(1)\n!echo 2\nfmt.Println(3)\n!echo 4"}, `stdout "1\n2\n3\n4\n"`},
		{"names go through", []string{"x := 6\n!:\ny := x * 7\n!:\ny"}, "result 42"},
		{"the result is the last part's", []string{"1\n!:"}, ""},
		{"functions of one part", []string{"%who\nf(1)\nfunc f(n int) int { return n + 1 }"}, "stdout \"no cell has defined a name\\n\"\nresult 2"},
		{"an error is told of its line", []string{"x := 1\n!:\n\nx + y"}, "CompileError: cell 1 line 4: undefined: y"},
		{"a syntax error in front of all", []string{"fmt.Println(1)\n!echo 2\nx +"}, "CompileError: cell 1 line 3: expected operand…"},
		{"a panic of a function of an earlier part", []string{"func f(l []int) int { return l[3] }\n!:\nf(nil)"}, "Panic: runtime error: index out of range [3] with length 0"},
		{"an error that a later part looks at", []string{"_, err := fmt.Sscan(\"x\", new(int))\n!:\nerr != nil"}, "result true"},
		{"an error that timeit looks at", []string{"_, err := fmt.Sscan(\"x\", new(int))\n%timeit -n 1 err.Error()"}, `stdout "…"`},
		{"an error that time looks at", []string{"_, err := fmt.Sscan(\"x\", new(int))\n%time err != nil"}, "stdout \"CPU times: …\"\nresult true"},

		{"an unknown magic", []string{"x := 1\n%tmie x"}, "MagicError: cell 1 line 2: there is no magic %tmie; is %time meant? %help lists the magics"},
		{"an unknown magic like none", []string{"%frobnicate"}, "MagicError: cell 1 line 1: there is no magic %frobnicate; %help lists the magics"},
		{"an unknown cell magic", []string{"%%html\n<b>"}, "MagicError: cell 1 line 1: there is no magic %%html; use display.HTML"},
		{"a habit", []string{"%matplotlib inline"}, "MagicError: cell 1 line 1: there is no magic %matplotlib; figures are shown …"},
		{"no name", []string{"% x"}, "MagicError: cell 1 line 1: the name of a magic is missing behind %; %help lists them"},
		{"a cell magic too late", []string{"x := 1\n%%time\nx"}, "MagicError: cell 1 line 2: %%time takes a whole cell: it must be the cell's first line"},
		{"a line magic for a cell", []string{"%%who\nx"}, "MagicError: cell 1 line 1: %%who takes no cell; write %who"},
		{"a cell magic for a line", []string{"%writefile x"}, "MagicError: cell 1 line 1: %writefile takes a cell; write %%writefile [-a] FILE"},
		{"nothing runs before a mistake", []string{"!echo 1\n%timeit -n x f()"}, "MagicError: cell 1 line 2: %timeit: -n needs a number of at least 1, not \"x\"; usage: …"},
		{"in an assignment", []string{"x := %time 1"}, "MagicError: cell 1 line 1: %time cannot stand here: a magic has a line of its own, outside of all brackets"},

		{"time", []string{"%time x := 42\nx"}, "stdout \"CPU times: user …, system …, total …\\nWall time: …s\\n\"\nresult 42"},
		{"time with a value", []string{"%time 6*7"}, "stdout \"CPU times: …\"\nresult 42"},
		{"time over lines", []string{"%time fmt.Sprint(\n\t1,\n\t2,\n)"}, "stdout \"CPU times: …\"\nresult 1 2"},
		{"time of what fails", []string{"%time panic(\"oh\")"}, "stdout \"CPU times: …\"\nPanic: oh"},
		{"time of what is wrong", []string{"\n%time x +"}, "CompileError: cell 1 line 2: expected operand, found 'EOF'"},
		{"time without a statement", []string{"%time"}, "MagicError: cell 1 line 1: %time: a statement is missing; usage: %time STATEMENT or %%time"},
		{"time of a cell", []string{"%%time\nx := 6\n!echo hi\nx * 7"}, "stdout \"hi\\nCPU times: …\"\nresult 42"},
		{"time of a cell that is wrong", []string{"%%time\nx := 6\ny"}, "stdout \"CPU times: …\"\nCompileError: cell 1 line 3: undefined: y"},
		{"time of a script", []string{"%%time\n%%sh\nls"}, "stdout \"prog.go\\nCPU times: …\""},
		{"time of nothing", []string{"%%time\n"}, "MagicError: cell 1 line 1: %%time: the cell is empty; usage: …"},

		{"timeit", []string{"%timeit -n 10 -r 2 fmt.Sprint(1)"}, "stdout \"… ± … per loop (mean ± std. dev. of 2 runs, 10 loops each); best …s, interpreted\\n\""},
		{"timeit of a value", []string{"x := 1\n%timeit -n10 -r1 x + 1"}, "stdout \"… (mean ± std. dev. of 1 run, 10 loops each); best …\""},
		{"timeit of one loop", []string{"%timeit -r 1 -n 1 for range 3 { fmt.Print(\"a\") }"}, "stdout \"aaa… 1 loop each…\""},
		{"timeit runs so often", []string{"n := 0\n%timeit -r 3 -n 4 n++\nn"}, "stdout \"…\"\nresult 12"},
		{"timeit of a cell", []string{"n := 0", "%%timeit -r 2 -n 3 m := 5\nm++\nn += m", "n"}, "result 51"},
		{"timeit leaves no names", []string{"%timeit -r 1 -n 1 y := 1; _ = y", "y"}, "CompileError: cell 2 line 1: undefined: y"},
		{"timeit of what is wrong", []string{"\n%timeit -r 1 y + 1"}, "CompileError: cell 1 line 2: undefined: y"},
		{"timeit of a definition", []string{"%timeit -n 1 y, err := fmt.Sscan(\"x\") // tries"}, `stdout "…"`},
		{"timeit of variables", []string{"%timeit -n 1 var y, _ int", "y"}, "CompileError: cell 2 line 1: undefined: y"},
		{"timeit of a definition that is wrong", []string{"%timeit -n 1 y := z"}, "CompileError: cell 1 line 1: undefined: z"},
		{"timeit of a name not used inside", []string{"%timeit -n 1 for { y := 1; break }"}, "CompileError: cell 1 line 1: declared and not used: y"},
		{"timeit of a return", []string{"%timeit -n 1 if true { return }"}, "MagicError: cell 1 line 1: %timeit: the statement ended the measurement, perhaps by a return"},
		{"timeit of what panics", []string{"\n%timeit panic(\"oh\")"}, "Panic: oh"},
		{"timeit with a comment as setup", []string{"%%timeit -n 1 // nothing\nx := 1 // one\nx++"}, `stdout "…"`},
		{"timeit of what is wrong behind a setup", []string{"%%timeit -n 1 x := 1 // one\n\nx + y"}, "CompileError: cell 1 line 3: undefined: y"},
		{"timeit of nothing", []string{"%timeit -n 3"}, "MagicError: cell 1 line 1: %timeit: what to measure is missing; usage: …"},

		{"time of a command", []string{"\n%time !ls"}, "MagicError: cell 1 line 2: %time: what is measured is Go, and no magic or command; %%time takes a cell with others"},
		{"time of a magic", []string{"%time %who"}, "MagicError: cell 1 line 1: %time: what is measured is Go, and no magic or command; %%time takes a cell with others"},
		{"time of a negation", []string{"ok := true\n%time !ok"}, "stdout …result false"},
		{"timeit of a command", []string{"%timeit !ls"}, "MagicError: cell 1 line 1: %timeit: what is measured is Go, and no magic or command"},
		{"timeit of a negation", []string{"ok := true\n%timeit -n 1 !ok"}, `stdout "…"`},
		{"timeit of a cell with a magic", []string{"%%timeit\nx := 1\n%time x"}, "MagicError: cell 1 line 1: %%timeit: what is measured is Go, and no magic or command"},
		{"a return ends the cell", []string{"fmt.Println(1)\nif true {\n\treturn\n}\n!echo 2\n3"}, `stdout "1\n"`},
		{"a return in a timed statement", []string{"%time if true { return }\n!echo 2"}, `stdout "CPU …\nWall time: …s\n"`},
		{"a return in a timed cell", []string{"%%time\nfmt.Println(1)\nif true {\n\treturn\n}\n!echo 2"}, `stdout "1\nCPU …\nWall time: …s\n"`},
		{"a return that does not come", []string{"fmt.Println(1)\nif false {\n\treturn\n}\n!echo 2\n3"}, "stdout \"1\\n2\\n\"\nresult 3"},
		{"a return of a function", []string{"func() { return }()\n!echo 2"}, `stdout "2\n"`},
		{"who of a long type", []string{"var x " + strings.Repeat("[]", 100) + "int\ny := 1", "%who"}, "shown name  kind      type" + strings.Repeat(" ", 56) +
			"  cell  bytes\nx     variable  " + strings.Repeat("[]", 29) + "[…     1     24\ny     variable  int …"},
		{"who of nothing", []string{"%who"}, `stdout "no cell has defined a name\n"`},
		{"who", []string{"const c = 1\ntype T struct{}\nfunc f() {}\nlist := make([]float64, 1000)", "%who"}, `shown name  kind      type         cell  bytes
list  variable  []float64       1  8,024
T     type      T               1
c     constant  untyped int     1
f     function  func()          1`},
		{"who shares", []string{"a := make([]byte, 1000)\nb := a[:10]\nc := &a", "%who"}, `shown …c     variable  *[]byte     1  1,032…all variables together: 1,056 bytes`},
		{"who with arguments", []string{"%who x"}, "MagicError: cell 1 line 1: %who: nothing may stand behind it; usage: %who"},

		{"reset", []string{"x := 1", "%reset -f\nx"}, "CompileError: cell 2 line 2: undefined: x"},
		{"reset with goroutines", []string{"on := make(chan bool)\ngo func() { on <- true; select {} }()\n<-on", "%reset -f"}, `stderr "goroutines of earlier cells go on: 1\n"`},
		{"reset that nobody can confirm", []string{"%reset"}, "MagicError: cell 1 line 1: %reset: nobody can be asked here; %reset -f does not ask"},
		{"reset with another flag", []string{"%reset -q"}, "MagicError: cell 1 line 1: %reset: \"-q\" is not understood; usage: %reset [-f]"},

		{"run", []string{"%run prog.go"}, `stdout "main runs\n"`},
		{"run defines names", []string{"%run prog.go\nTwice(21)"}, "stdout \"main runs\\n\"\nresult 42"},
		{"run what a line has written", []string{"!echo 'x := 5' > made.go\n%run made.go\nx"}, "result 5"},
		{"run what is wrong", []string{"!printf 'x := 5\\ny' > wrong.go\n%run wrong.go"}, "CompileError: wrong.go line 2: undefined: y"},
		{"run and panic later", []string{"%run prog.go", "Fails()"}, "Panic: on purpose"},
		{"run what there is not", []string{"%run none.go"}, "MagicError: cell 1 line 1: %run: none.go: no such file or directory"},
		{"run what is no Go", []string{"%run x.sh"}, "MagicError: cell 1 line 1: %run: x.sh is no Go file; usage: %run FILE.go"},
		{"run nothing", []string{"%run"}, "MagicError: cell 1 line 1: %run: the name of a file is missing; usage: %run FILE.go"},
		{"run has names in who", []string{"%run prog.go", "%who"}, "shown …Twice…prog.go…"},

		{"load where it cannot be", []string{"%load prog.go"}, "MagicError: cell 1 line 1: %load: the text of a cell cannot be set here"},
		{"load beside something", []string{"%load prog.go\n// mine"}, "MagicError: cell 1 line 1: %load: it replaces the text of its cell, so nothing else may stand there"},

		{"writefile", []string{"%%writefile 'a b.txt'\n%x\n`\nlast", "!cat 'a b.txt'"}, "stdout \"%x\\n`\\nlast\\n\""},
		{"writefile tells", []string{"%%writefile a\nx"}, `stdout "wrote a\n"`},
		{"writefile again", []string{"%%writefile a\nx", "%%writefile a\ny"}, `stdout "overwrote a\n"`},
		{"writefile appends", []string{"%%writefile a\nx", "%%writefile -a a\ny", "!cat a"}, `stdout "x\ny\n"`},
		{"writefile of nothing", []string{"%%writefile a", "!wc -c < a | tr -d ' '"}, `stdout "0\n"`},
		{"writefile without a name", []string{"%%writefile\nx"}, "MagicError: cell 1 line 1: %%writefile: one name of a file is expected…"},
		{"writefile into no folder", []string{"%%writefile none/a\nx"}, "MagicError: cell 1 line 1: %%writefile: none/a: no such file or directory"},

		{"a command", []string{"!echo out; echo err >&2"}, "stdout \"out\\n\"\nstderr \"err\\n\""},
		{"a command that fails", []string{"!exit 3\nfmt.Println(1)"}, "CommandError: cell 1 line 1: exit 3: exit status 3"},
		{"a command that is killed", []string{"!kill -9 $$"}, "CommandError: cell 1 line 1: kill -9 $$: signal: killed"},
		{"a command that there is not", []string{"!no-such-command"}, "stderr …not found…\nCommandError: cell 1 line 1: no-such-command: exit status 127"},
		{"no command", []string{"!"}, "MagicError: cell 1 line 1: !: a command is missing; usage: !COMMAND"},
		{"two marks", []string{"!!ls"}, "MagicError: cell 1 line 1: !: one ! is enough; usage: !COMMAND"},
		{"a long command that fails", []string{"!false " + strings.Repeat("é", 10000)},
			"CommandError: cell 1 line 1: false " + strings.Repeat("é", longest-7) + "…: exit status 1"},
		{"a command with NUL", []string{"!echo a\x00b"}, "MagicError: cell 1 line 1: !: a command cannot hold a NUL character"},
		{"a command's input is empty", []string{"!cat; echo end"}, `stdout "end\n"`},
		{"the shell's own signs", []string{"!A=1; echo $A '{x}' \\\n  b"}, `stdout "1 {x} b\n"`},
		{"characters in pieces", []string{"!printf '\\303'; printf '\\251'"}, `stdout "é"`},
		{"Go that begins with a mark", []string{"ok := true\n!ok"}, "result false"},
		{"the folder of a command", []string{"!cd /"}, `stderr "!cd changes the folder of its own shell only; %cd changes the kernel's\n"`},
		{"a background process", []string{"!sleep 1000 & echo started"}, `stdout "started\n"`},
		{"a script", []string{"%%sh\nfor i in 1 2; do\n  echo $i\ndone"}, `stdout "1\n2\n"`},
		{"a script that fails", []string{"%%sh\necho 1\nexit 4"}, "stdout \"1\\n\"\nCommandError: cell 1 line 1: echo 1 …: exit status 4"},
		{"a script of Windows", []string{"%%sh\r\nfor i in 1 2; do\r\n  echo $i\r\ndone\r\n"}, `stdout "1\n2\n"`},
		{"a command of Windows over two lines", []string{"!echo a \\\r\n b\r\n5"}, "stdout \"a b\\n\"\nresult 5"},
		{"a script with NUL", []string{"%%sh\necho a\x00b"}, "MagicError: cell 1 line 1: %%sh: a script cannot hold a NUL character"},
		{"no script", []string{"%%sh\n\n"}, "MagicError: cell 1 line 1: %%sh: the script is empty; usage: %%sh"},

		{"cd", []string{"!mkdir sub\n%cd sub\n!basename $PWD\n%cd -\n!ls -d sub"}, "stdout \"…/sub\\nsub\\n…\\nsub\\n\""},
		{"cd out of a folder that is gone", []string{"!mkdir sub\n%cd sub\n!rmdir ../sub", "%cd .", "%cd -\n!ls -d prog.go"}, `stdout "…\nprog.go\n"`},
		{"cd without a before", []string{"%cd -"}, "MagicError: cell 1 line 1: %cd: there is no folder before this one"},
		{"cd into nothing", []string{"%cd none"}, "MagicError: cell 1 line 1: %cd: none: no such file or directory"},

		{"env sets", []string{"%env ORTHANT_A=b 'c'\n!echo $ORTHANT_A\nimport \"os\"\nos.Getenv(\"ORTHANT_A\")"}, "stdout \"b 'c'\\n\"\nresult b 'c'"},
		{"env shows", []string{"%env ORTHANT_A = b", "%env ORTHANT_A"}, "result b"},
		{"env of what is not set", []string{"%env ORTHANT_NONE"}, "MagicError: cell 1 line 1: %env: ORTHANT_NONE is not set"},
		{"env lists and hides", []string{"%env ORTHANT_TOKEN=abc", "%env"}, "shown name …\nORTHANT_TOKEN …(hidden)…"},
		{"env without a name", []string{"%env =x"}, "MagicError: cell 1 line 1: %env: \"\" is no name of a variable; usage: …"},
		{"env with a space", []string{"%env A b"}, "MagicError: cell 1 line 1: %env: \"A b\" is no name of a variable; a value stands behind =; usage: …"},

		{"history", []string{"x := 1\nx", "y := 2", "%history"}, `stdout "   1: x := 1\n      x\n   2: y := 2\n"`},
		{"history of the last", []string{"x := 1", "y := 2", "%history -n 1"}, `stdout "   2: y := 2\n"`},
		{"history of some", []string{"x := 1", "y := 2", "%history x*1"}, `stdout "   1: x := 1\n"`},
		{"history of other sessions", []string{"%history -g"}, "MagicError: cell 1 line 1: %history: no history of other sessions is kept here"},
		{"history with another flag", []string{"%history -x"}, "MagicError: cell 1 line 1: %history: there is no flag -x…"},
		{"history without a number", []string{"%history -n"}, "MagicError: cell 1 line 1: %history: -n needs a number of at least 1, not \"\"; usage: …"},

		{"help", []string{"%help"}, "shown magic …%time STATEMENT …run a statement…%%writefile…!COMMAND…"},
		{"help of one", []string{"%help %timeit"}, "shown %timeit [-n LOOPS]…Without -n the number of loops…"},
		{"help of none", []string{"%help tiem"}, "MagicError: cell 1 line 1: %help: there is no magic \"tiem\"; is %time meant? %help lists the magics"},
	}
	used := map[string]bool{}
	for _, tt := range tests {
		for _, cell := range tt.cells {
			for _, word := range regexp.MustCompile(`(?m)^ *(%+\w+|!)`).FindAllString(cell, -1) {
				used[strings.TrimSpace(word)] = true
			}
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv("ORTHANT_A", "") // so that what the cells set ends with the test
			t.Setenv("ORTHANT_TOKEN", "")
			prog := "package main\n\nimport \"fmt\"\n\nfunc Twice(n int) int { return 2 * n }\n\nfunc Fails() {\n\tpanic(\"on purpose\")\n}\n\nfunc main() {\n\tfmt.Println(\"main runs\")\n}\n"
			if err := os.WriteFile(filepath.Join(".", "prog.go"), []byte(prog), 0o600); err != nil {
				t.Fatal(err)
			}
			pattern := strings.ReplaceAll(regexp.QuoteMeta(tt.want), "…", "(?s:.*)")
			if got := play(t, newInterpreter(t), tt.cells...); !regexp.MustCompile("^" + pattern + "$").MatchString(got) {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	for _, m := range table() {
		for _, usage := range m.usage {
			name := regexp.MustCompile(`^(%+\w+|!)`).FindString(usage)
			if name == "" || !used[name] {
				t.Errorf("%s is in no test", usage)
			}
		}
		if m.short == "" || m.help == "" || strings.Contains(m.short, "\n") {
			t.Errorf("%s is not documented", m.name)
		}
	}
}

// TestQuoted looks at the lines that errors quote: they are the cell's, whatever the magics have made of them.
func TestQuoted(t *testing.T) {
	for _, tt := range []struct{ cell, line string }{
		{"import \"os\"\n%timeit -n 1 os.Exit(3)", "   2 | %timeit -n 1 os.Exit(3)"},
		{"%timeit -n 1 panic(1)", "   1 | %timeit -n 1 panic(1)"},
		{"%timeit nothing", "   1 | %timeit nothing\n               ^"},
		{"%time nothing()", "   1 | %time nothing()"},
		{"%time 1 +", "   1 | %time 1 +"},
		{"x := 1\n%time panic(x)", "   2 | %time panic(x)"},
		{"!true\nx := nothing", "   2 | x := nothing"},
		{"%%timeit -n 1 x := 1\n\n// a comment\n[]int{}[x]", "   4 | []int{}[x]"},
		{"%%timeit -n 1 x := []int{}[cap([]int{})] // one\nx", "   1 | %%timeit -n 1 x := []int{}[cap([]int{})] // one"},
		{"%%timeit -n 1 x := 1\n\nfor { x-- ; _ = []int{}[x] }", "   3 | for { x-- ; _ = []int{}[x] }"},
	} {
		i := newInterpreter(t)
		_, failure := i.Execute(t.Context(), session.Cell{Number: 1, Source: tt.cell}, &recorder{})
		if failure == nil || !strings.Contains(plain(failure), tt.line) {
			t.Errorf("%q: got %v", tt.cell, failure)
		}
	}
}

// plain returns a traceback without its colours.
func plain(e *session.Error) string {
	return regexp.MustCompile(`\x1b\[[0-9]*m`).ReplaceAllString(strings.Join(e.Traceback, "\n"), "")
}
