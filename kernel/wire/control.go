package wire

// A ShutdownRequest ends the kernel process.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-shutdown
type ShutdownRequest struct {
	Restart bool `json:"restart"` // the manager will start another process
}

// MessageType returns "shutdown_request".
func (ShutdownRequest) MessageType() string { return "shutdown_request" }

// A ShutdownReply answers it before the process ends; it is also published on IOPub.
type ShutdownReply struct {
	Status  Status `json:"status"`
	Restart bool   `json:"restart"` // as in the request
}

// MessageType returns "shutdown_reply".
func (ShutdownReply) MessageType() string { return "shutdown_reply" }

// An InterruptRequest ends the running cell, for kernels whose interrupt_mode is "message".
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-interrupt
type InterruptRequest struct{}

// MessageType returns "interrupt_request".
func (InterruptRequest) MessageType() string { return "interrupt_request" }

// An InterruptReply answers it at once.
type InterruptReply struct {
	Status Status `json:"status"`
}

// MessageType returns "interrupt_reply".
func (InterruptReply) MessageType() string { return "interrupt_reply" }

// A UsageRequest asks what the process uses. It is ipykernel's, not the specification's; jupyter-resource-usage sends
// it.
//
// https://github.com/ipython/ipykernel/blob/main/ipykernel/kernelbase.py (usage_request)
type UsageRequest struct{}

// MessageType returns "usage_request".
func (UsageRequest) MessageType() string { return "usage_request" }

// A UsageReply has no status, as ipykernel's has none.
type UsageReply struct {
	Hostname          string             `json:"hostname"`
	PID               int                `json:"pid"`
	KernelCPU         float64            `json:"kernel_cpu"`    // per cent of one core, with children
	KernelMemory      int64              `json:"kernel_memory"` // bytes, with children
	CPUCount          int                `json:"cpu_count"`
	HostCPUPercent    float64            `json:"host_cpu_percent,omitempty"`
	HostVirtualMemory *HostVirtualMemory `json:"host_virtual_memory,omitempty"`
}

// MessageType returns "usage_reply".
func (UsageReply) MessageType() string { return "usage_reply" }

// HostVirtualMemory is the machine's memory in bytes; fields the platform does not tell are 0.
type HostVirtualMemory struct {
	Total     int64   `json:"total"`
	Available int64   `json:"available"`
	Percent   float64 `json:"percent"`
	Used      int64   `json:"used"`
	Free      int64   `json:"free"`
	Active    int64   `json:"active"`
	Inactive  int64   `json:"inactive"`
	Buffers   int64   `json:"buffers"`
	Cached    int64   `json:"cached"`
	Shared    int64   `json:"shared"`
	Slab      int64   `json:"slab"`
}
