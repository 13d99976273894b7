package rt

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	"hash"
	"reflect"
)

// hashes makes a Go function of a function that returns some type of hash.
func hashes(f reflect.Value) func() hash.Hash {
	return func() hash.Hash { return call(f).Interface().(hash.Hash) }
}

// result makes the results of a function that returns a key.
func result(key []byte, err error) []reflect.Value {
	return []reflect.Value{reflect.ValueOf(key), reflect.ValueOf(&err).Elem()}
}

// cryptoFuncs are the functions that are generic in the type of a hash.
var cryptoFuncs = map[string]implementation{
	"crypto/hkdf.Expand": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return result(hkdf.Expand(hashes(in[0]), in[1].Bytes(), in[2].String(), int(in[3].Int())))
	},
	"crypto/hkdf.Extract": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return result(hkdf.Extract(hashes(in[0]), in[1].Bytes(), in[2].Bytes()))
	},
	"crypto/hkdf.Key": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return result(hkdf.Key(hashes(in[0]), in[1].Bytes(), in[2].Bytes(), in[3].String(), int(in[4].Int())))
	},
	"crypto/pbkdf2.Key": func(_ reflect.Type, in []reflect.Value) []reflect.Value {
		return result(pbkdf2.Key(hashes(in[0]), in[1].String(), in[2].Bytes(), int(in[3].Int()), int(in[4].Int())))
	},
}
