//go:build !windows

package kernel

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"orthant/kernel/kerneltest"
	"orthant/kernel/wire"
)

// long says whether the long forms of the tests are asked for.
func long() bool { return os.Getenv("ORTHANT_LONG") == "1" }

// sized returns the size of a test's short or long form.
func sized(short, inLong int) int {
	if long() {
		return inLong
	}
	return short
}

// noLimit lets cells output as much as they like.
const noLimit = "ORTHANT_OUTPUT_LIMIT=0"

// counting is a cell that prints a line for each number below n, and behind it some bytes to make it longer.
func counting(n, padding int) string {
	return fmt.Sprintf("import \"strings\"\n\npadding := strings.Repeat(\"x\", %d)\n"+
		"for i := range %d {\n\tfmt.Println(\"line\", i, padding)\n}", padding, n)
}

// wantLines wants every line of counting, in order.
func wantLines(t *testing.T, got string, n, padding int) {
	t.Helper()
	end := " " + strings.Repeat("x", padding) + "\n"
	i := 0
	for line := range strings.Lines(got) {
		if want := fmt.Sprintf("line %d%s", i, end); line != want {
			t.Fatalf("line %d is %.100q", i, line)
		}
		i++
	}
	if i != n {
		t.Fatalf("%d lines, want %d", i, n)
	}
}

// TestAllLinesOfACell prints a million lines: none is lost, none out of order, whatever the limit of others.
func TestAllLinesOfACell(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: prints many lines")
	}
	lines := sized(200_000, 1_000_000)
	_, c := startProcess(t, sessionVariable+"=1", noLimit)
	wantLines(t, c.Execute(counting(lines, 0)).Text("stdout"), lines, 0)
}

// clientVariable makes TestSuspendedClient a client of the kernel at a connection file.
const clientVariable = "ORTHANT_TEST_CLIENT"

// TestSuspendedClient is the other process of TestStalledClients: a client that reads until it is ended.
func TestSuspendedClient(t *testing.T) {
	file := os.Getenv(clientVariable)
	if file == "" {
		return // not in that process
	}
	info, err := wire.ReadConnectionFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := kerneltest.Dial(t, info)
	c.Execute("fmt.Println(\"here\")")
	fmt.Println("connected")
	c.WaitClosed()
}

// startSuspended starts a client in a process of its own and stops the process, when it has connected.
func startSuspended(t *testing.T, file string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestSuspendedClient$", "-test.timeout=10m")
	cmd.Env = append(os.Environ(), clientVariable+"="+file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // SIGKILL ends stopped processes too
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "connected\n" {
		t.Fatalf("the other client said %q (%v)", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// TestStalledClients has one client stall while another runs a cell with much output. The kernel waits a bounded time for
// the one, and loses nothing of the other's.
func TestStalledClients(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: prints many lines")
	}
	tests := []struct {
		name  string
		stall func(t *testing.T, file string, c *kerneltest.Client)
	}{
		{"suspended", func(t *testing.T, file string, _ *kerneltest.Client) { startSuspended(t, file) }},
		{"reads nothing", func(_ *testing.T, _ string, c *kerneltest.Client) {
			other := c.Another()
			other.Pause()
			for range 100 {
				other.Send(wire.Shell, wire.KernelInfoRequest{})
			}
		}},
	}
	const lines, padding = 100_000, 1000 // more than what may wait for one client
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file, info := writeConnectionFile(t)
			_, c := startProcessAt(t, file, info, func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, sessionVariable+"=1", noLimit) })
			tt.stall(t, file, c)
			wantLines(t, c.Execute(counting(lines, padding)).Text("stdout"), lines, padding)
			start := time.Now()
			c.Execute("1 + 1")
			c.Control(wire.KernelInfoRequest{})
			c.Ping()
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("three requests after it took %v", took)
			}
		})
	}
}

