package kernel

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// processMemory returns the bytes of memory that a process uses, 0 for one that has ended. Memory that processes share is
// counted in parts (PSS), so that a sum over processes is right.
func processMemory(ctx context.Context, p *process.Process) int64 {
	if maps, err := p.MemoryMapsWithContext(ctx, true); err == nil && len(*maps) == 1 && (*maps)[0].Pss > 0 {
		return int64((*maps)[0].Pss) << 10
	}
	return residentMemory(ctx, p)
}
