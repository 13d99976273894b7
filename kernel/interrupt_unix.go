//go:build !windows

package kernel

import "context"

// watchInterrupts does nothing: managers send SIGINT (signals.go).
func watchInterrupts(context.Context, func()) error { return nil }
