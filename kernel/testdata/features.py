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

    def answering(self, code, *values, **options):
        """Runs a cell and answers its questions; returns their contents, the reply and what was published."""
        msg_id = self.kc.execute(code, allow_stdin=True, **options)
        asked = []
        for value in values:
            question = self.kc.get_stdin_msg(timeout=TIMEOUT)
            # Not validate_message: the package wants a number for password, where the specification has a boolean.
            self.assertEqual((question["msg_type"], question["parent_header"]["msg_id"]), ("input_request", msg_id))
            asked.append(question["content"])
            self.kc.input(value)
        return asked, *self.collect(msg_id)

    def test_input(self):
        asked, reply, published = self.answering('in, _ := display.Input("name? ")\nfmt.Println(in)', "Ada")
        self.assertEqual(asked, [{"prompt": "name? ", "password": False}])
        self.assertEqual((reply["status"], published[0]["content"]["text"]), ("ok", "Ada\n"))

    def test_password(self):
        asked, _, published = self.answering('secret, _ := display.Password("code? ")\nlen(secret)', "1234")
        self.assertEqual(asked, [{"prompt": "code? ", "password": True}])
        self.assertEqual(published[0]["content"]["data"]["text/plain"], "4")

    def test_scan(self):
        asked, reply, published = self.answering("var a, b int\nfmt.Scan(&a, &b)\na + b", "40", "2")
        self.assertEqual(published[-1]["content"]["data"]["text/plain"], "42", reply)

    def test_input_refused(self):
        reply, published = self.run_cell('_, err := display.Input("? ")\nerr != nil', allow_stdin=False)
        self.assertEqual(published[-1]["content"]["data"]["text/plain"], "true", reply)

    def test_set_next_input(self):
        reply, _ = self.run_cell('display.SetNextInput("6 * 7")')
        self.assertEqual(reply["payload"], [{"source": "set_next_input", "text": "6 * 7", "replace": False}])

    def test_comm_info(self):
        reply, _ = self.collect(self.kc.comm_info())
        self.assertEqual(reply, {"status": "ok", "comms": {}})


if __name__ == "__main__":
    unittest.main()
