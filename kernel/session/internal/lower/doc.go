// Package lower turns a checked cell into what the engine is given: a file of a small and plain part of Go.
//
// The engine (github.com/traefik/yaegi) gets many things wrong that a notebook does all the time: names defined anew,
// variables at top level, imports repeated, constants, loop variables, types inside interfaces. So it never sees a cell as it
// was written, and as little as possible is left to it. The rules:
//
//   - A session variable is a native variable, made by reflection and reached through a pointer (*S.V3): it never moves,
//     whatever later cells define, and native code can read it. So is a variable of a compiled package.
//   - A declared function is a function of the engine's (f7), called by its name, and the value of a slot. It begins with a
//     look at a flag that says whether a later cell has replaced it, and passes its parameters on to the slot then.
//   - A type that a cell declares is a type of the Go runtime, made by package rtype, and the engine imports it as it does the
//     types of compiled packages (S.T4). The engine has no type declarations, no methods and no interfaces of its own.
//   - A method is a function with the receiver as its first parameter. Method values, method expressions and promoted methods
//     are written out. Compiled code finds the same functions in the methods of the type.
//   - A type that gets methods in a later cell is another type at run time. Variables of the session are looked at as having
//     it, and the values in interfaces that they lead to get it.
//   - Type assertions, type switches, comparisons of interfaces and conversions to interfaces with methods are calls of native
//     functions.
//   - Generic functions and types are instances, which package check makes; those of compiled packages are in package rt.
//   - The statements of a cell become the body of one function literal, which the helper Enter runs. What a statement needs
//     besides comes before it, in temporaries (t5): several values assigned at once, received values, what Go evaluates first.
//   - Functions that defer, recover or range over functions run on the helpers Frame, Defer, Arm and Recover.
//   - Constants are folded: the engine sees literals only, and native variables where it has no literal.
//   - A package has one alias in each file (fmt9). All names of ours have a letter in them that no keyboard writes by accident.
//
// Every node keeps the position of the source it came from. One concern is one file; its first comment names the section of
// the notes on the engine (engine.md) or on the Go project's own test programs (goroot.md) that it answers.
package lower
