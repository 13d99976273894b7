package rt

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Fprint writes what the builtin print writes.
func Fprint(w io.Writer, args ...any) { write(w, "", "", args) }

// Fprintln writes what the builtin println writes.
func Fprintln(w io.Writer, args ...any) { write(w, " ", "\n", args) }

func write(w io.Writer, between, end string, args []any) {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = builtinText(a)
	}
	io.WriteString(w, strings.Join(parts, between)+end)
}

// builtinText formats a value as the runtime's print does: floats as ±d.dddddde±ddd, pointers as addresses.
func builtinText(a any) string {
	v := reflect.ValueOf(a)
	switch v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		return builtinFloat(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return "(" + builtinFloat(real(v.Complex())) + builtinFloat(imag(v.Complex())) + "i)"
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return fmt.Sprintf("%#x", v.Pointer())
	case reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	}
	return fmt.Sprintf("(%T)", a)
}

// builtinFloat is the runtime's format: a sign always, seven digits, three digits of exponent.
func builtinFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "+Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', 6, 64), "e")
	if !math.Signbit(f) {
		mantissa = "+" + mantissa
	}
	sign, digits := exponent[:1], exponent[1:]
	return mantissa + "e" + sign + strings.Repeat("0", 3-len(digits)) + digits
}

// Clear is the builtin clear for a map or a slice.
func Clear(v any) {
	if rv := reflect.ValueOf(v); rv.IsValid() {
		rv.Clear()
	}
}

// MinFloat is min for two floats, with its rules for NaN and signed zeros.
func MinFloat(a, b float64) float64 { return min(a, b) }

// MaxFloat is max for two floats.
func MaxFloat(a, b float64) float64 { return max(a, b) }
