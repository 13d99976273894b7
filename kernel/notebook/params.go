package notebook

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"time"

	"orthant/kernel/session"
)

// The tags of the two cells that parameters are about, the same that papermill uses.
const (
	parametersTag = "parameters"
	injectedTag   = "injected-parameters"
)

// A Parameter is a new value for a variable of a notebook, set after the cell tagged "parameters".
type Parameter struct {
	Name  string // the variable
	Value string // as typed; how it is read depends on the variable's type, see [Options.Parameters]
}

// ParseParameters reads parameters written as name=value. A name that is no Go identifier, or stands twice, is an error.
func ParseParameters(args []string) ([]Parameter, error) {
	var ps []Parameter
	seen := make(map[string]bool)
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		switch {
		case !ok:
			return nil, fmt.Errorf("parameter %q is not of the form name=value", arg)
		case !token.IsIdentifier(name) || name == "_":
			return nil, fmt.Errorf("parameter %q: %q is not a Go name", arg, name)
		case seen[name]:
			return nil, fmt.Errorf("parameter %s is given twice", name)
		}
		seen[name] = true
		ps = append(ps, Parameter{name, value})
	}
	return ps, nil
}

// placeInjected puts the cell that is to set the parameters after the one tagged parameters and returns it. An injected
// cell of an earlier run is taken out; its id goes on.
func placeInjected(nb *Notebook) (*Cell, error) {
	var id string
	if old := nb.tagged(injectedTag); old >= 0 {
		id = nb.Cells[old].ID()
		nb.Cells = append(nb.Cells[:old:old], nb.Cells[old+1:]...)
	}
	at := nb.tagged(parametersTag)
	if at < 0 {
		return nil, errors.New("parameters are given, but no code cell is tagged parameters")
	}
	c := newCodeCell(id, "", injectedTag)
	nb.Cells = append(nb.Cells[:at+1:at+1], append([]*Cell{c}, nb.Cells[at+1:]...)...)
	giveIDs(nb.Cells)
	return c, nil
}

// assignments returns the source of the injected cell: one assignment a parameter, to variables that cells so far have
// defined.
func assignments(s Session, ps []Parameter) (string, error) {
	var b strings.Builder
	b.WriteString("// Parameters of this run.")
	for _, p := range ps {
		n, ok := s.Lookup(p.Name)
		switch {
		case !ok:
			return "", fmt.Errorf("parameter %s: no cell down to the one tagged parameters declares %s", p.Name, p.Name)
		case n.Kind != variableKind:
			return "", fmt.Errorf("parameter %s: %s is a %s, not a variable", p.Name, p.Name, n.Kind)
		}
		value, err := literal(p.Value, n.Type)
		if err != nil {
			return "", fmt.Errorf("parameter %s: cannot read %q as %s: %w", p.Name, p.Value, n.Type, err)
		}
		fmt.Fprintf(&b, "\n%s = %s", p.Name, value)
	}
	return b.String(), nil
}

// variableKind is what [session.Name] calls a variable.
const variableKind = "variable"

// literal turns a parameter's value into Go source of the type.
func literal(value, typ string) (string, error) {
	if read, ok := readers[typ]; ok {
		text, err := read(value)
		return text, plainNumError(err)
	}
	if _, err := parser.ParseExpr(value); err != nil {
		return "", errors.New("it has to be a Go expression of this type")
	}
	return value, nil
}

// readers holds, by type, how a value is read and written as Go source.
var readers = map[string]func(value string) (string, error){
	"string":        func(v string) (string, error) { return strconv.Quote(v), nil },
	"bool":          readBool,
	"int":           readInt(strconv.IntSize),
	"int8":          readInt(8),
	"int16":         readInt(16),
	"int32":         readInt(32),
	"rune":          readInt(32),
	"int64":         readInt(64),
	"uint":          readUint(strconv.IntSize),
	"uint8":         readUint(8),
	"byte":          readUint(8),
	"uint16":        readUint(16),
	"uint32":        readUint(32),
	"uint64":        readUint(64),
	"uintptr":       readUint(strconv.IntSize),
	"float32":       readFloat(32),
	"float64":       readFloat(64),
	"time.Duration": readDuration,
}

func readBool(value string) (string, error) {
	b, err := strconv.ParseBool(value)
	return strconv.FormatBool(b), err
}

func readInt(bits int) func(string) (string, error) {
	return func(value string) (string, error) {
		n, err := strconv.ParseInt(value, 0, bits)
		return strconv.FormatInt(n, 10), err
	}
}

func readUint(bits int) func(string) (string, error) {
	return func(value string) (string, error) {
		n, err := strconv.ParseUint(value, 0, bits)
		return strconv.FormatUint(n, 10), err
	}
}

func readFloat(bits int) func(string) (string, error) {
	return func(value string) (string, error) {
		x, err := strconv.ParseFloat(value, bits)
		if err == nil && (math.IsInf(x, 0) || math.IsNaN(x)) {
			err = errors.New("it is not finite")
		}
		return strconv.FormatFloat(x, 'g', -1, bits), err
	}
}

// readDuration writes the nanoseconds as a number, so that the cell needs no import, and what was meant as a comment.
func readDuration(value string) (string, error) {
	d, err := time.ParseDuration(value)
	return fmt.Sprintf("%d // %s", int64(d), d), err
}

// plainNumError shortens an error of package strconv to what is wrong with the value.
func plainNumError(err error) error {
	var num *strconv.NumError
	if errors.As(err, &num) {
		return num.Err
	}
	return err
}

// injectedError is the error of a run whose injected cell failed: the values do not fit, which is the caller's mistake,
// not the notebook's.
func injectedError(err *session.Error) error {
	return fmt.Errorf("parameters: %w", oneLine(err))
}
