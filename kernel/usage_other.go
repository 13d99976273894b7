//go:build !linux

package kernel

import (
	"context"

	"github.com/shirou/gopsutil/v4/process"
)

// processMemory returns the bytes of memory that a process uses, 0 for one that has ended. Memory that processes share
// counts for each: only Linux tells how many share it.
func processMemory(ctx context.Context, p *process.Process) int64 { return residentMemory(ctx, p) }
