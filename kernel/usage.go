package kernel

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/process"

	"orthant/kernel/wire"
)

// A usage measures the kernel's process and those it has started. A share of the processor is measured from one request
// to the next, so the processes of the last request are kept; the first request finds 0.
type usage struct {
	mu        sync.Mutex
	processes map[int32]*process.Process
}

// usageRequest answers what the kernel uses of the machine, for extensions such as jupyter-resource-usage.
//
// https://github.com/ipython/ipykernel/blob/main/ipykernel/kernelbase.py (usage_request)
func (k *kernel) usageRequest(ctx context.Context, _ *request) (wire.Content, error) {
	reply, err := k.usage.measure(ctx)
	if err != nil {
		return nil, fmt.Errorf("kernel: usage: %w", err)
	}
	return reply, nil
}

func (u *usage) measure(ctx context.Context) (wire.UsageReply, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	hostname, errName := os.Hostname()
	count, errCount := cpu.CountsWithContext(ctx, true)
	memory, errMemory := mem.VirtualMemoryWithContext(ctx)
	errProcesses := u.find(ctx)
	if err := errors.Join(errName, errCount, errMemory, errProcesses); err != nil {
		return wire.UsageReply{}, err
	}
	reply := wire.UsageReply{
		Hostname: hostname, PID: os.Getpid(), CPUCount: count, HostVirtualMemory: hostMemory(memory),
	}
	// Not joined above: where a platform does not tell the whole machine's share, the field is left out as ipykernel does.
	if host, err := cpu.PercentWithContext(ctx, 0, false); err == nil && len(host) == 1 {
		reply.HostCPUPercent = host[0]
	}
	for _, p := range u.processes {
		// A process that has ended since it was found uses nothing.
		if share, err := p.PercentWithContext(ctx, 0); err == nil {
			reply.KernelCPU += share
		}
		reply.KernelMemory += processMemory(ctx, p)
	}
	return reply, nil
}

// find brings the processes up to date: this one, and all below it. One that was found before stays, because it knows
// when it was last measured.
func (u *usage) find(ctx context.Context) error {
	self, err := process.NewProcessWithContext(ctx, int32(os.Getpid()))
	if err != nil {
		return err
	}
	found := make(map[int32]*process.Process)
	for queue := []*process.Process{self}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if found[p.Pid] != nil {
			continue
		}
		if earlier := u.processes[p.Pid]; earlier != nil && sameStart(ctx, earlier, p) {
			p = earlier
		}
		found[p.Pid] = p
		// An error says that there are none, or that the process has just ended.
		children, _ := p.ChildrenWithContext(ctx)
		queue = append(queue, children...)
	}
	u.processes = found
	return nil
}

// sameStart says whether two handles of one process id mean one process: numbers are used again.
func sameStart(ctx context.Context, a, b *process.Process) bool {
	x, errA := a.CreateTimeWithContext(ctx)
	y, errB := b.CreateTimeWithContext(ctx)
	return errA == nil && errB == nil && x == y
}

// residentMemory returns the bytes of memory that a process has, 0 for one that has ended.
func residentMemory(ctx context.Context, p *process.Process) int64 {
	info, err := p.MemoryInfoWithContext(ctx)
	if err != nil {
		return 0
	}
	return int64(info.RSS)
}

// hostMemory returns the machine's memory as the wire has it.
func hostMemory(m *mem.VirtualMemoryStat) *wire.HostVirtualMemory {
	return &wire.HostVirtualMemory{
		Total: int64(m.Total), Available: int64(m.Available), Percent: m.UsedPercent, Used: int64(m.Used), Free: int64(m.Free),
		Active: int64(m.Active), Inactive: int64(m.Inactive), Buffers: int64(m.Buffers), Cached: int64(m.Cached),
		Shared: int64(m.Shared), Slab: int64(m.Slab),
	}
}
