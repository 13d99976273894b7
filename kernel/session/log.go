package session

import (
	"fmt"
	"io"
	"log"
	"reflect"
	"strings"
)

// logSymbols is package log for cells. The engine's own version has a type of its own for Logger, which is not the Logger
// that other packages take, and log.Default() there ends the process. Here Logger is the real one, the functions belong
// to a standard logger of the session's, and Fatal ends the cell; calls of a Logger's methods Fatal are lowered to Panic.
func logSymbols(w io.Writer, exit func(call, said string)) map[string]reflect.Value {
	l := log.New(w, "", log.LstdFlags)
	symbols := map[string]reflect.Value{
		"Logger":  reflect.ValueOf((*log.Logger)(nil)),
		"New":     reflect.ValueOf(log.New),
		"Default": reflect.ValueOf(func() *log.Logger { return l }),
	}
	v := reflect.ValueOf(l)
	for _, name := range []string{"Flags", "Output", "Panic", "Panicf", "Panicln", "Prefix", "Print", "Printf", "Println",
		"SetFlags", "SetOutput", "SetPrefix", "Writer"} {
		symbols[name] = v.MethodByName(name)
	}
	fatal := func(name, text string) {
		_ = l.Output(3, text) // as in package log, nobody is told that the message could not be written
		exit("log."+name, strings.TrimSuffix(text, "\n"))
	}
	symbols["Fatal"] = reflect.ValueOf(func(v ...any) { fatal("Fatal", fmt.Sprint(v...)) })
	symbols["Fatalf"] = reflect.ValueOf(func(format string, v ...any) { fatal("Fatalf", fmt.Sprintf(format, v...)) })
	symbols["Fatalln"] = reflect.ValueOf(func(v ...any) { fatal("Fatalln", fmt.Sprintln(v...)) })
	return symbols
}
