package session

import (
	"strings"
	"testing"
	"time"
)

// TestOwners has cell 2 start something that outputs when cell 3 runs. The output is cell 2's, wherever the function that
// outputs is from and whoever calls it.
func TestOwners(t *testing.T) {
	const first = "import (\n\t\"bytes\"\n\t\"context\"\n\t\"io\"\n\t\"log\"\n\t\"net/http\"\n\t\"net/http/httptest\"\n\t\"os\"\n\t\"sort\"\n\t\"strings\"\n\t\"sync\"\n\t\"time\"\n)\n" +
		"var _ = []any{bytes.NewReader, context.Background, io.EOF, log.Println, http.Get, httptest.NewServer, os.Stdout, sort.Ints, strings.ToUpper, sync.OnceFunc, time.Now}\n" +
		"start, done := make(chan bool), make(chan bool)\n" +
		"func say() { fmt.Println(\"said\") }\n" +
		"func wait() { <-start; say(); close(done) }\n" +
		"type Speaker struct{ Name string }\nfunc (s Speaker) Speak() { fmt.Println(s.Name) }\n" +
		"func (s Speaker) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.Speak() }\n" +
		"func Do[T any](f func(T), v T) { f(v) }"
	const third = "start <- true\n<-done\nfmt.Println(\"third\")"
	for _, test := range []struct {
		name string
		src  string // cell 2
		next string // cell 3; third where empty
		want string // cell 2's output
	}{
		{name: "a function of another cell", src: "go wait()", want: "said\n"},
		{name: "a literal that calls one", src: "go func() {\n\t<-start\n\tsay()\n\tclose(done)\n}()", want: "said\n"},
		{name: "a goroutine of a goroutine", src: "go func() {\n\tgo wait()\n}()", want: "said\n"},
		{name: "a method", src: "s := Speaker{\"me\"}\ngo func() {\n\t<-start\n\ts.Speak()\n\tclose(done)\n}()", want: "me\n"},
		{name: "a method value", src: "f := Speaker{\"me\"}.Speak\ngo func() {\n\t<-start\n\tf()\n\tclose(done)\n}()", want: "me\n"},
		{name: "a generic function", src: "go func() {\n\t<-start\n\tDo(func(s string) { fmt.Println(s) }, \"me\")\n\tclose(done)\n}()", want: "me\n"},
		{name: "time.AfterFunc", src: "time.AfterFunc(time.Millisecond, wait)", want: "said\n"},
		{name: "time.AfterFunc of a literal", src: "time.AfterFunc(time.Millisecond, func() {\n\t<-start\n\tfmt.Println(\"tick\")\n\tclose(done)\n})", want: "tick\n"},
		{name: "context.AfterFunc", src: "c, cancel := context.WithCancel(context.Background())\ncontext.AfterFunc(c, wait)\ncancel()", want: "said\n"},
		{name: "sync.WaitGroup.Go", src: "var wg sync.WaitGroup\nwg.Go(wait)", want: "said\n"},
		{name: "sync.Once", src: "var once sync.Once\ngo once.Do(wait)", want: "said\n"},
		{name: "sync.OnceFunc", src: "f := sync.OnceFunc(wait)\ngo f()", want: "said\n"},
		{name: "sort.Slice", src: "go func() {\n\t<-start\n\tsort.Slice([]int{2, 1}, func(i, j int) bool { say(); return true })\n\tclose(done)\n}()", want: "said\n"},
		{name: "strings.Map", src: "go func() {\n\t<-start\n\tstrings.Map(func(r rune) rune { say(); return r }, \"x\")\n\tclose(done)\n}()", want: "said\n"},
		{name: "a String method", src: "type S struct{}\nfunc (S) String() string { say(); return \"s\" }\ngo func() {\n\t<-start\n\t_ = fmt.Sprint(S{})\n\tclose(done)\n}()", want: "said\n"},
		{name: "log", src: "log.SetFlags(0)\nlog.SetOutput(os.Stdout)\ngo func() {\n\t<-start\n\tfmt.Print(\"x\")\n\tclose(done)\n}()", want: "x"},
		{name: "a function handed to a later cell", src: "f := func() { say() }", next: "f()", want: ""},
		{name: "an HTTP handler function", src: "server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {\n\tsay()\n}))",
			next: "res, err := http.Get(server.URL)\n_, _ = res, err\nserver.Close()", want: "said\n"},
		{name: "an HTTP handler of a declared type", src: "server := httptest.NewServer(Speaker{\"me\"})",
			next: "res, err := http.Get(server.URL)\n_, _ = res, err\nserver.Close()", want: "me\n"},
		{name: "an HTTP mux", src: "mux := http.NewServeMux()\nmux.HandleFunc(\"/\", func(w http.ResponseWriter, r *http.Request) {\n\tsay()\n})\nserver := httptest.NewServer(mux)",
			next: "res, err := http.Get(server.URL)\n_, _ = res, err\nserver.Close()", want: "said\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, first)
			second, last := &recorder{}, &recorder{}
			if _, e := s.Execute(t.Context(), Cell{2, test.src}, second); e != nil {
				t.Fatal(e)
			}
			next := test.next
			if next == "" {
				next = third
			}
			if _, e := s.Execute(t.Context(), Cell{3, next}, last); e != nil {
				t.Fatal(e)
			}
			for begin := time.Now(); second.stdout() != test.want && time.Since(begin) < 2*time.Second; {
				time.Sleep(time.Millisecond)
			}
			if got := second.stdout(); got != test.want {
				t.Errorf("cell 2 has %q, want %q; cell 3 has %q", got, test.want, last.stdout())
			}
		})
	}
}

