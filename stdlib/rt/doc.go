// Package rt is the native runtime of lowered cells: what the engine gets wrong and compiled code gets right.
//
//   - Run, Defer, DeferCall, Arm, Disarm and Recover are defer and recover (frame.go, arm.go);
//   - IndexPanic and SlicePanic are the panics of an index that is out of range (bounds.go);
//   - Value turns what a panic of the engine carries into what Go's panic carries, Text is how it is shown (panic.go);
//   - Passed and TakeTrace keep the places that a panic passes (trace.go);
//   - Fprint, Fprintln, Clear, MinFloat and MaxFloat are builtins (builtin.go).
//
// A function that defers is lowered to
//
//	rt.Run(unwinding, func(frame any) {
//		rt.Defer(frame, func() { fmt.Println(rt.Recover(frame)) })
//		panic("no")
//	})
//
// Lowered code calls these through the session; nobody else should. The package knows no cells, and of the engine only
// the forms that its panics have.
package rt
