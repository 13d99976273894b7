package typeinfo

import (
	"encoding/json"
	"fmt"
	"sync"
)

// Doc returns the documentation of a package-level name of the package with
// the import path: the text of its comment, without comment markers and
// directives, in the syntax of go/doc/comment. "T.M" names a method and "T.F"
// a field of type T as they are declared: for a promoted one, ask with the
// type that declares it. "T.F.G" names a field of the struct without a name
// that T.F, or its element, is. A constant or variable without a comment of its own
// has that of its group. The name "" means the package. The path "builtin" has
// the documentation of the predeclared names. What has no documentation, or
// does not exist, gives "".
func Doc(path, name string) string {
	return documentation(path)[name]
}

// texts caches the decoded documentation by import path.
var texts sync.Map // string -> func() map[string]string

// documentation returns the texts of one package by name.
func documentation(path string) map[string]string {
	if f, ok := texts.Load(path); ok {
		return f.(func() map[string]string)()
	}
	if archives().docs[path] == nil {
		return nil
	}
	f, _ := texts.LoadOrStore(path, sync.OnceValue(func() map[string]string { return decode(path) }))
	return f.(func() map[string]string)()
}

// decode reads the documentation of one package. The archives are part of the
// program, so a broken one is our own bug.
func decode(path string) map[string]string {
	data, err := read(archives().docs[path])
	if err != nil {
		panic(fmt.Sprintf("typeinfo: documentation of %s: %v", path, err))
	}
	var docs map[string]string
	if err := json.Unmarshal(data, &docs); err != nil {
		panic(fmt.Sprintf("typeinfo: documentation of %s: %v", path, err))
	}
	return docs
}
