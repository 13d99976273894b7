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
// to a standard logger of the session's, and Fatal ends the cell, as a function and as a method.
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
	f := fatal{exit}
	symbols["Fatal"] = reflect.ValueOf(func(v ...any) { f.print(l, v...) })
	symbols["Fatalf"] = reflect.ValueOf(func(format string, v ...any) { f.printf(l, format, v...) })
	symbols["Fatalln"] = reflect.ValueOf(func(v ...any) { f.println(l, v...) })
	return symbols
}

// A fatal is what a Logger's methods Fatal, Fatalf and Fatalln are lowered to: they end the cell.
type fatal struct{ exit func(call, said string) }

func (f fatal) print(l *log.Logger, v ...any) { f.end(l, "Fatal", fmt.Sprint(v...)) }

func (f fatal) printf(l *log.Logger, format string, v ...any) {
	f.end(l, "Fatalf", fmt.Sprintf(format, v...))
}

func (f fatal) println(l *log.Logger, v ...any) { f.end(l, "Fatalln", fmt.Sprintln(v...)) }

func (f fatal) end(l *log.Logger, name, text string) {
	_ = l.Output(4, text) // as in package log, nobody is told that the message could not be written
	f.exit("log."+name, strings.TrimSuffix(text, "\n"))
}
