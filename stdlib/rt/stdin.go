package rt

import (
	"io"
	"os"
	"reflect"
)

// A Stdin is a cell's os.Stdin. The file itself is at its end: nobody types into it, and a file cannot tell that it is being
// read, so that who could be asked would not know. What is typed comes from a reader that asks for it, when it is read and on
// the goroutine that reads. So where lowered code puts the file into an interface by which it can be read, it puts in the
// Stdin, and where it asks what is in the interface it finds the file.
type Stdin struct {
	*os.File
	Typed io.Reader
}

// Read reads what is typed.
func (s *Stdin) Read(p []byte) (int, error) { return s.Typed.Read(p) }

// WriteTo writes what is typed, until its end. Without it io.Copy would have the file write itself.
func (s *Stdin) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{s.Typed})
}

// FileRead is (*os.File).Read, and FileWriteTo (*os.File).WriteTo, of a file that may be os.Stdin.
func (s *Stdin) FileRead(f *os.File, p []byte) (int, error) {
	if f == s.File {
		return s.Read(p)
	}
	return f.Read(p)
}

func (s *Stdin) FileWriteTo(f *os.File, w io.Writer) (int64, error) {
	if f == s.File {
		return s.WriteTo(w)
	}
	return f.WriteTo(w)
}

// Conversion returns a function of type f that converts a file to an interface.
func (s *Stdin) Conversion(f reflect.Type) reflect.Value {
	to := f.Out(0)
	return reflect.MakeFunc(f, func(args []reflect.Value) []reflect.Value {
		x := args[0]
		if x.Interface() == any(s.File) {
			x = reflect.ValueOf(s)
		}
		return []reflect.Value{as(x, to)}
	})
}

var (
	fileType  = reflect.TypeFor[*os.File]()
	stdinType = reflect.TypeFor[*Stdin]()
)

// opened returns the file where a value is one that was put into an interface, and is to be of type t.
func opened(x reflect.Value, t reflect.Type) reflect.Value {
	if t == fileType && x.IsValid() && x.Type() == stdinType {
		return reflect.ValueOf(x.Interface().(*Stdin).File)
	}
	return x
}
