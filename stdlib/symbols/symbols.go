package symbols

import (
	"maps"
	"reflect"

	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
	"github.com/traefik/yaegi/stdlib/unsafe"

	"orthant/stdlib/symbols/internal/gonum"
	"orthant/stdlib/symbols/internal/own"
	"orthant/stdlib/symbols/internal/plot"
	"orthant/stdlib/symbols/internal/std"
)

// Symbols has the table of each package under its import path, a slash and
// its name ("fmt/fmt", "math/rand/v2/rand"), and the tables yaegi has for
// itself: its map types under ".", and unsafe with the conversions it needs.
// An interpreter must be given it once, in one call of Use, before it runs
// anything. It is not to be changed: interpreters copy what they take.
var Symbols = assemble()

func assemble() interp.Exports {
	all := interp.Exports{}
	for _, group := range []map[string]map[string]reflect.Value{
		std.Exports(), gonum.Exports(), plot.Exports(), own.Exports(),
	} {
		maps.Copy(all, group)
	}
	all["unsafe/unsafe"] = unsafe.Symbols["unsafe/unsafe"]
	all["github.com/traefik/yaegi/yaegi"] = unsafe.Symbols["github.com/traefik/yaegi/yaegi"]
	all["."] = map[string]reflect.Value{"MapTypes": reflect.ValueOf(mapTypes(all))}
	return all
}

// mapTypes returns yaegi's table of functions and interfaces that look for
// further methods: fmt.Println for String, net/http.ResponseWriter for
// Hijack. The functions are the same values in our tables, but the interfaces
// are known by their wrapper types, of which we have our own; so yaegi's
// entries are repeated for them.
func mapTypes(ours interp.Exports) map[reflect.Value][]reflect.Type {
	table := maps.Clone(stdlib.MapTypes)
	for pkg, symbols := range stdlib.Symbols {
		for name, theirs := range symbols {
			if !theirs.IsValid() || theirs.Kind() != reflect.Pointer || name[0] != '_' {
				continue // not a wrapper type
			}
			if wider, ok := stdlib.MapTypes[theirs]; ok {
				table[ours[pkg][name]] = wider
			}
		}
	}
	return table
}
