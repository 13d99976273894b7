// Package rtype makes Go types at run time that reflection cannot make: types with a name and methods, types that refer to
// themselves, structs and interfaces with lower-case names.
//
// The interpreter of the session knows the types that cells declare, but compiled code does not: to it a value of such a
// type has neither a name nor methods, so fmt does not call its String, errors.As does not find it, json does not call its
// MarshalJSON. Package reflect makes types that are written out, no others. A type of this package is one to all compiled
// code: it may be converted to an interface, asserted, printed, compared, hashed, copied, collected.
//
// It does so by building the structures by which the runtime knows types, as the compiler would. What makes that safe:
//
//   - The structures are those of the Go version in use: Check compares them with the runtime's own, which reflection shows,
//     and New refuses to work when they differ.
//   - A type is one pointer. The runtime compares types by their addresses, and keeps addresses where the collector does not
//     look: in interface values, method tables and memory blocks. So no type is ever freed or moved.
//   - The collector, the hash functions, the calling convention and reflection look into what a type holds by value. So a type
//     is told its layout before it is used in such a way: SetLayout says more.
//   - Names, types and functions in the structures are offsets from the program's own data. reflect.addReflectOff gives such
//     an offset to things that are elsewhere. It is one of the functions that the Go project keeps for packages like this
//     one (go.dev/issue/67401).
//   - A method table holds the addresses of functions, not of closures. So there is a stock of functions in assembly, the
//     stubs, and each calls the closure with its number, with the arguments as they are. They use registers that Go's calling
//     convention leaves free at a function's entry, touch no stack and jump, so that no trace ever shows them. The closures
//     are those of reflect.MakeFunc, which the runtime knows how to scan.
//
// The stubs exist for amd64 and arm64. Elsewhere types work, but SetMethods returns an error when there are methods.
package rtype
