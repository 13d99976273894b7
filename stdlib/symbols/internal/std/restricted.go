package std

import (
	"reflect"

	"github.com/traefik/yaegi/stdlib"
)

// restricted returns yaegi's replacement for a symbol that would end the
// process, such as os.Exit. pkg is a key of yaegi's table ("os/os").
func restricted(pkg, name string) reflect.Value { return stdlib.Symbols[pkg][name] }
