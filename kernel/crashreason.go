package kernel

import (
	"regexp"
	"slices"
	"strings"
)

// The runtime writes a copy of its last words to the crash file only from the stack traces on, and of a panic the message.
// The message of a fatal error stands in front of that. So it is told by the functions at the top of the first trace.
var crashReasons = []struct{ function, reason string }{
	{"sync.(*Mutex).unlockSlow", "sync: unlock of unlocked mutex"},
	{"sync.(*RWMutex).rUnlockSlow", "sync: RUnlock of unlocked RWMutex"},
	{"sync.(*RWMutex).Unlock", "sync: Unlock of unlocked RWMutex"},
	{"runtime.mapassign", "concurrent map writes"},
	{"runtime.mapdelete", "concurrent map writes"},
	{"runtime.mapclear", "concurrent map writes"},
	{"runtime.mapaccess", "concurrent map read and map write"},
	{"runtime/maps.(*Iter).Next", "concurrent map iteration and map write"},
	{"runtime.newstack", "stack overflow"},
	{"runtime.sysMapOS", "out of memory"},
	{"runtime.sysReserve", "out of memory"},
	{"runtime.(*mcache).allocLarge", "out of memory"},
	{"runtime.(*mheap).grow", "out of memory"},
}

// maxReasonFrames bounds the functions looked at: further down are the user's, which may have called anything.
const maxReasonFrames = 8

// traceHead matches the first line of the first stack trace: of a goroutine, or of what the runtime itself runs.
var traceHead = regexp.MustCompile(`(?m)^(goroutine \d+ .*\[.*\]|runtime stack):$`)

// crashReason finds the reason in what the runtime has written; empty where it has written nothing. What a cell has written to
// descriptor 2 just before may stand in front.
func crashReason(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	message, trace := text, ""
	if at := traceHead.FindStringIndex(text); at != nil {
		message, trace = text[:at[0]], text[at[1]:]
	}
	lines := strings.Split(message, "\n")
	for _, line := range slices.Backward(lines) {
		for _, prefix := range []string{"fatal error: ", "panic: ", "SIG"} {
			if strings.HasPrefix(line, prefix) {
				return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "fatal error: "), "panic: "))
			}
		}
	}
	frames := 0
	for line := range strings.Lines(trace) {
		if strings.HasPrefix(line, "\t") || strings.TrimSpace(line) == "" {
			continue
		}
		for _, r := range crashReasons {
			// The mutex of package sync is in internal/sync.
			if strings.HasPrefix(strings.TrimPrefix(line, "internal/"), r.function) {
				return r.reason
			}
		}
		if frames++; frames > maxReasonFrames {
			break
		}
	}
	return "an error of the Go runtime that nothing can recover"
}
