package session

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"

	"orthant/stdlib/display"
)

// A typing is a recorder whose user types lines. When they are used up the input is at its end, once for each question.
type typing struct {
	recorder
	mu    sync.Mutex
	lines []string
	asked []string            // the prompts
	stuck chan<- struct{}     // told when there is a question and no line; nil for the end of the input
	seen  func(stdout string) // told what the cell has written when it asks; may be nil
}

func (t *typing) Ask(ctx context.Context, prompt string, password bool) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if password {
		prompt += "(hidden)"
	}
	t.asked = append(t.asked, prompt)
	if t.seen != nil {
		t.seen(t.stdout())
	}
	switch {
	case len(t.lines) > 0:
		line := t.lines[0]
		t.lines = t.lines[1:]
		return line, nil
	case t.stuck == nil:
		return "", io.EOF
	}
	t.stuck <- struct{}{}
	<-ctx.Done()
	return "", ctx.Err()
}

// TestStdin has cells read what is typed, in each way that Go has. What they print ends with "typed", so that a cell that
// finds the end of a file instead does not pass.
func TestStdin(t *testing.T) {
	const imports = "import (\n\t\"bufio\"\n\t\"bytes\"\n\t\"encoding/csv\"\n\t\"encoding/json\"\n\t\"io\"\n\t\"io/fs\"\n\t\"os\"\n\t\"os/exec\"\n\t\"strings\"\n)\n" +
		"var _ = []any{bufio.NewReader, bytes.NewReader, csv.NewReader, json.NewDecoder, io.EOF, fs.ErrExist, os.Exit, exec.Command, strings.ToUpper}\n" +
		"type Embeds struct{ *os.File }\ntype Source interface{ Read([]byte) (int, error) }\n" +
		"func all(r io.Reader) string {\n\tdata, err := io.ReadAll(r)\n\treturn fmt.Sprintf(\"%q %v\", data, err)\n}\n" +
		"func Generic[T io.Reader](r T) string { return all(r) }"
	for _, test := range []struct {
		name  string
		src   string
		lines string // typed, separated by commas
		want  string
		asked int
	}{
		{"fmt.Scan", "var a, b int\nn, err := fmt.Scan(&a, &b)\nfmt.Println(a, b, n, err)", "1,2", "1 2 2 <nil>\n", 2},
		{"fmt.Scan of one line", "var a, b int\nfmt.Scan(&a, &b)\nfmt.Println(a, b)", "1 2", "1 2\n", 1},
		{"fmt.Scanln", "var a, b string\nn, err := fmt.Scanln(&a, &b)\nfmt.Println(a, b, n, err)", "x y", "x y 2 <nil>\n", 1},
		{"fmt.Scanf", "var a int\nn, err := fmt.Scanf(\"%d\\n\", &a)\nfmt.Println(a, n, err)", "7", "7 1 <nil>\n", 1},
		{"fmt.Scan at the end", "var a int\nn, err := fmt.Scan(&a)\nfmt.Println(a, n, err)", "", "0 0 EOF\n", 1},
		{"fmt.Scan as a value", "scan := fmt.Scan\nvar a int\nscan(&a)\nfmt.Println(a)", "5", "5\n", 1},
		{"fmt.Fscan", "var a int\nfmt.Fscan(os.Stdin, &a)\nfmt.Println(a)", "3", "3\n", 1},
		{"bufio.Reader", "line, err := bufio.NewReader(os.Stdin).ReadString('\\n')\nfmt.Printf(\"%q %v\\n\", line, err)", "héllo", "\"héllo\\n\" <nil>\n", 1},
		{"bufio.Scanner", "sc := bufio.NewScanner(os.Stdin)\nfor sc.Scan() {\n\tfmt.Println(sc.Text())\n}\nfmt.Println(sc.Err())", "a,b", "a\nb\n<nil>\n", 3},
		{"io.ReadAll", "fmt.Println(all(os.Stdin))", "a,b", "\"a\\nb\\n\" <nil>\n", 3},
		{"io.Copy", "io.Copy(os.Stdout, os.Stdin)", "a,b", "a\nb\n", 3},
		{"io.Copy from a variable", "in := os.Stdin\nvar buf bytes.Buffer\nio.Copy(&buf, in)\nfmt.Print(buf.String())", "a,b", "a\nb\n", 3},
		{"io.MultiReader", "fmt.Println(all(io.MultiReader(strings.NewReader(\"x\"), os.Stdin)))", "a", "\"xa\\n\" <nil>\n", 2},
		{"Read", "p := make([]byte, 2)\nn, err := os.Stdin.Read(p)\nfmt.Printf(\"%q %d %v\\n\", p[:n], n, err)", "abc", "\"ab\" 2 <nil>\n", 1},
		{"Read as a value", "read := os.Stdin.Read\np := make([]byte, 9)\nn, err := read(p)\nfmt.Printf(\"%q %v\\n\", p[:n], err)", "abc", "\"abc\\n\" <nil>\n", 1},
		{"Read as an expression", "p := make([]byte, 9)\nn, err := (*os.File).Read(os.Stdin, p)\nfmt.Printf(\"%q %v\\n\", p[:n], err)", "abc", "\"abc\\n\" <nil>\n", 1},
		{"WriteTo", "var buf bytes.Buffer\nn, err := os.Stdin.WriteTo(&buf)\nfmt.Println(n, err, buf.String())", "abc", "4 <nil> abc\n\n", 2},
		{"a conversion", "fmt.Println(all(io.Reader(os.Stdin)))", "a", "\"a\\n\" <nil>\n", 2},
		{"a variable of an interface", "var r io.Reader = os.Stdin\nfmt.Println(all(r))", "a", "\"a\\n\" <nil>\n", 2},
		{"an assignment", "var r io.ReadCloser\nr = os.Stdin\nfmt.Println(all(r))", "a", "\"a\\n\" <nil>\n", 2},
		{"several assignments", "var r io.Reader\nvar n int\nr, n = os.Stdin, 1\nfmt.Println(all(r), n)", "a", "\"a\\n\" <nil> 1\n", 2},
		{"an interface of the cell", "var r Source = os.Stdin\nfmt.Println(all(r))", "a", "\"a\\n\" <nil>\n", 2},
		{"an empty interface", "var v any = os.Stdin\nfmt.Println(all(v.(io.Reader)))", "a", "\"a\\n\" <nil>\n", 2},
		{"a file of an interface", "var f fs.File = os.Stdin\nfmt.Println(all(f))", "a", "\"a\\n\" <nil>\n", 2},
		{"an element", "list := []io.Reader{os.Stdin}\nfmt.Println(all(list[0]))", "a", "\"a\\n\" <nil>\n", 2},
		{"a result", "func in() io.Reader { return os.Stdin }\nfmt.Println(all(in()))", "a", "\"a\\n\" <nil>\n", 2},
		{"a channel", "ch := make(chan io.Reader, 1)\nch <- os.Stdin\nfmt.Println(all(<-ch))", "a", "\"a\\n\" <nil>\n", 2},
		{"a type argument", "fmt.Println(Generic(os.Stdin))", "a", "\"a\\n\" <nil>\n", 2},
		{"an embedded file", "e := Embeds{os.Stdin}\np := make([]byte, 9)\nn, _ := e.Read(p)\nfmt.Printf(\"%q\\n\", p[:n])", "a", "\"a\\n\"\n", 1},
		{"an embedded file in an interface", "fmt.Println(all(Embeds{os.Stdin}))", "a", "\"a\\n\" <nil>\n", 2},
		{"csv", "rows, err := csv.NewReader(os.Stdin).ReadAll()\nfmt.Println(rows, err)", "1;2", "[[1;2]] <nil>\n", 2},
		{"json", "var v map[string]int\nerr := json.NewDecoder(os.Stdin).Decode(&v)\nfmt.Println(v, err)", "{\"a\": 1}", "map[a:1] <nil>\n", 1},
		{"another program", "c := exec.Command(\"cat\")\nc.Stdin = os.Stdin\nout, err := c.Output()\nfmt.Printf(\"%q %v\\n\", out, err)", "a,b", "\"a\\nb\\n\" <nil>\n", 3},
		{"a goroutine", "done := make(chan string)\ngo func() { done <- all(os.Stdin) }()\nfmt.Println(<-done)", "a", "\"a\\n\" <nil>\n", 2},
		{"after the end", "all(os.Stdin)\nvar a int\n_, err := fmt.Scan(&a)\nfmt.Println(err)", "", "EOF\n", 2},
		{"the file is the file", "var v any = os.Stdin\nf, ok := v.(*os.File)\n_, isFile := v.(interface{ Fd() uintptr })\nkind := \"\"\nswitch v.(type) {\ncase *os.File:\n\tkind = \"file\"\ncase io.Reader:\n\tkind = \"reader\"\n}\nvar r io.Reader = os.Stdin\nfmt.Println(ok, f == os.Stdin, isFile, kind, v == any(os.Stdin), r == os.Stdin, r == v, v == nil)", "", "true true true file true true true false\n", 0},
		{"its type", "var v any = os.Stdin\nfmt.Printf(\"%T %T\\n\", v, os.Stdin)", "", "*os.File *os.File\n", 0},
		{"its name", "info, err := os.Stdin.Stat()\nfmt.Println(os.Stdin.Name(), info.Mode()&os.ModeCharDevice != 0, err)", "", "/dev/stdin true <nil>\n", 0},
		{"another file", "r, w, _ := os.Pipe()\nold := os.Stdin\nos.Stdin = r\nfmt.Fprintln(w, 12)\nw.Close()\nvar a int\nfmt.Scan(&a)\nfmt.Println(a, all(os.Stdin))\nos.Stdin = old", "", "12 \"\" <nil>\n", 0},
		{"display.Input", "name, err := display.Input(\"name: \")\nfmt.Println(name, err)", "Ada", "Ada <nil>\n", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, imports)
			user := &typing{}
			if test.lines != "" {
				user.lines = strings.Split(test.lines, ",")
			}
			if _, e := s.Execute(t.Context(), Cell{2, test.src}, user); e != nil {
				t.Fatal(e)
			}
			if got := user.stdout(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if len(user.asked) != test.asked {
				t.Errorf("asked %d times, want %d", len(user.asked), test.asked)
			}
		})
	}
}

