package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"orthant/kernel/wire"
)

// TestUsage asks twice: a share of the processor is measured between two requests.
func TestUsage(t *testing.T) {
	_, c := startKernel(t)
	ask := func() (reply wire.UsageReply) {
		c.Control(wire.UsageRequest{}).Decode(&reply)
		return reply
	}
	first := ask()
	hostname, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if first.Hostname != hostname || first.PID != os.Getpid() || first.CPUCount < runtime.NumCPU() {
		t.Errorf("got %+v, want that of %s, process %d", first, hostname, os.Getpid())
	}
	if first.KernelCPU != 0 {
		t.Errorf("the first kernel_cpu is %v, want 0: nothing was measured before", first.KernelCPU)
	}
	if m := first.HostVirtualMemory; first.KernelMemory < 1<<20 || first.KernelMemory > m.Total || m.Available > m.Total {
		t.Errorf("kernel_memory is %d, the machine's %+v", first.KernelMemory, *m)
	}
	var sum float64
	for i := range 50_000_000 {
		sum += float64(i)
	}
	if second := ask(); second.KernelCPU <= 0 || second.HostCPUPercent < 0 || second.HostCPUPercent > 100 {
		t.Errorf("after work (%g): got %+v, want a share of the processor", sum, second)
	}
}

// TestUsageOfChildren checks that what cells start counts.
func TestUsageOfChildren(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no sleep")
	}
	u := new(usage)
	if _, err := u.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	child := exec.Command("sh", "-c", "sleep 60 & echo $!; wait")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	var grandchild int
	if _, err := fmt.Fscan(out, &grandchild); err != nil {
		t.Fatal(err)
	}
	sleep, err := os.FindProcess(grandchild)
	if err != nil {
		t.Fatal(err)
	}
	defer sleep.Kill()
	if _, err := u.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{os.Getpid(), child.Process.Pid, grandchild} {
		if u.processes[int32(pid)] == nil {
			t.Errorf("found %v, want %d", u.processes, pid)
		}
	}
}
