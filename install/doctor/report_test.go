package doctor

import (
	"os"
	"strings"
	"testing"
)

var report = Report{Version: "1.2.3", Findings: []Finding{
	{"kernelspec", OK, "orthant: /k/orthant", ""},
	{"start", Wrong, "/bin/orthant does not work", "orthant install"},
	{"front ends", Warning, "none is on the PATH", ""},
}}

func TestWrite(t *testing.T) {
	for _, test := range []struct {
		name   string
		colour bool
		want   string
	}{
		{"plain", false, `ok       kernelspec  orthant: /k/orthant
wrong    start       /bin/orthant does not work
                     mend it with:  orthant install
warning  front ends  none is on the PATH

orthant 1.2.3: 1 thing is wrong, 1 warning
`},
		{"coloured", true, "\x1b[32mok     \x1b[0m  kernelspec  orthant: /k/orthant\n" +
			"\x1b[31mwrong  \x1b[0m  start       /bin/orthant does not work\n" +
			"                     mend it with:  orthant install\n" +
			"\x1b[33mwarning\x1b[0m  front ends  none is on the PATH\n\northant 1.2.3: 1 thing is wrong, 1 warning\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var b strings.Builder
			if err := report.Write(&b, test.colour); err != nil {
				t.Fatal(err)
			}
			if got := b.String(); got != test.want {
				t.Errorf("got\n%q\nwant\n%q", got, test.want)
			}
		})
	}
	for _, test := range []struct {
		findings []Finding
		want     string
	}{
		{nil, "orthant 1: nothing is wrong"},
		{[]Finding{{State: Warning}, {State: Warning}}, "orthant 1: nothing is wrong, 2 warnings"},
		{[]Finding{{State: Wrong}, {State: Wrong}}, "orthant 1: 2 things are wrong"},
	} {
		if got := (Report{"1", test.findings}).summary(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// ExampleReport_Write shows what people read.
func ExampleReport_Write() {
	if err := report.Write(os.Stdout, false); err != nil {
		panic(err)
	}
	// Output:
	// ok       kernelspec  orthant: /k/orthant
	// wrong    start       /bin/orthant does not work
	//                      mend it with:  orthant install
	// warning  front ends  none is on the PATH
	//
	// orthant 1.2.3: 1 thing is wrong, 1 warning
}
