// Package engine runs lowered files on yaegi v0.16.1, unpatched.
//
// It adds what the interpreter lacks for a session: a stop that leaves closures alive. The engine checks a run number
// (its first field) in each function frame; raising the number ends whatever runs, and putting it back lets the closures
// of earlier cells run again (engine.md section 2b). A channel operation that waits ends only when the engine's done
// channel is closed, so that is the second step.
package engine
