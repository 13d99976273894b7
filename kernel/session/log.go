package session

import (
	"io"
	"log"
	"reflect"
)

// logSymbols is package log for cells. The engine's own version has a type of its own for Logger, which is not the Logger
// that other packages take, and log.Default() there ends the process. Here Logger is the real one, the functions belong
// to a standard logger of the session's, and Fatal panics; calls of a Logger's methods Fatal are lowered to Panic.
func logSymbols(w io.Writer) map[string]reflect.Value {
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
	for fatal, panics := range map[string]string{"Fatal": "Panic", "Fatalf": "Panicf", "Fatalln": "Panicln"} {
		symbols[fatal] = v.MethodByName(panics)
	}
	return symbols
}
