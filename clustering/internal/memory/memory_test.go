package memory

import (
	"math"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want uint64
		bad  bool
	}{
		{text: "1", want: 1},
		{text: "4096", want: 4096},
		{text: "4096B", want: 4096},
		{text: "3K", want: 3 << 10},
		{text: "512MiB", want: 512 << 20},
		{text: "2g", want: 2 << 30},
		{text: " 2 GB ", want: 2 << 30},
		{text: "1TiB", want: 1 << 40},
		{text: "0", bad: true},
		{text: "", bad: true},
		{text: "G", bad: true},
		{text: "-1G", bad: true},
		{text: "1.5G", bad: true},
		{text: "2 apples", bad: true},
		{text: "99999999999T", bad: true},
		{text: "99999999999999999999999", bad: true},
	} {
		got, err := parse(c.text)
		if got != c.want || (err != nil) != c.bad {
			t.Errorf("parse(%q) = %d, %v; want %d, error: %v", c.text, got, err, c.want, c.bad)
		}
	}
}

func TestLimit(t *testing.T) {
	t.Setenv(limitVariable, "1G")
	if got, ok, err := Limit(); got != 1<<30 || !ok || err != nil {
		t.Errorf("with 1G: %d, %v, %v", got, ok, err)
	}
	t.Setenv(limitVariable, "lots")
	if _, _, err := Limit(); err == nil || !strings.Contains(err.Error(), `ORTHANT_MEMORY="lots"`) {
		t.Errorf("with nonsense: %v", err)
	}
	t.Setenv(limitVariable, "")
	got, ok, err := Limit()
	if err != nil {
		t.Fatal(err)
	}
	total, known := physical()
	if ok != known {
		t.Errorf("limit known: %v, physical memory known: %v", ok, known)
	}
	if ok && (got == 0 || float64(got) > defaultPart*float64(total)) {
		t.Errorf("%d of %d bytes of physical memory", got, total)
	}
}

func TestCheckSquare(t *testing.T) {
	t.Setenv(limitVariable, "32K") // a quarter is 8192 bytes: 32×32 numbers
	for _, c := range []struct {
		n, count int
		want     string // "": no error
	}{
		{n: 0, count: 1},
		{n: 32, count: 1},
		{n: 33, count: 1, want: "n=33 needs 8712 bytes for a dense 33×33 matrix, above a quarter of the memory limit of 32768 bytes"},
		{n: 32, count: 2, want: "16384 bytes"},
		{n: 1_000_000, count: 1, want: "8000000000000 bytes"},
		{n: math.MaxInt32, count: 1, want: "more than 2^64 bytes"},
		{n: math.MaxInt, count: 1, want: "more than 2^64 bytes"},
	} {
		err := CheckSquare(c.n, c.count)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("CheckSquare(%d, %d) = %v, want %q", c.n, c.count, err, c.want)
		}
	}
	t.Setenv(limitVariable, "?")
	if CheckSquare(1, 1) == nil {
		t.Error("a limit that cannot be read is no error")
	}
}