// TestStdinOfEachCell checks that what is left of a line goes with its cell, and that text comes before the question.
func TestStdinOfEachCell(t *testing.T) {
	s := newSession(t)
	var before string
	user := &typing{lines: []string{"1 rest"}, seen: func(stdout string) { before = stdout }}
	if _, e := s.Execute(t.Context(), Cell{1, "import \"os\"\nvar a int\nfmt.Fprint(os.Stdout, \"number: \")\nfmt.Scan(&a)"}, user); e != nil {
		t.Fatal(e)
	}
	if before != "number: " {
		t.Errorf("asked after %q, want the text before", before)
	}
	user = &typing{lines: []string{"2"}}
	if _, e := s.Execute(t.Context(), Cell{2, "fmt.Scan(&a)\nfmt.Println(a)"}, user); e != nil {
		t.Fatal(e)
	}
	if got := user.stdout(); got != "2\n" {
		t.Errorf("got %q, want 2", got)
	}
}

// TestStdinRefused checks that reading fails at once where nobody can answer.
func TestStdinRefused(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import (\n\t\"bufio\"\n\t\"errors\"\n\t\"io\"\n\t\"os\"\n)\nvar m int")
	for _, test := range []struct{ src, want string }{
		{"_, err := fmt.Scan(&m)\nfmt.Println(err, errors.Is(err, display.ErrNoInput))", "read /dev/stdin: no input: nobody can be asked here true\n"},
		{"_, err := io.ReadAll(os.Stdin)\nfmt.Println(err)", "read /dev/stdin: no input: nobody can be asked here\n"},
		{"sc := bufio.NewScanner(os.Stdin)\nfmt.Println(sc.Scan(), sc.Err())", "false read /dev/stdin: no input: nobody can be asked here\n"},
		{"_, err := display.Password(\"?\")\nfmt.Println(err)", "display: no input: nobody can be asked here\n"},
	} {
		if got := run1(t, s, 2, test.src); got != test.want {
			t.Errorf("%s\ngot %q, want %q", test.src, got, test.want)
		}
	}
}

