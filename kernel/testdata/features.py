"""What jupyter_kernel_test does not test and jupyter_client can ask, every message held to the former's specification."""

import unittest

from jupyter_client.manager import start_new_kernel
from jupyter_kernel_test.msgspec_v5 import validate_message

TIMEOUT = 30


class Features(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.km, cls.kc = start_new_kernel(kernel_name="orthant")

    @classmethod
    def tearDownClass(cls):
        cls.kc.stop_channels()
        cls.km.shutdown_kernel()

    def run_cell(self, code, **options):
        return self.collect(self.kc.execute(code, **options))

    def collect(self, msg_id):
        """Returns a request's reply and what was published for it."""
        published = []
        while True:
            msg = self.kc.get_iopub_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            validate_message(msg, msg["msg_type"], msg_id)
            if msg["content"].get("execution_state") == "idle":
                break
            if msg["msg_type"] not in ("status", "execute_input"):
                published.append(msg)
        while True:
            reply = self.kc.get_shell_msg(timeout=TIMEOUT)
            if reply["parent_header"].get("msg_id") == msg_id:
                if reply["content"]["status"] != "aborted":  # which the package knows no shape of
                    validate_message(reply, reply["msg_type"], msg_id)
                return reply["content"], published

    def test_user_expressions(self):
        reply, _ = self.run_cell("answer := 41", user_expressions={"good": "answer + 1", "bad": "nobody"})
        values = reply["user_expressions"]
        self.assertEqual(values["good"], {"status": "ok", "data": {"text/plain": "42"}, "metadata": {}})
        self.assertEqual(values["bad"]["status"], "error")
        self.assertIn("nobody", values["bad"]["evalue"])
        self.assertEqual(set(values["bad"]), {"status", "ename", "evalue", "traceback"})

    def check_queue(self, want, **options):
        """Runs a cell that fails with others behind it."""
        waiting = 'import "time"\n\ntime.Sleep(500 * time.Millisecond)\npanic("on purpose")'
        failing = self.kc.execute(waiting, **options)
        queued = [self.kc.execute("1") for _ in range(3)]
        asked = self.kc.is_complete("for {")
        self.assertEqual(self.collect(failing)[0]["status"], "error")
        # In the order of the queue: what is read for one request is gone for those before it.
        for msg_id in queued:
            self.assertEqual(self.collect(msg_id)[0]["status"], want)
        self.assertEqual(self.collect(asked)[0]["status"], "incomplete")
        self.assertEqual(self.run_cell("1")[0]["status"], "ok")

    def test_stop_on_error(self):
        self.check_queue("aborted")

    def test_not_stop_on_error(self):
        self.check_queue("ok", stop_on_error=False)

    def test_counter(self):
        before = self.run_cell("", silent=True)[0]["execution_count"]
        self.assertEqual(self.run_cell("1", store_history=False)[0]["execution_count"], before)
        reply, published = self.run_cell("1")
        self.assertEqual((reply["execution_count"], published[0]["content"]["execution_count"]), (before + 1, before + 1))

    def test_silent(self):
        for code in ["1", "fmt.Println(1)", "display.Show(1)", 'panic("on purpose")']:
            self.assertEqual(self.run_cell(code, silent=True)[1], [], code)

    def test_comm_info(self):
        reply, _ = self.collect(self.kc.comm_info())
        self.assertEqual(reply, {"status": "ok", "comms": {}})


if __name__ == "__main__":
    unittest.main()
