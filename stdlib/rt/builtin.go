package rt

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Fprint writes what the builtin print writes. Like the builtin, it has nobody to tell of an error.
func Fprint(w io.Writer, args ...any) { write(w, "", "", args) }

// Fprintln writes what the builtin println writes.
func Fprintln(w io.Writer, args ...any) { write(w, " ", "\n", args) }

// write writes all in one piece, so that lines of several goroutines do not mix.
func write(w io.Writer, between, end string, args []any) {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = builtinText(a)
	}
	_, _ = io.WriteString(w, strings.Join(parts, between)+end)
}

// A words is an interface value as print shows it: the addresses of its type and of its value.
type words [2]uintptr

// PrintedInterface makes the argument of print or println that an interface value is. Without it print could not tell the
// interface from what it holds.
func PrintedInterface(v any) any { return *(*words)(unsafe.Pointer(&v)) }

// builtinText formats a value as the runtime's print does (Go 1.26): floats in the shortest form, pointers as addresses.
func builtinText(a any) string {
	if w, ok := a.(words); ok {
		return fmt.Sprintf("(%#x,%#x)", w[0], w[1])
	}
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
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits())
	case reflect.Complex64, reflect.Complex128:
		return strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits())
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return fmt.Sprintf("%#x", v.Pointer())
	case reflect.Slice:
		return fmt.Sprintf("[%d/%d]%#x", v.Len(), v.Cap(), v.Pointer())
	}
	return fmt.Sprintf("(%T)", a)
}

// Clear is the builtin clear for a map or a slice.
func Clear(v any) {
	if rv := reflect.ValueOf(v); rv.IsValid() {
		rv.Clear()
	}
}

// MinFloat is min for two floats, with its rules for NaN and signed zeros.
func MinFloat(a, b float64) float64 { return min(a, b) }

// MaxFloat is max for two floats, with its rules for NaN and signed zeros.
func MaxFloat(a, b float64) float64 { return max(a, b) }

// ShiftCount returns the count of a shift; a negative one is a runtime error.
func ShiftCount(n int64) uint64 {
	if n < 0 {
		panic(RuntimeError("negative shift amount"))
	}
	return uint64(n)
}

// Rune returns the rune at index i of s, and the number of bytes that a range over s takes for it.
func Rune(s string, i int) (rune, int) { return utf8.DecodeRuneInString(s[i:]) }
