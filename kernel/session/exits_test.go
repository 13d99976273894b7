package session

import (
	"strings"
	"testing"
)

// TestExits calls what ends the process in compiled Go. Each call ends its cell, or is refused, and says so.
func TestExits(t *testing.T) {
	for _, test := range []struct {
		name string
		src  string
		want string // of the error, name included
		out  string // part of standard error
	}{
		{name: "os.Exit", src: "import \"os\"\nos.Exit(3)", want: "Exit: os.Exit(3) ends the cell, not the kernel"},
		{name: "os.Exit is not recovered", src: "import \"os\"\nfunc f() {\n\tdefer func() { fmt.Println(recover()) }()\n\tos.Exit(0)\n}\nf()",
			want: "Exit: os.Exit(0) ends the cell, not the kernel"},
		{name: "os.Exit below compiled code", src: "import (\n\t\"os\"\n\t\"sort\"\n)\nsort.Slice([]int{1, 2}, func(i, j int) bool {\n\tos.Exit(1)\n\treturn true\n})",
			want: "Exit: os.Exit(1) ends the cell, not the kernel"},
		{name: "os.Exit in a goroutine", src: "import \"os\"\ngo os.Exit(4)\nselect {}", want: "Exit: os.Exit(4) ends the cell, not the kernel"},
		{name: "os.Exit as a value", src: "import \"os\"\nleave := os.Exit\nleave(5)", want: "Exit: os.Exit(5) ends the cell, not the kernel"},
		{name: "a panic with the same words", src: "panic(\"os.Exit(3)\")", want: "Panic: os.Exit(3)"},
		{name: "syscall.Exit", src: "import \"syscall\"\nsyscall.Exit(6)", want: "Exit: syscall.Exit(6) ends the cell, not the kernel"},
		{name: "runtime.Goexit", src: "import \"runtime\"\nruntime.Goexit()", want: "Exit: runtime.Goexit() ends the cell, not the kernel"},
		{name: "runtime.Goexit in a goroutine", src: "import \"runtime\"\nc := make(chan int)\ngo func() {\n\tdefer close(c)\n\truntime.Goexit()\n}()\n<-c\nfmt.Println(\"on\")\npanic(1)", want: "Panic: 1"},
		{name: "log.Fatal", src: "import \"log\"\nlog.Fatal(\"no file\")", want: "Exit: log.Fatal ends the cell, not the kernel: no file", out: " no file\n"},
		{name: "log.Fatalf", src: "import \"log\"\nlog.Fatalf(\"no %s\", \"file\")", want: "Exit: log.Fatalf ends the cell, not the kernel: no file", out: " no file\n"},
		{name: "log.Fatalln", src: "import \"log\"\nlog.Fatalln(\"no\", \"file\")", want: "Exit: log.Fatalln ends the cell, not the kernel: no file", out: " no file\n"},
		{name: "Logger.Fatal", src: "import (\n\t\"log\"\n\t\"os\"\n)\nlog.New(os.Stderr, \"me: \", 0).Fatal(\"no file\")", want: "Exit: log.Fatal ends the cell, not the kernel: no file", out: "me: no file\n"},
		{name: "Logger.Fatalf that nothing recovers", src: "import (\n\t\"log\"\n\t\"os\"\n)\nfunc() {\n\tdefer func() { recover() }()\n\tlog.New(os.Stderr, \"\", 0).Fatalf(\"no %s\", \"file\")\n}()", want: "Exit: log.Fatalf ends the cell, not the kernel: no file", out: "no file\n"},
		{name: "flag.CommandLine", src: "import \"flag\"\nflag.CommandLine.Parse([]string{\"-nosuch\"})", want: "Panic: flag provided but not defined: -nosuch", out: "Usage of notebook"},
		{name: "a set of flags that exits", src: "import \"flag\"\nflag.NewFlagSet(\"tool\", flag.ExitOnError).Parse([]string{\"-nosuch\"})", want: "Panic: flag provided but not defined: -nosuch", out: "Usage of tool"},
		{name: "testing.Main", src: "import \"testing\"\ntesting.Main(nil, nil, nil, nil)", want: "Panic: testing.Main is refused: "},
		{name: "signal.Reset", src: "import \"os/signal\"\nsignal.Reset()", want: "Panic: os/signal.Reset is refused: "},
		{name: "debug.SetMaxStack", src: "import \"runtime/debug\"\ndebug.SetMaxStack(1000)", want: "Panic: runtime/debug.SetMaxStack is refused: "},
		{name: "its own process", src: "import \"os\"\n_, err := os.FindProcess(os.Getpid())\npanic(err)", want: "Panic: refused: this is the kernel's own process"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			out := &recorder{}
			_, e := s.Execute(t.Context(), Cell{1, test.src + "\nfmt.Println(\"not reached\");"}, out)
			if e == nil || !strings.HasPrefix(e.Error(), test.want) {
				t.Errorf("got %v, want %s", e, test.want)
			}
			if strings.Contains(out.stdout(), "not reached") {
				t.Error("the cell went on")
			}
			if !strings.Contains(out.stderr(), test.out) {
				t.Errorf("standard error is %q, want it to contain %q", out.stderr(), test.out)
			}
			if got := run1(t, s, 2, "1 + 1"); got != "2" {
				t.Errorf("the next cell gives %s, want 2", got)
			}
		})
	}
}

// TestLateExit has a goroutine exit when its cell has ended.
func TestLateExit(t *testing.T) {
	s := newSession(t)
	first := &recorder{}
	if _, e := s.Execute(t.Context(), Cell{1, "import \"os\"\nstart, done := make(chan int), make(chan int)\ngo func() {\n\tdefer close(done)\n\t<-start\n\tos.Exit(1)\n}()"}, first); e != nil {
		t.Fatal(e)
	}
	run1(t, s, 2, "close(start)\n<-done")
	if got, want := first.stderr(), "os.Exit(1) has ended a goroutine of cell 1\n"; got != want {
		t.Errorf("standard error of cell 1 is %q, want %q", got, want)
	}
}

// TestFlags parses flags as a pasted program does: there are no arguments, whatever those of the kernel are.
func TestFlags(t *testing.T) {
	s := newSession(t)
	run1(t, s, 1, "import \"flag\"\nn := flag.Int(\"n\", 7, \"how many\")\nflag.Parse()")
	if got := run1(t, s, 2, "fmt.Sprint(*n, flag.NArg(), flag.Parsed(), flag.Lookup(\"test.v\") == nil)"); got != "7 0 true true" {
		t.Errorf("got %s", got)
	}
}
