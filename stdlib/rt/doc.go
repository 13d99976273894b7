// Package rt is the native runtime of lowered cells: what the engine gets wrong and compiled code gets right.
//
//   - Frame, Defer, DeferCall, Arm and Recover are defer and recover (frame.go);
//   - Value turns what a panic of the engine carries into what Go's panic carries (panic.go);
//   - Print, Println, Clear, MinFloat and MaxFloat are builtins (builtin.go).
//
// Lowered code calls these through the session; nobody else should. The package knows neither cells nor the engine.
package rt
