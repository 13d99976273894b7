package kernel

import (
	"fmt"
	"syscall"
	"testing"
)

// TestNativeTextIsFreed writes 100 MB past the session on both descriptors: what has been shown, or cut, takes no room on the disk.
func TestNativeTextIsFreed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: writes much text")
	}
	p, c := startProcess(t, sessionVariable+"=1")
	const code = "import (\n\t\"bytes\"\n\t\"syscall\"\n)\nline := append(bytes.Repeat([]byte(\"x\"), 99_999), '\\n')\n" +
		"for range 1000 {\n\tsyscall.Write(1, line)\n\tsyscall.Write(2, line)\n}"
	e := c.Execute(code)
	if n := len(e.Text("stdout")); n < 1<<20 {
		t.Errorf("%d bytes are shown", n)
	}
	const most = 8 << 20
	for number := 1; number <= 2; number++ {
		file := fmt.Sprintf("/proc/%d/fd/%d", p.Process.Pid, number)
		var info syscall.Stat_t
		if err := syscall.Stat(file, &info); err != nil {
			t.Fatal(err)
		}
		if info.Size < 1000*100_000 {
			t.Errorf("%s has %d bytes: not all that was written", file, info.Size)
		}
		if used := info.Blocks * 512; used > most {
			t.Errorf("%s takes %d bytes on the disk, want at most %d", file, used, most)
		}
	}
	if got := c.Execute("syscall.Write(1, []byte(\"out\\n\"))\nsyscall.Write(2, []byte(\"err\\n\"));").String(); got != "busy\n"+
		"execute_input [2] syscall.Write(1, []byte(\"out\\n\"))\nsyscall.Write(2, []byte(\"err\\n\"));\n"+
		"stdout \"out\\n\"\nstderr \"err\\n\"\nidle\nexecute_reply [2] ok" {
		t.Errorf("the next cell: got\n%s", got)
	}
}
