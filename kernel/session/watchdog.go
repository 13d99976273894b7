package session

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// Endless recursion would end the process when its stack reaches Go's limit, and nothing can recover that. So the limit
// is raised out of reach and a watchdog ends the cell instead.
const (
	maxStack   = 8 << 30               // bytes; far above stackLimit, reached only if the watchdog fails
	stackLimit = 512 << 20             // bytes of all stacks together
	stackCheck = 20 * time.Millisecond // a fraction of the time in which endless recursion reaches the limit
	stackName  = "/memory/classes/heap/stacks:bytes"
)

// tooDeep carries the watchdog's message to the running cell. Nobody listens between cells.
var tooDeep = make(chan string)

var watchStack = sync.OnceFunc(func() {
	debug.SetMaxStack(maxStack)
	go func() {
		sample := []metrics.Sample{{Name: stackName}}
		for range time.Tick(stackCheck) {
			metrics.Read(sample)
			if sample[0].Value.Uint64() > stackLimit {
				select {
				case tooDeep <- "stack overflow: the cell's recursion is too deep (512 MiB of stack)":
				default:
				}
			}
		}
	}()
})
