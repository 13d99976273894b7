"""The registration handshake (JEP 66) with libzmq on the launcher's side, twice: a restart uses the same file again."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
import tempfile

import zmq
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.kernelspec import KernelSpecManager

KEY = b"a secret"
TIMEOUT = 30
CHANNELS = ["control", "hb", "iopub", "shell", "stdin"]


def sign(*parts):
    mac = hmac.new(KEY, digestmod=hashlib.sha256)
    for part in parts:
        mac.update(part)
    return mac.hexdigest().encode()


def register(registration):
    """Takes a kernel's ports and acknowledges them."""
    if not registration.poll(TIMEOUT * 1000):
        sys.exit("the kernel does not register")
    identity, delimiter, signature, content = registration.recv_multipart()
    assert delimiter == b"<IDS|MSG>" and hmac.compare_digest(signature, sign(content)), (delimiter, signature, content)
    registration.send_multipart([identity, b"<IDS|MSG>", sign(b"ACK"), b"ACK"])
    return json.loads(content)


def main():
    argv = KernelSpecManager().get_kernel_spec("orthant").argv
    registration = zmq.Context.instance().socket(zmq.ROUTER)
    registration.linger = 0
    port = registration.bind_to_random_port("tcp://127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "kernel.json")
        with open(file, "w") as f:
            json.dump(
                {
                    "kernel_id": "k1",
                    "transport": "tcp",
                    "registration_ip": "127.0.0.1",
                    "registration_port": port,
                    "signature_scheme": "hmac-sha256",
                    "key": KEY.decode(),
                },
                f,
            )
        for _ in range(2):
            kernel = subprocess.Popen([arg.replace("{connection_file}", file) for arg in argv], stdin=subprocess.PIPE)
            try:
                ports = register(registration)
                assert ports.pop("kernel_id") == "k1" and sorted(ports) == [c + "_port" for c in CHANNELS], ports
                kc = BlockingKernelClient()
                kc.load_connection_info(
                    {name: int(p) for name, p in ports.items()} | {"ip": "127.0.0.1", "transport": "tcp", "key": KEY}
                )
                kc.start_channels()
                kc.wait_for_ready(timeout=TIMEOUT)
                # Other clients find the same ports in the file.
                with open(file) as f:
                    completed = json.load(f)
                assert all(completed[name] == int(p) for name, p in ports.items()), (completed, ports)
                reply = kc.execute_interactive("40 + 2", timeout=TIMEOUT)
                assert reply["content"]["status"] == "ok", reply
                kc.shutdown()
                assert kernel.wait(timeout=TIMEOUT) == 0
                kc.stop_channels()
            finally:
                kernel.kill()
                kernel.wait()


main()
