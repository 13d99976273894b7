// Package engine runs lowered files on yaegi v0.16.1, unpatched.
//
// It adds what the interpreter lacks for a session: a stop that leaves closures alive. The engine checks a run number
// (its first field) in each function frame; raising the number ends whatever runs, and putting it back lets the closures
// of earlier cells run again (engine.md section 2b). A channel operation that waits ends only when the engine's done
// channel is closed, so that is the second step.
//
// And it reaches into the trees of compiled programs, whose layout it finds by reflection and checks (layout.go), before their
// operations are made (generate.go): operations that may panic note their place and say which index it was (watch.go, bounds.go),
// and goroutines may leave at them (leave.go); calls by name pass -0 on (negative.go); functions without recover tell that they
// are no deferred call that recovers (disarm.go). What the engine keeps of a program that is compiled is let go of (release.go).
package engine
