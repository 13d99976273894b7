package rt

import "reflect"

// Equal is == for two interface values of a cell. The engine passes values of declared types about in structs of its own,
// and compares these.
func Equal(a, b any) bool { return Concrete(a) == Concrete(b) }

// Concrete returns the value that a cell has put into an interface, out of whatever the engine has put it into: its own
// form of an interface value, or one of the wrappers that give a declared type the methods of a compiled interface.
func Concrete(v any) any {
	for range 8 { // an interface of an interface of an interface is not unheard of
		rv := reflect.ValueOf(v)
		if !rv.IsValid() {
			return nil
		}
		if rv.Kind() == reflect.Pointer && !rv.IsNil() && isWrapper(rv.Type().Elem()) {
			rv = rv.Elem()
		}
		switch {
		case rv.Type().String() == engineValue:
			v = unwrap(v)
		case isWrapper(rv.Type()):
			v = rv.Field(0).Interface()
		default:
			return v
		}
	}
	return v
}

// isWrapper reports whether a type is one of the wrappers that yaegi extract generates: a struct whose first field is
// IValue and whose others are functions.
func isWrapper(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 1 && t.Field(0).Name == "IValue" && t.Field(0).Type.Kind() == reflect.Interface &&
		t.Field(1).Type.Kind() == reflect.Func
}