// TestStdinAfterTheCell checks that a goroutine that outlives its cell asks nobody: the front end has no place for it.
func TestStdinAfterTheCell(t *testing.T) {
	s := newSession(t)
	user := &typing{lines: []string{"1"}}
	if _, e := s.Execute(t.Context(), Cell{1, "start, done := make(chan bool), make(chan error)\ngo func() {\n\t<-start\n\t_, err := display.Input(\"?\")\n\tdone <- err\n}()"}, user); e != nil {
		t.Fatal(e)
	}
	if got, want := run1(t, s, 2, "close(start)\nfmt.Println(<-done)"), "display: no input: cell 1 has ended\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(user.asked) != 0 {
		t.Errorf("asked %q", user.asked)
	}
}

// TestStdinInterrupted checks that an interrupt ends the wait for an answer, and the cell with it, which does not take it for an
// answer; variables live on.
func TestStdinInterrupted(t *testing.T) {
	for _, src := range []string{
		"fmt.Scan(&n)\nn = 9", "func() {\n\t_, err := display.Input(\"?\")\n\tn = 9\n\t_ = err\n}()", "for {\n\tfmt.Scan(&n)\n}", "io.ReadAll(os.Stdin)\nn = 9", "display.Input(\"?\")\nselect {}",
		"go fmt.Scan(&n)\ndisplay.Input(\"?\")\nselect {}",
	} {
		s := newSession(t)
		run1(t, s, 1, "import (\n\t\"io\"\n\t\"os\"\n)\nvar _ = io.EOF\nvar _ = os.Stdin\nn := 1")
		ctx, cancel := context.WithCancel(t.Context())
		stuck := make(chan struct{}, 1)
		go func() {
			<-stuck
			cancel()
		}()
		_, e := s.Execute(ctx, Cell{2, src}, &typing{stuck: stuck})
		cancel()
		if e == nil || e.Name != interrupted {
			t.Errorf("%s: got %v, want an interrupt", src, e)
		}
		if got := run1(t, s, 3, "n"); got != "1" {
			t.Errorf("%s: the cell has gone on: n is %s", src, got)
		}
	}
}

var _ display.Asker = (*typing)(nil)

// TestStdinRefusedIsSaid reads where nobody can be asked. A cell that ends well says so once; one that fails has its error.
func TestStdinRefusedIsSaid(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"var n int\nfmt.Scan(&n)\nfmt.Scan(&n);", "line 2: read /dev/stdin: no input: nobody can be asked here\n"},
		{"import \"bufio\"\nimport \"os\"\nsc := bufio.NewScanner(os.Stdin)\nfor sc.Scan() {\n}", "line 4: read /dev/stdin: no input: nobody can be asked here\n"},
		{"var n int\nif _, err := fmt.Scan(&n); err != nil {\n\tpanic(err)\n}", ""},
		{"fmt.Println(1)", ""},
	} {
		out := &recorder{}
		newSession(t).Execute(context.Background(), Cell{1, tt.src}, out) // one of them fails
		if got := out.stderr(); got != tt.want {
			t.Errorf("%s: standard error is %q, want %q", tt.src, got, tt.want)
		}
	}
}
