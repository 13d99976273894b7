package session

// A builtinFunc is the parameters and results of a builtin function, as package builtin documents them: go/types gives them no
// type of their own.
type builtinFunc string

// builtins are Go's builtin functions, and those of package unsafe.
//
// https://go.dev/ref/spec#Built-in_functions
var builtins = map[string]builtinFunc{
	"append":     "(slice []Type, elems ...Type) []Type",
	"cap":        "(v Type) int",
	"clear":      "(t Type)",
	"close":      "(c chan<- Type)",
	"complex":    "(r FloatType, i FloatType) ComplexType",
	"copy":       "(dst []Type, src []Type) int",
	"delete":     "(m map[Type]Type1, key Type)",
	"imag":       "(c ComplexType) FloatType",
	"len":        "(v Type) int",
	"make":       "(t Type, size ...IntegerType) Type",
	"max":        "(x T, y ...T) T",
	"min":        "(x T, y ...T) T",
	"new":        "(TypeOrExpression) *Type",
	"panic":      "(v any)",
	"print":      "(args ...Type)",
	"println":    "(args ...Type)",
	"real":       "(c ComplexType) FloatType",
	"recover":    "() any",
	"Add":        "(ptr Pointer, len IntegerType) Pointer",
	"Alignof":    "(x ArbitraryType) uintptr",
	"Offsetof":   "(x ArbitraryType) uintptr",
	"Sizeof":     "(x ArbitraryType) uintptr",
	"Slice":      "(ptr *ArbitraryType, len IntegerType) []ArbitraryType",
	"SliceData":  "(slice []ArbitraryType) *ArbitraryType",
	"String":     "(ptr *byte, len IntegerType) string",
	"StringData": "(str string) *byte",
}

// signature writes the function's type.
func (f builtinFunc) signature() string {
	if f == "" {
		return ""
	}
	return "func" + string(f)
}