// TestPipelined sends ten thousand requests of all kinds before the first answer is read.
func TestPipelined(t *testing.T) {
	requests := sized(2_000, 10_000)
	_, c := startKernel(t)
	kinds := []wire.Content{
		kerneltest.Request("value 1"), kerneltest.Request("print x"), wire.KernelInfoRequest{}, wire.IsCompleteRequest{Code: "x"},
		wire.CompleteRequest{Code: "é ab", CursorPos: 4}, wire.InspectRequest{Code: "x"}, wire.CommInfoRequest{}, unknownRequest{},
		wire.CommOpen{CommID: "c", TargetName: "unknown"}, wire.HistoryRequest{HistAccessType: "tail", N: 3},
	}
	c.Pause()
	var sent []*kerneltest.Exchange
	for i := range requests {
		sent = append(sent, c.Send(wire.Shell, kinds[i%len(kinds)]))
	}
	c.Resume()
	cells := 0
	for _, e := range sent {
		if e.Wait(); e.Request.Header.MsgType != "execute_request" {
			continue
		}
		cells++
		var reply wire.ExecuteReply
		if e.Decode(&reply); reply.ExecutionCount != cells {
			t.Fatalf("cell %d has the number %d", cells, reply.ExecutionCount)
		}
	}
}

// TestMalformedConnections opens a thousand connections that send noise. A client that was there before is served between
// them, and one that comes behind them too.
func TestMalformedConnections(t *testing.T) {
	connections := sized(200, 1000)
	k, c := startKernel(t)
	random := rand.New(rand.NewPCG(1, 2))
	greeting := "\xff\x00\x00\x00\x00\x00\x00\x00\x01\x7f\x03\x00NULL" + strings.Repeat("\x00", 48)
	channels := wire.Channels()
	for i := range connections {
		network, address := k.info.Address(channels[i%len(channels)])
		conn, err := net.Dial(network, address)
		if err != nil {
			t.Fatal(err)
		}
		noise := make([]byte, random.IntN(200))
		for j := range noise {
			noise[j] = byte(random.Uint32())
		}
		if i%3 == 0 {
			noise = append([]byte(greeting), noise...)
		}
		_, _ = conn.Write(noise) // the kernel may have closed it already
		if i%2 == 0 {
			conn.Close()
		} else {
			t.Cleanup(func() { conn.Close() })
		}
		if i%50 == 0 {
			c.Execute("value 1")
		}
	}
	kerneltest.Dial(t, k.info).Execute("value 2")
	c.Ping()
}

// TestConnectionFileVanishes removes the file under a kernel that runs.
func TestConnectionFileVanishes(t *testing.T) {
	file, info := writeConnectionFile(t)
	p, c := startProcessAt(t, file, info, func(*exec.Cmd) {})
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	c.Execute("value 1").Want("busy", "execute_input [1] value 1", "execute_result [1] 1", "idle", "execute_reply [1] ok")
	kerneltest.Dial(t, info).Execute("value 2")
	start := time.Now()
	shutDown(t, p, c)
	p.wantEnd(t, start)
}

// TestEightClients has eight clients run cells at the same time, some of which fail: each gets its own answers.
func TestEightClients(t *testing.T) {
	cells := sized(30, 300)
	k, _ := startKernel(t)
	t.Run("at once", func(t *testing.T) {
		for i := range 8 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				c := kerneltest.Dial(t, k.info)
				for n := range cells {
					text := fmt.Sprintf("client %d cell %d", i, n)
					request := kerneltest.Request("print " + text)
					e := c.Send(wire.Shell, request)
					c.Control(wire.KernelInfoRequest{})
					if got := e.Wait().Text("stdout"); got != text+"\n" {
						t.Fatalf("got %q, want %q", got, text)
					}
					c.Shell(wire.CompleteRequest{Code: "ab", CursorPos: 2})
				}
			})
		}
	})
}

// TestRestarts has jupyter_client restart the installed kernel again and again.
func TestRestarts(t *testing.T) {
	python := kerneltest.Python(t)
	prefix := kerneltest.Install(t)
	out, err := python.Command(t, []string{prefix}, "testdata/restarts.py", fmt.Sprint(sized(5, 200))).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
