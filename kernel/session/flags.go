package session

import (
	"flag"
	"io"
	"reflect"
)

// flagSymbols is package flag for cells, given the real one. The process's command line is the kernel's: parsing it is of no
// use to a cell, and a wrong flag there ends the process. So CommandLine is a set of the session's with no arguments to
// parse, and sets that would end the process panic.
func flagSymbols(real map[string]reflect.Value, w io.Writer) map[string]reflect.Value {
	const name = "notebook"
	set := flag.NewFlagSet(name, flag.PanicOnError)
	set.SetOutput(w)
	usage := func() { set.Usage() }
	set.Usage = func() {
		_, _ = io.WriteString(w, "Usage of "+name+":\n") // a sink takes everything
		set.PrintDefaults()
	}
	symbols := map[string]reflect.Value{
		"CommandLine": reflect.ValueOf(&set).Elem(),
		"Usage":       reflect.ValueOf(&usage).Elem(),
		"Parse":       reflect.ValueOf(func() { _ = set.Parse(nil) }), // nothing to parse is never wrong
		"NewFlagSet": reflect.ValueOf(func(name string, handling flag.ErrorHandling) *flag.FlagSet {
			if handling == flag.ExitOnError {
				handling = flag.PanicOnError
			}
			out := flag.NewFlagSet(name, handling)
			out.SetOutput(w)
			return out
		}),
	}
	for symbol, f := range real {
		if _, done := symbols[symbol]; done || f.Kind() != reflect.Func {
			continue
		}
		// A cell may set CommandLine to another set, so the method is looked up when it is called.
		if m := reflect.ValueOf(set).MethodByName(symbol); m.IsValid() && m.Type() == f.Type() {
			symbols[symbol] = reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
				return reflect.ValueOf(set).MethodByName(symbol).Call(in)
			})
		}
	}
	return symbols
}
