"""The life of a kernel as jupyter_client leads it: start, interrupt, restart, shutdown. Each test is a life."""

import os
import signal
import subprocess
import sys
import time
import unittest

import psutil
from jupyter_client.manager import KernelManager

TIMEOUT = 30
KERNEL = "orthant"


class Life(unittest.TestCase):
    def setUp(self):
        self.km = KernelManager(kernel_name=KERNEL)
        self.km.start_kernel()
        self.kc = self.km.client()
        self.kc.start_channels()
        self.kc.wait_for_ready(timeout=TIMEOUT)

    def tearDown(self):
        self.kc.stop_channels()
        if self.km.has_kernel:
            self.km.shutdown_kernel(now=True)

    def run_cell(self, code):
        """Runs a cell; returns its reply and its outputs."""
        return self.collect(self.kc.execute(code))

    def collect(self, msg_id):
        outputs = []
        while True:
            msg = self.kc.get_iopub_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            if msg["msg_type"] == "status":
                if msg["content"]["execution_state"] == "idle":
                    break
            elif msg["msg_type"] != "execute_input":
                outputs.append(msg)
        while True:
            reply = self.kc.get_shell_msg(timeout=TIMEOUT)
            if reply["parent_header"].get("msg_id") == msg_id:
                return reply["content"], outputs

    def wait_for_text(self, text):
        while True:
            msg = self.kc.get_iopub_msg(timeout=TIMEOUT)
            if msg["msg_type"] == "stream" and text in msg["content"]["text"]:
                return

    def value(self, code):
        reply, outputs = self.run_cell(code)
        self.assertEqual(reply["status"], "ok", reply)
        return [o["content"]["data"]["text/plain"] for o in outputs if o["msg_type"] == "execute_result"]

    def check_interrupt(self, interrupt):
        self.value("count, keep := 0, 41")
        running = self.kc.execute('fmt.Println("running")\nfor {\n\tcount++\n}')
        queued = self.kc.execute('fmt.Println("queued")')
        self.wait_for_text("running")
        start = time.monotonic()
        interrupt()
        reply, outputs = self.collect(running)
        self.assertLess(time.monotonic() - start, 2)
        self.assertEqual(reply["status"], "error")
        self.assertEqual([o["msg_type"] for o in outputs], ["error"], outputs)
        reply, outputs = self.collect(queued)
        self.assertEqual((reply["status"], outputs), ("aborted", []))
        self.assertEqual(self.value("keep + 1"), ["42"])
        self.assertEqual(self.value("count > 0"), ["true"])

    def test_interrupt_by_message(self):
        self.assertEqual(self.km.kernel_spec.interrupt_mode, "message")
        self.check_interrupt(self.km.interrupt_kernel)

    @unittest.skipIf(sys.platform == "win32", "no SIGINT on Windows")
    def test_interrupt_by_signal(self):
        self.check_interrupt(lambda: os.kill(self.km.provisioner.pid, signal.SIGINT))

    def test_interrupt_of_a_sleep(self):
        running = self.kc.execute('import "time"\n\nfmt.Println("running")\ntime.Sleep(time.Hour)')
        self.wait_for_text("running")
        start = time.monotonic()
        self.km.interrupt_kernel()
        reply, _ = self.collect(running)
        self.assertLess(time.monotonic() - start, 5)  # compiled code is given 2 s to return, and then left behind
        self.assertEqual(reply["status"], "error")

    def test_interrupt_of_a_flood(self):
        """A cell that prints for ever, to a client that does not read meanwhile."""
        running = self.kc.execute('for {\n\tfmt.Println("a line of text, again and again")\n}')
        self.wait_for_text("again")
        time.sleep(1)
        self.km.interrupt_kernel()
        reply, _ = self.collect(running)
        self.assertEqual(reply["status"], "error")
        self.assertEqual(self.value("40 + 2"), ["42"])

    def test_interrupt_when_idle(self):
        self.km.interrupt_kernel()  # does not wait for the reply; the cell after it is not to be what is interrupted
        while True:
            msg = self.kc.get_iopub_msg(timeout=TIMEOUT)
            if (msg["parent_header"].get("msg_type"), msg["content"]) == ("interrupt_request", {"execution_state": "idle"}):
                break
        self.assertEqual(self.value("40 + 2"), ["42"])

    def test_restart(self):
        self.value("x := 1")
        session = self.kc.session.session
        for _ in range(3):
            self.km.restart_kernel(now=False)
            self.kc.wait_for_ready(timeout=TIMEOUT)
            reply, outputs = self.run_cell("x")
            self.assertEqual((reply["status"], reply["execution_count"]), ("error", 1), outputs)
            self.value("x := 1")
        self.assertEqual(session, self.kc.session.session)

    def check_shutdown(self):
        pid = self.km.provisioner.process
        start = time.monotonic()
        self.km.shutdown_kernel(now=False)
        took = time.monotonic() - start
        self.assertLess(took, 2.5)
        self.assertIsNotNone(pid.returncode if pid.returncode is not None else pid.poll())
        self.assertEqual(pid.poll(), 0)

    def test_shutdown(self):
        self.check_shutdown()

    def test_shutdown_while_a_cell_runs(self):
        self.kc.execute('fmt.Println("running")\nfor {\n}')
        self.wait_for_text("running")
        self.check_shutdown()

    @unittest.skipIf(sys.platform == "win32", "no process groups on Windows")
    def test_children_end_with_the_kernel(self):
        pid = self.value('import "os/exec"\n\nchild := exec.Command("sleep", "3600")\n_ = child.Start()\nchild.Process.Pid')
        child = psutil.Process(int(pid[0]))
        self.km.shutdown_kernel(now=False)
        deadline = time.monotonic() + TIMEOUT
        while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:  # whether it is reaped is not up to us
            self.assertLess(time.monotonic(), deadline, "the child lives on")
            time.sleep(0.01)

    def test_stdin_is_refused(self):
        code = "var n int\ncnt, err := fmt.Scan(&n)\nif cnt != 0 || err == nil {\n\tpanic(cnt)\n}"
        reply, _ = self.collect(self.kc.execute(code, allow_stdin=False))
        self.assertEqual(reply["status"], "ok", reply)

    def test_heartbeat(self):
        self.kc.execute('fmt.Println("running")\nfor {\n}')
        self.wait_for_text("running")
        for _ in range(10):
            time.sleep(0.1)
            self.assertTrue(self.kc.is_alive())
        self.km.interrupt_kernel()

    def test_all_lines_before_idle(self):
        _, outputs = self.run_cell('for i := range 1000 {\n\tfmt.Println("line", i)\n}')
        text = "".join(o["content"]["text"] for o in outputs)
        self.assertEqual(text, "".join(f"line {i}\n" for i in range(1000)))
        self.assertLess(len(outputs), 100)


class Console(unittest.TestCase):
    def test_console(self):
        console = [sys.executable, "-m", "jupyter_console", "--kernel", KERNEL, "--simple-prompt"]
        cells = "x := 20\nx*2 + 2\nfor i := range 2 {\nfmt.Println(\"turn\", i)\n}\n\nexit\n"
        done = subprocess.run(console, input=cells, capture_output=True, text=True, timeout=2 * TIMEOUT)
        self.assertIn("42", done.stdout, done.stderr)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
