//go:build !windows

package kernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// TestLastWords ends kernels in several ways. The next one of the same session says so once where it was no good end.
func TestLastWords(t *testing.T) {
	kill := func(t *testing.T, p *kernelProcess, _ *kerneltest.Client) {
		if err := p.Process.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		cell  string // the second one
		place string // where the kernel is when it is ended; empty where the cell does that
		end   func(*testing.T, *kernelProcess, *kerneltest.Client)
		want  string
	}{
		{"unlock of an unlocked mutex", "var mu sync.Mutex\nx := 1\nmu.Unlock()", "", nil,
			"the kernel ended in cell 2 line 3: sync: unlock of unlocked mutex"},
		{"concurrent map writes", "m := map[int]int{}\nfor range 4 {\n\tgo func() {\n\t\tfor i := 0; ; i++ {\n\t\t\tm[i%100] = i\n\t\t}\n\t}()\n}\nselect {}", "", nil,
			"the kernel ended in cell 2 line 9: concurrent map writes"},
		{"a goroutine after its cell", "import \"time\"\nvar mu sync.Mutex\ntime.AfterFunc(time.Second/2, func() { mu.Unlock() });", "", nil,
			"the kernel ended between cells: sync: unlock of unlocked mutex"},
		{"killed in a cell", "x := 1\nfor {\n}", "cell 2 line 2", kill,
			"the kernel ended in cell 2 line 2: it was killed, perhaps because the system was out of memory"},
		{"killed between cells", "x := 1", idle, kill, ""},
		{"shut down", "x := 1", idle, shutDown, ""},
		{"shut down in a cell", "for {\n}", "cell 2 line 1", shutDown, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file, info := writeConnectionFile(t)
			real := func(cmd *exec.Cmd) {
				cmd.Env = append(cmd.Env, sessionVariable+"=1")
				cmd.Stderr = nil // the runtime's words are many
			}
			p, c := startProcessAt(t, file, info, real)
			c.Execute("import \"sync\"\nsync.NewCond(nil);")
			c.Send(wire.Shell, kerneltest.Request(tt.cell))
			if tt.place != "" {
				awaitPlace(t, file, tt.place)
				tt.end(t, p, c)
			}
			p.ended <- <-p.ended
			_, c = startProcessAt(t, file, info, real)
			for i, want := range []string{tt.want, ""} {
				if got := strings.TrimSuffix(c.Execute("2").Text("stderr"), "\n"); got != want {
					t.Errorf("cell %d of the next kernel says %q, want %q", i+1, got, want)
				}
			}
		})
	}
}

// awaitPlace waits until the crash file of a kernel says where it is.
func awaitPlace(t *testing.T, file, place string) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < kerneltest.Timeout; time.Sleep(time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*", "crashes", "*"+crashSuffix))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if data, err := os.ReadFile(f); err == nil && strings.HasPrefix(string(data), place+" ") {
				return
			}
		}
	}
	t.Fatalf("the kernel does not note that it is at %s", place)
}

func TestCrashReason(t *testing.T) {
	const head = "\ngoroutine 20 gp=0x2b8e3d2825a0 m=3 mp=0x2b8e3d21b008 [running]:\nruntime.fatal({0x4bdc56, 0x15})\n\t/go/src/runtime/panic.go:1181 +0x18\n"
	for _, tt := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"panic", "panic: boom\n\ngoroutine 1 [running]:\npanic: not this\n", "boom"},
		{"signal", "SIGBUS: bus error\nPC=0x1 m=0\n\ngoroutine 1:\n", "SIGBUS: bus error"},
		{"map writes", head + "internal/runtime/maps.fatal({0x4bdc56?, 0x0?})\nruntime.mapassign(0x4a6760)\n", "concurrent map writes"},
		{"map read", head + "internal/runtime/maps.fatal({0x4bdc56?, 0x0?})\nruntime.mapaccess2(0x4a6760)\n", "concurrent map read and map write"},
		{"map iteration", head + "internal/runtime/maps.fatal({0x4bdc56?, 0x0?})\ninternal/runtime/maps.(*Iter).Next(0x1)\n", "concurrent map iteration and map write"},
		{"mutex", head + "internal/sync.fatal({0x4bdc56?, 0x0?})\ninternal/sync.(*Mutex).unlockSlow(0x1)\n", "sync: unlock of unlocked mutex"},
		{"read lock", head + "sync.fatal({0x4bdc56?, 0x0?})\nsync.(*RWMutex).rUnlockSlow(0x1)\nsync.(*RWMutex).RUnlock(...)\n", "sync: RUnlock of unlocked RWMutex"},
		{"lock", head + "sync.fatal({0x4bdc56?, 0x0?})\nsync.(*RWMutex).Unlock(0x1)\n", "sync: Unlock of unlocked RWMutex"},
		{"memory", "\nruntime stack:\nruntime.throw({0x4bde22?, 0x2cfd?})\nruntime.sysMapOS(0x33f5d8c00000)\n", "out of memory"},
		{"text in front", strings.Repeat("the cell's own line\n", 20) + "panic: not this\nfatal error: concurrent map writes\n" + head + "runtime.whatever(0x1)\n",
			"concurrent map writes"},
		{"text in front of a trace alone", strings.Repeat("the cell's own line\n", 20) + head + "internal/sync.fatal({0x1, 0x2})\nsync.(*RWMutex).Unlock(0x1)\n",
			"sync: Unlock of unlocked RWMutex"},
		{"something else", head + "runtime.whatever(0x1)\n", "an error of the Go runtime that nothing can recover"},
	} {
		if got := crashReason(tt.text); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestStaleCrashFiles cleans up what other sessions have left long ago, and keeps what somebody may come to read.
func TestStaleCrashFiles(t *testing.T) {
	cmd := exec.Command("true") // its process id is nobody's afterwards
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	dead := "-" + strconv.Itoa(cmd.Process.Pid) + crashSuffix
	dir := t.TempDir()
	head := func(place string) string { return place + strings.Repeat(" ", placeLength-1-len(place)) + "\n" }
	old := time.Now().Add(-2 * crashLife)
	for _, f := range []struct {
		name, text string
		old, stays bool
	}{
		{"mine" + dead, head("cell 1 line 2") + "fatal error: no\n", false, false},
		{"other" + dead, head("cell 1 line 1"), false, true},
		{"stale" + dead, head("cell 1 line 1"), true, false},
		{"alive-" + strconv.Itoa(os.Getppid()) + crashSuffix, head("cell 1 line 1"), true, true},
		{"mine-1" + crashSuffix, head("cell 1 line 1"), true, true}, // of a process that lives
		{"readme.txt", "", true, true},
	} {
		file := filepath.Join(dir, f.name)
		if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f.old {
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
		defer func() {
			if _, err := os.Stat(file); (err == nil) != f.stays {
				t.Errorf("%s: stays is %v, want %v", f.name, err == nil, f.stays)
			}
		}()
	}
	got, err := readCrashes(dir, "mine")
	if want := "the kernel ended in cell 1 line 2: no"; got != want || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
