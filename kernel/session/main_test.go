package session_test

import (
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the lists of known failures, the reasons of those that stay kept")

// long reports whether the long forms of tests were asked for.
func long() bool { return os.Getenv("ORTHANT_LONG") == "1" }

// TestMain makes the test binary also the process that plays one program: playing programs of all kinds in the process
// that reports about them would let one of them end, or hang, all others.
func TestMain(m *testing.M) {
	if path := os.Getenv(playVariable); path != "" {
		os.Exit(playHere(path))
	}
	os.Exit(m.Run())
}
