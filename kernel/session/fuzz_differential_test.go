package session_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"orthant/kernel/session/internal/gogen"
)

// How many seeds TestDifferential tries.
const (
	shortSeeds = 40
	longSeeds  = 400
)

// A differentialCase is a program and what it does when it is compiled.
type differentialCase struct {
	name   string
	source string
	want   outcome
}

// TestDifferential holds the session against compiled Go: programs, each as one cell, as a cell for each declaration, and
// with the statements of main as cells, must output what go run has them output. The session may refuse a program instead,
// with a message that says that something does not work yet.
//
// The programs are those of testdata/differential, whose outputs are next to them, and random ones, which package gogen
// writes from the seeds 0, 1, 2... What fails today is in known.txt there. With -update the outputs and the list are
// rewritten.
//
//	go test ./kernel/session -run TestDifferential
//	ORTHANT_LONG=1 go test ./kernel/session -run TestDifferential -timeout 30m
//	ORTHANT_FUZZ_TIME=1h go test ./kernel/session -run TestDifferential -timeout 2h
//
// The last of these searches for as long as it says, with new seeds, from ORTHANT_FUZZ_SEED on where that is set. What it finds
// it makes smaller and writes to testdata/differential.
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this compiles programs and runs many processes")
	}
	folder := filepath.Join("testdata", "differential")
	known := readKnown(t, filepath.Join(folder, "known.txt"))
	cases := readCases(t, folder)
	seeds, err := seedCases(t, 0, map[bool]int{false: shortSeeds, true: longSeeds}[long()])
	if err != nil {
		t.Fatal(err)
	}
	cases = append(cases, seeds...)
	all := map[string]bool{}
	var mu sync.Mutex
	wrong := map[string]string{} // by case, of those that ran
	right, refused := 0, 0
	for _, c := range cases {
		all[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v, err := c.judge(t.Context(), t)
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			wrong[c.name] = v.text
			reason, listed := known.reasons[c.name]
			switch {
			case v.text == "":
				right++
				if v.refused {
					refused++
				}
				if listed && !*update {
					t.Error("goes right now: take it off known.txt, or run with -update")
				}
			case listed:
				t.Logf("known (%s): %s", reason, v.text)
			case !*update:
				t.Errorf("%s: %s", v.form, v.text)
			}
		})
	}
	for name := range known.reasons {
		if !all[name] && (long() || !strings.HasPrefix(name, "seed")) {
			t.Errorf("%s names %s, which is no case", known.path, name)
		}
	}
	t.Cleanup(func() {
		t.Logf("%d of %d programs right, %d of them refused", right, len(wrong), refused)
		if !*update {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(wrong)) {
			reason := known.reasons[name]
			delete(known.reasons, name)
			if wrong[name] != "" {
				known.reasons[name] = cmp.Or(reason, wrong[name])
			}
		}
		if err := known.write(); err != nil {
			t.Error(err)
		}
	})
	if limit := os.Getenv("ORTHANT_FUZZ_TIME"); limit != "" {
		d, err := time.ParseDuration(limit)
		if err != nil {
			t.Fatal(err)
		}
		search(t, folder, d)
	}
}

