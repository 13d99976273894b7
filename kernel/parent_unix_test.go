//go:build !windows

package kernel

import (
	"context"
	"testing"
	"time"
)

func TestParentEnded(t *testing.T) {
	const launcher, wrapper = 4711, 4712
	tests := []struct {
		name  string
		ppids []int // what getppid says, first before any tick
		want  bool
	}{
		{"parent stays", []int{launcher, launcher, launcher}, false},
		{"parent ends and init adopts", []int{launcher, launcher, initProcess}, true},
		{"parent ends and a subreaper adopts", []int{launcher, 815}, true},
		{"wrapper between stays", []int{wrapper, wrapper, wrapper}, false},
		{"wrapper between is replaced", []int{wrapper, 815, 815}, false},
		{"wrapper between ends", []int{wrapper, wrapper, initProcess}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ticks := make(chan time.Time)
			asked := 0
			ppid := func() int {
				id := tt.ppids[min(asked, len(tt.ppids)-1)]
				asked++
				return id
			}
			go func() {
				for range len(tt.ppids) - 1 {
					select {
					case ticks <- time.Time{}:
					case <-ctx.Done():
						return
					}
				}
				cancel()
			}()
			if got := parentEnded(ctx, ticks, ppid, launcher); got != tt.want {
				t.Errorf("parentEnded = %v, want %v", got, tt.want)
			}
		})
	}
}
