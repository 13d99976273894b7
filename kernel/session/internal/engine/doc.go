// Package engine runs lowered files on yaegi v0.16.1, unpatched.
//
// It adds what the interpreter lacks for a session: a stop that leaves closures and everybody else alive. The interpreter
// can stop all that runs, or nothing: it compares a run number in each function frame. Here each goroutine is asked whether it
// is to leave, at all calls, at operations that may panic and in all loops, which no code can go on without (leave.go). A channel
// operation that waits ends when the channel is closed that belongs to the goroutine's run (wait.go).
//
// And it reaches into the trees of compiled programs, whose layout it finds by reflection and checks (layout.go), before their
// operations are made (generate.go): operations that may panic note their place and say which index it was (watch.go, bounds.go),
// and goroutines may leave at them (leave.go); calls by name pass -0 on (negative.go); functions without recover tell that they
// are no deferred call that recovers (disarm.go). What the engine keeps of a program that is compiled is let go of (release.go).
package engine
