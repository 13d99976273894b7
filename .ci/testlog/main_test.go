package main

import (
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	for _, test := range []struct {
		name string
		in   []string
		want string
		bad  int
	}{
		{"nothing", nil, "", 0},
		{"good", []string{
			`{"Action":"output","Package":"p","Test":"T","Output":"=== RUN   T\n"}`,
			`{"Action":"output","Package":"p","Test":"T","Output":"a log line\n"}`,
			`{"Action":"pass","Package":"p","Test":"T"}`,
			`{"Action":"output","Package":"p","Output":"PASS\n"}`,
			`{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}`,
			`{"Action":"pass","Package":"p"}`,
		}, "ok  \tp\t0.1s\n", 0},
		{"failure", []string{
			`{"Action":"output","Package":"p","Test":"T","Output":"x_test.go:1: why\n"}`,
			`{"Action":"fail","Package":"p","Test":"T"}`,
			`{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}`,
			`{"Action":"fail","Package":"p"}`,
		}, "x_test.go:1: why\nFAIL\tp\t0.1s\n", 2},
		{"build failure", []string{
			`{"ImportPath":"p","Action":"build-output","Output":"x.go:1: undefined: y\n"}`,
			`{"ImportPath":"p","Action":"build-fail"}`,
		}, "x.go:1: undefined: y\n", 1},
		{"skip", []string{
			`{"Action":"output","Package":"p","Test":"T","Output":"no data here\n"}`,
			`{"Action":"skip","Package":"p","Test":"T"}`,
		}, "skipped: p T\nno data here\n", 1},
		{"skip of a long form", []string{
			`{"Action":"output","Package":"p","Test":"T","Output":"set ORTHANT_LONG=1\n"}`,
			`{"Action":"skip","Package":"p","Test":"T"}`,
		}, "", 0},
		{"package without tests", []string{
			`{"Action":"output","Package":"p","Output":"?   \tp\t[no test files]\n"}`,
			`{"Action":"skip","Package":"p"}`,
		}, "?   \tp\t[no test files]\n", 0},
		{"not JSON", []string{"signal: killed"}, "signal: killed\n", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var in, out strings.Builder
			for _, line := range test.in {
				in.WriteString(line + "\n")
			}
			bad, err := filter(strings.NewReader(in.String()), &out)
			if err != nil || bad != test.bad || out.String() != test.want {
				t.Errorf("got %d, %v and %q; want %d and %q", bad, err, out.String(), test.bad, test.want)
			}
		})
	}
}