// TestPanicsOfCallbacks has compiled code call functions of a cell from goroutines of its own, and these panic: the process
// lives.
func TestPanicsOfCallbacks(t *testing.T) {
	for _, test := range []struct{ name, src string }{
		{"time.AfterFunc", "time.AfterFunc(0, fail)"},
		{"a timer through a variable", "after := time.AfterFunc\nafter(0, fail)"},
		{"context.AfterFunc", "c, cancel := context.WithCancel(context.Background())\ncontext.AfterFunc(c, func() { fail() })\ncancel()"},
		{"sync.WaitGroup.Go", "var wg sync.WaitGroup\nwg.Go(fail)"},
		{"an HTTP handler", "server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fail() }))\n_, err := http.Get(server.URL)\n_ = err\nserver.Close()\npanic(\"seen\")"},
		{"optimize.Minimize", "optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return x[3] }}, []float64{1, 2}, nil, &optimize.NelderMead{})"},
		{"quad.Fixed", "quad.Fixed(func(x float64) float64 {\n\tfail()\n\treturn x\n}, 0, 1, 10, nil, 2)"},
		{"fd.Gradient", "fd.Gradient(nil, func(x []float64) float64 { return x[3] }, []float64{1, 2}, &fd.Settings{Concurrent: true})"},
		{"testing.Benchmark", "testing.Benchmark(func(b *testing.B) { fail() })"},
		{"go of a method of compiled code", "var once sync.Once\ngo once.Do(fail)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSession(t)
			run1(t, s, 1, "import (\n\t\"context\"\n\t\"gonum.org/v1/gonum/diff/fd\"\n\t\"gonum.org/v1/gonum/integrate/quad\"\n\t\"gonum.org/v1/gonum/optimize\"\n\t\"testing\"\n\t\"net/http\"\n\t\"net/http/httptest\"\n\t\"sync\"\n\t\"time\"\n)\nvar _ sync.Mutex\nfunc fail() { panic(\"fail\") }")
			_, e := s.Execute(t.Context(), Cell{2, test.src + "\nselect {}"}, &recorder{})
			if e == nil || e.Name != panicError || strings.Contains(e.Value, "overflow") {
				t.Errorf("got %v, want the panic", e)
			}
			if got := run1(t, s, 3, "1 + 1"); got != "2" {
				t.Errorf("got %s, want 2", got)
			}
		})
	}
}
