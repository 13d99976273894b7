package notebook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

func TestParseParameters(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want []Parameter
		err  string
	}{
		{name: "none"},
		{name: "two", args: []string{"a=1", "b=x=y"}, want: []Parameter{{"a", "1"}, {"b", "x=y"}}},
		{name: "empty value", args: []string{"a="}, want: []Parameter{{"a", ""}}},
		{name: "no value", args: []string{"a"}, err: `parameter "a" is not of the form name=value`},
		{name: "no name", args: []string{"=1"}, err: `parameter "=1": "" is not a Go name`},
		{name: "selector", args: []string{"a.b=1"}, err: `parameter "a.b=1": "a.b" is not a Go name`},
		{name: "keyword", args: []string{"for=1"}, err: `parameter "for=1": "for" is not a Go name`},
		{name: "blank", args: []string{"_=1"}, err: `parameter "_=1": "_" is not a Go name`},
		{name: "twice", args: []string{"a=1", "a=2"}, err: "parameter a is given twice"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseParameters(test.args)
			if !slices.Equal(got, test.want) || errorText(err) != test.err {
				t.Errorf("got %v, %v; want %v, %s", got, err, test.want, test.err)
			}
		})
	}
}

func TestLiteral(t *testing.T) {
	for _, test := range []struct {
		typ, value, want, err string
	}{
		{typ: "string", value: "two words", want: `"two words"`},
		{typ: "string", value: `"`, want: `"\""`},
		{typ: "string", value: "", want: `""`},
		{typ: "bool", value: "true", want: "true"},
		{typ: "bool", value: "yes", err: "invalid syntax"},
		{typ: "int", value: "-7", want: "-7"},
		{typ: "int", value: "1_000", want: "1000"},
		{typ: "int", value: "0x10", want: "16"},
		{typ: "int", value: "1.5", err: "invalid syntax"},
		{typ: "int8", value: "128", err: "value out of range"},
		{typ: "uint", value: "-1", err: "invalid syntax"},
		{typ: "uint64", value: "18446744073709551615", want: "18446744073709551615"},
		{typ: "float64", value: "0.1", want: "0.1"},
		{typ: "float64", value: "5", want: "5"},
		{typ: "float64", value: "1e-300", want: "1e-300"},
		{typ: "float64", value: "1e999", err: "value out of range"},
		{typ: "float64", value: "NaN", err: "it is not finite"},
		{typ: "float64", value: "", err: "invalid syntax"},
		{typ: "time.Duration", value: "1m30s", want: "90000000000 // 1m30s"},
		{typ: "time.Duration", value: "90", err: `time: missing unit in duration "90"`},
		{typ: "[]float64", value: "[]float64{.1, 1}", want: "[]float64{.1, 1}"},
		{typ: "[]float64", value: ".1, 1", err: "it has to be a Go expression of this type"},
		{typ: "[]float64", value: "nil; panic(1)", err: "it has to be a Go expression of this type"},
	} {
		t.Run(test.typ+" "+test.value, func(t *testing.T) {
			got, err := literal(test.value, test.typ)
			if errorText(err) != test.err || err == nil && got != test.want {
				t.Errorf("got %q, %v; want %q, %s", got, err, test.want, test.err)
			}
		})
	}
}

// TestParametersRefused checks that a parameter that does not fit is not taken for a failing cell.
func TestParametersRefused(t *testing.T) {
	tagged := func(source string) []byte {
		return fmt.Appendf(nil, `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[
			{"cell_type":"markdown","metadata":{"tags":["parameters"]},"source":"not a code cell"},
			{"cell_type":"code","metadata":{"tags":["parameters"]},"source":%s}]}`, mustEncode(source))
	}
	for _, test := range []struct {
		name string
		in   []byte
		arg  string
		ran  int // how many cells ran
		err  string
	}{
		{"no tagged cell", codeNotebook("var a int"), "a=1", 0, "parameters are given, but no code cell is tagged parameters"},
		{"unknown", tagged("var a int"), "b=1", 1, "parameter b: no cell down to the one tagged parameters declares b"},
		{"constant", tagged("const a int"), "a=1", 1, "parameter a: a is a constant, not a variable"},
		{"bad value", tagged("var a int"), "a=x", 1, `parameter a: cannot read "x" as int: invalid syntax`},
	} {
		t.Run(test.name, func(t *testing.T) {
			nb, err := Parse(test.in)
			if err != nil {
				t.Fatal(err)
			}
			ps, err := ParseParameters([]string{test.arg})
			if err != nil {
				t.Fatal(err)
			}
			s := newFake()
			err = Run(context.Background(), nb, s, Options{Parameters: ps})
			if got := errorText(err); got != test.err {
				t.Errorf("got error %q, want %q", got, test.err)
			}
			var cell *CellError
			if errors.As(err, &cell) {
				t.Error("the error is a *CellError")
			}
			if len(s.ran) != test.ran {
				t.Errorf("%d cells ran, want %d", len(s.ran), test.ran)
			}
		})
	}
}
