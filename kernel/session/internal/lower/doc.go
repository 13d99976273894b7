// Package lower turns a checked cell into what the engine is given: two files of a small and plain part of Go.
//
// The engine (github.com/traefik/yaegi) gets many things wrong that a notebook does all the time: names defined anew,
// variables at top level, imports repeated, constants, loop variables. So it never sees a cell as it was written. The rules:
//
//   - A session variable is a native variable, made by reflection and reached through a pointer (*S.V3): it never moves,
//     whatever later cells define, and native code can read it. A function is a variable that holds a function, so its
//     callers always see its newest body.
//   - A type has one name for each generation (Tː3), a package one alias for each path.
//   - A method is an engine method that calls a function variable, so that a later cell may change its body.
//   - The statements of a cell become the body of one function literal, which the session runs.
//   - Constants are folded: the engine sees literals only.
//
// Every node keeps the position of the source it came from. One concern is one file.
package lower
