"""Comms as a front end in Python uses them, through jupyter_client."""

import time
import unittest

from jupyter_client.manager import KernelManager

TIMEOUT = 30
KERNEL = "orthant"

SQUARE = """
import "orthant/stdlib/comm"

comm.Register("square", func(c *comm.Comm, m comm.Message) {
	fmt.Println("opened with", m, m.Metadata["version"])
	c.OnMessage(func(m comm.Message) {
		var in struct{ X float64 }
		if err := m.Decode(&in); err != nil {
			panic(err)
		}
		c.Send(map[string]float64{"y": in.X * in.X}, m.Buffers...)
	})
	c.OnClose(func(m comm.Message) { fmt.Println("closed with", m) })
})
"""


class Comms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.km = KernelManager(kernel_name=KERNEL)
        cls.km.start_kernel()
        cls.kc = cls.km.client()
        cls.kc.start_channels()
        cls.kc.wait_for_ready(timeout=TIMEOUT)
        cls.kc.execute(SQUARE, reply=True, timeout=TIMEOUT)

    @classmethod
    def tearDownClass(cls):
        cls.kc.stop_channels()
        cls.km.shutdown_kernel(now=True)

    def send(self, msg_type, content, metadata=None, buffers=None):
        """Sends a message on shell; returns what comes on IOPub with it as parent, but for busy and idle."""
        msg = self.kc.session.msg(msg_type, content, metadata=metadata)
        self.kc.session.send(self.kc.shell_channel.socket, msg, buffers=buffers)
        return self.collect(msg["header"]["msg_id"])

    def collect(self, msg_id):
        found = []
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            msg = self.kc.get_iopub_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            if msg["msg_type"] != "status":
                found.append(msg)
            elif msg["content"]["execution_state"] == "idle":
                return found
        self.fail("no idle")

    def open_comms(self, **content):
        reply = self.kc.comm_info(**content, reply=True, timeout=TIMEOUT)
        return reply["content"]["comms"]

    def test_front_end_opens(self):
        out = self.send(
            "comm_open", {"comm_id": "a", "target_name": "square", "data": {"é": 1}}, metadata={"version": "2.1.0"}
        )
        self.assertEqual([m["content"] for m in out], [{"name": "stdout", "text": 'opened with {"é": 1} 2.1.0\n'}])
        self.assertEqual(self.open_comms(), {"a": {"target_name": "square"}})
        self.assertEqual(self.open_comms(target_name="other"), {})
        large = bytes(range(256)) * 40960  # 10 MiB
        out = self.send("comm_msg", {"comm_id": "a", "data": {"x": 3}}, buffers=[large, b""])
        self.assertEqual([m["content"] for m in out], [{"comm_id": "a", "data": {"y": 9}}])
        self.assertEqual([bytes(b) for b in out[0]["buffers"]], [large, b""])
        out = self.send("comm_close", {"comm_id": "a", "data": {}})
        self.assertEqual([m["content"]["text"] for m in out], ["closed with {}\n"])
        self.assertEqual(self.open_comms(), {})

    def test_unknown_target(self):
        out = self.send("comm_open", {"comm_id": "b", "target_name": "nothing", "data": {}})
        self.assertEqual([(m["msg_type"], m["content"]["comm_id"]) for m in out], [("comm_close", "b")])
        self.assertEqual(self.send("comm_msg", {"comm_id": "b", "data": {}}), [])

    def test_cell_opens(self):
        out = self.collect(self.kc.execute('c, err := comm.Open("chart", map[string]int{"n": 1}, []byte("abc"))\n_ = err'))
        opened = [m for m in out if m["msg_type"] == "comm_open"]
        self.assertEqual(len(opened), 1, out)
        content = opened[0]["content"]
        self.assertEqual((content["target_name"], content["data"]), ("chart", {"n": 1}))
        self.assertEqual([bytes(b) for b in opened[0]["buffers"]], [b"abc"])
        self.assertEqual(self.open_comms(target_name="chart"), {content["comm_id"]: {"target_name": "chart"}})
        self.send("comm_close", {"comm_id": content["comm_id"], "data": {}})
        out = self.collect(self.kc.execute('c.Send("late")'))
        self.assertIn("the comm is closed by the front end", out[-1]["content"]["data"]["text/plain"])


if __name__ == "__main__":
    unittest.main()