// readCases reads the programs of a folder with their outputs; with -update it writes these first.
func readCases(t *testing.T, folder string) []differentialCase {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []differentialCase
	for _, path := range paths {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, differentialCase{name: filepath.Base(path), source: string(source)})
	}
	if *update {
		if err := compileCases(t, cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			if c.want.panics {
				t.Fatalf("%s ends with a panic", c.name)
			}
			if err := os.WriteFile(goldenPath(folder, c.name), []byte(c.want.output), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range cases {
		golden, err := os.ReadFile(goldenPath(folder, cases[i].name))
		if err != nil {
			t.Fatal(err)
		}
		cases[i].want.output = string(golden)
	}
	return cases
}

func goldenPath(folder, name string) string {
	return filepath.Join(folder, strings.TrimSuffix(name, ".go")+".out")
}

// seedCases writes the programs of n seeds and runs them with go run.
func seedCases(t *testing.T, first uint64, n int) ([]differentialCase, error) {
	t.Helper()
	var cases []differentialCase
	for i := range uint64(n) {
		cases = append(cases, differentialCase{name: fmt.Sprintf("seed%d", first+i), source: gogen.Program(first + i)})
	}
	return cases, compileCases(t, cases)
}

// compileCases fills in what programs do when they are compiled.
func compileCases(t *testing.T, cases []differentialCase) error {
	t.Helper()
	for batch := range slices.Chunk(cases, maxBatch) {
		var sources []string
		for _, c := range batch {
			sources = append(sources, c.source)
		}
		outcomes, err := compiled(t.Context(), t, sources)
		if err != nil {
			return fmt.Errorf("%s and the next %d: %w", batch[0].name, len(batch)-1, err)
		}
		for i := range batch {
			batch[i].want = outcomes[i]
			if why := outcomes[i].broken; why != "" {
				t.Errorf("%s: %s", batch[i].name, why)
			}
		}
	}
	return nil
}

// A verdict is what is wrong with how the session plays a program.
type verdict struct {
	form    string // in which it is wrong, the first one
	text    string // in one line; empty where nothing is
	refused bool   // nothing is wrong, and in some form the session has refused the program
}

// judge plays a case in every form, up to the first that goes wrong.
func (c differentialCase) judge(ctx context.Context, t testing.TB) (verdict, error) {
	var v verdict
	for _, form := range differentialForms {
		cells, err := form.cells(c.source)
		if err != nil {
			return v, err
		}
		got, err := play{Cells: cells}.run(ctx, t, playLimit)
		if err != nil {
			return v, err
		}
		text, refused := c.compare(got)
		if text != "" {
			return verdict{form: form.name, text: text}, nil
		}
		v.refused = v.refused || refused
	}
	return v, nil
}

// compare returns what is wrong with how a program was played, or that it was refused as it may be.
func (c differentialCase) compare(got played) (wrong string, refused bool) {
	switch {
	case got.refused && got.output == "" && strings.Contains(got.failure, " yet"):
		return "", true
	case c.want.panics && !strings.HasPrefix(got.failure, "Panic: "):
		return cmp.Or(firstLine(got.failure), "no panic"), false
	case !c.want.panics && got.failure != "":
		return firstLine(got.failure), false
	}
	return differs(got.output, c.want.output), false
}

// search tries new seeds for a time. What it finds it makes smaller and writes to the folder: one program of each kind of
// failure, a few of those that only output something else.
func search(t *testing.T, folder string, d time.Duration) {
	const maxFinds, maxOutputs = 20, 5
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	seen := map[string]int{}
	tried, finds := 0, 0
	first := uint64(time.Now().UnixNano())
	if s := os.Getenv("ORTHANT_FUZZ_SEED"); s != "" {
		var err error
		if first, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	for ; ctx.Err() == nil && finds < maxFinds; first += maxBatch {
		cases, err := seedCases(t, first, maxBatch)
		if err != nil { // the generator's fault
			t.Error(err)
			continue
		}
		verdicts, err := judgeAll(ctx, t, cases)
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
				break
			}
			t.Fatal(err)
		}
		tried += len(cases)
		for i, v := range verdicts {
			kind := v.kind()
			limit := 1
			if kind == outputKind {
				kind, limit = fmt.Sprint(kind, (first+uint64(i))%2), maxOutputs // of plain programs, and of the others
			}
			if v.text == "" || seen[kind] == limit || cases[i].want.broken != "" { // the last is the generator's fault, and reported
				continue
			}
			seen[kind]++
			finds++
			small, err := reduce(ctx, t, cases[i], v)
			if err != nil {
				t.Error(err)
			}
			if err := keep(folder, small); err != nil {
				t.Error(err)
			}
			t.Errorf("%s, %s: %s\n%s", small.name, v.form, v.text, small.source)
		}
	}
	t.Logf("%d programs tried, %d kinds of failure", tried, len(seen))
}

// keep writes a program and its output to the folder.
func keep(folder string, c differentialCase) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, c.name+".go"), []byte(c.source), 0o644); err != nil {
		return err
	}
	return os.WriteFile(goldenPath(folder, c.name), []byte(c.want.output), 0o644)
}

// judgeAll judges cases, as many at a time as there are processors.
func judgeAll(ctx context.Context, t testing.TB, cases []differentialCase) ([]verdict, error) {
	verdicts, errs := make([]verdict, len(cases)), make([]error, len(cases))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, c := range cases {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			verdicts[i], errs[i] = c.judge(ctx, t)
		})
	}
	wg.Wait()
	return verdicts, errors.Join(errs...)
}

// outputKind is the kind of failures that only show in the output.
const outputKind = "output"

// kind returns what failures have in common that are taken for one: the text without numbers and names with numbers.
func (v verdict) kind() string {
	var b strings.Builder
	for word := range strings.FieldsSeq(v.text) {
		if !strings.ContainsAny(word, "0123456789") {
			b.WriteString(word + " ")
		}
	}
	const size = 60
	if kind := b.String(); len(kind) > size && strings.Contains(kind, "Error: ") {
		return kind[:size]
	}
	if strings.HasPrefix(v.text, "output ") {
		return outputKind
	}
	return b.String()
}
