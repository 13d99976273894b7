package clustering_test

import (
	"bufio"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/dataset"
)

// experiments repeat those of the papers. Each makes tables: the paper's figures, those of an independent reference, ours.
var experiments = []struct {
	name string
	run  func(*experiment)
}{
	{"SNMFNcut", snmfncutExperiment},
	{"NonOrthogonal", nonOrthogonalExperiment},
	{"Perturbation", perturbationExperiment},
	{"Sources", sourcesExperiment},
	{"Weightings", weightingsExperiment},
	{"Views", viewsExperiment},
	{"Kernels", kernelsExperiment},
	{"Choices", choicesExperiment},
}

// TestExperiment repeats the papers' experiments on data that stand beside the checkout. What it prints in its long form, which takes
// about an hour on two processors, is in EXPERIMENTS.md, and must be the same again; with -update it is written there.
//
//	ORTHANT_LONG=1 go test ./clustering -run TestExperiment -v -timeout 5h
//
// The short form tries a few starts.
func TestExperiment(t *testing.T) {
	if _, err := os.Stat(dataFolder); err != nil {
		t.Skipf("skipped, as there are no data in %s: %v", dataFolder, err)
	}
	for _, x := range experiments {
		t.Run(x.name, func(t *testing.T) {
			e := &experiment{T: t, long: os.Getenv("ORTHANT_LONG") == "1"}
			x.run(e)
			if text := e.text.String(); e.long {
				e.section(x.name, text)
			} else {
				t.Log("\n" + text)
			}
		})
	}
}

const (
	dataFolder      = "../../shared/data"
	experimentsFile = "EXPERIMENTS.md"
)

var update = flag.Bool("update", false, "write EXPERIMENTS.md")

// An experiment is one of the list, as it runs.
type experiment struct {
	*testing.T
	long bool
	text strings.Builder // what it prints, in Markdown
}

// of is long in the long form, and short in the short one.
func (e *experiment) of(long, short int) int {
	if e.long {
		return long
	}
	return short
}

// printf adds to the text.
func (e *experiment) printf(format string, args ...any) { fmt.Fprintf(&e.text, format, args...) }

// row adds a row of a table, whose first one is its head.
func (e *experiment) row(cells ...string) { e.printf("| %s |\n", strings.Join(cells, " | ")) }

// head begins a table.
func (e *experiment) head(cells ...string) {
	e.printf("\n")
	e.row(cells...)
	e.printf("|%s\n", strings.Repeat("---|", len(cells)))
}

func (e *experiment) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// section holds the text to that of the section called name, or writes it there.
func (e *experiment) section(name, text string) {
	e.Helper()
	data, err := os.ReadFile(experimentsFile)
	e.must(err)
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(string(data), begin)
	old, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		e.Fatalf("%s has no section between %q and %q", experimentsFile, begin, end)
	}
	e.Log("\n" + text)
	switch {
	case old == text:
	case *update:
		e.must(os.WriteFile(experimentsFile, []byte(before+begin+text+end+after), 0o644))
	default:
		e.Errorf("%s has other figures (-update writes these)", experimentsFile)
	}
}

// dense returns a data set whose last column has the classes.
func (e *experiment) dense(name string) *dataset.Dataset {
	e.Helper()
	d, err := dataset.CSV{LabelColumn: -1}.Load(filepath.Join(dataFolder, name+".csv.gz"))
	e.must(err)
	return d
}

// features returns a matrix without classes: dense, or a list of entries behind a line with the shape.
func (e *experiment) features(name string) *mat.Dense {
	e.Helper()
	path := filepath.Join(dataFolder, name+".csv.gz")
	f, err := os.Open(path)
	e.must(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	e.must(err)
	lines := bufio.NewScanner(z)
	lines.Scan()
	var r, c int
	if _, err := fmt.Sscanf(lines.Text(), "%%shape,%d,%d", &r, &c); err != nil {
		d, err := dataset.CSV{}.Load(path)
		e.must(err)
		return d.X
	}
	m := mat.NewDense(r, c, nil)
	for lines.Scan() {
		var entry [3]float64
		for i, field := range strings.SplitN(lines.Text(), ",", 3) {
			entry[i], err = strconv.ParseFloat(field, 64)
			e.must(err)
		}
		m.Set(int(entry[0]), int(entry[1]), entry[2])
	}
	e.must(lines.Err())
	return m
}

// classes returns the labels that are in a file of their own.
func (e *experiment) classes(name string) []int {
	e.Helper()
	d, err := dataset.CSV{}.Load(filepath.Join(dataFolder, name+"_labels.csv.gz"))
	e.must(err)
	labels := make([]int, d.X.RawMatrix().Rows)
	for i := range labels {
		labels[i] = int(d.X.At(i, 0))
	}
	return labels
}

// within is an error if a figure is farther from that of the reference than allowed, both in percent. Where there is a known reason,
// the caller gives it instead of calling within.
func (e *experiment) within(what string, got, want, allowed float64) {
	e.Helper()
	if !(got >= want-allowed && got <= want+allowed) {
		e.Errorf("%s: %.1f %%, want %.1f within %.1f", what, got, want, allowed)
	}
}
