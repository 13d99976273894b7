"""Measures kernels with one client in one run, and prints the figures as JSON: {kernel: {figure: [value, ...]}}.

Arguments: the number of rounds, then the kernels' names. The kernels take turns, so that what the machine does meanwhile
falls on all of them.

ready     seconds from start_kernel to the first kernel_info_reply and the first message on IOPub, by plain reads of the
          channels: wait_for_ready would add its own pause of 0.2 s
trip      seconds from an execute request of 1+1 to its reply and its idle: the median of many
lines     seconds from an execute request that prints 100,000 lines to its idle
lost      of those lines, how many did not arrive
memory    bytes resident after them
"""

import json
import statistics
import sys
import time
from queue import Empty

import psutil
from jupyter_client.manager import KernelManager

TIMEOUT = 60
TRIPS = 200
LINES = 100_000

PRINT = {
    "go": 'for i := range %d {\n\tfmt.Println("line", i)\n}',
    "python": 'for i in range(%d):\n    print("line", i)',
}


def ready(km):
    """Starts the kernel; returns its client and how long it took to be ready."""
    start = time.perf_counter()
    km.start_kernel()
    kc = km.client()
    kc.start_channels(hb=False)
    kc.kernel_info()
    while kc.shell_channel.get_msg(timeout=TIMEOUT)["msg_type"] != "kernel_info_reply":
        pass
    while True:
        try:
            kc.iopub_channel.get_msg(timeout=0.02)
            return kc, time.perf_counter() - start
        except Empty:
            kc.kernel_info()  # the messages of the one before were published before the subscription was there


def settle(kc):
    """Waits until everything asked of the kernel so far is answered."""
    time.sleep(0.5)
    for channel in (kc.shell_channel, kc.iopub_channel):
        while channel.msg_ready():
            channel.get_msg(timeout=TIMEOUT)


def run(kc, code):
    """Runs a cell; returns what it printed when it is answered and idle."""
    msg_id = kc.execute(code)
    text = []
    while True:
        msg = kc.iopub_channel.get_msg(timeout=TIMEOUT)
        if msg["parent_header"].get("msg_id") != msg_id:
            continue
        if msg["msg_type"] == "stream":
            text.append(msg["content"]["text"])
        elif msg["msg_type"] == "error":
            sys.exit(f"{code}\n{msg['content']}")
        elif msg["msg_type"] == "status" and msg["content"]["execution_state"] == "idle":
            break
    while kc.shell_channel.get_msg(timeout=TIMEOUT)["parent_header"].get("msg_id") != msg_id:
        pass
    return "".join(text)


def timed(kc, code):
    start = time.perf_counter()
    text = run(kc, code)
    return time.perf_counter() - start, text


def measure(name):
    km = KernelManager(kernel_name=name)
    kc, seconds = ready(km)
    figures = {"ready": seconds}
    try:
        settle(kc)
        timed(kc, "1+1")
        figures["trip"] = statistics.median(timed(kc, "1+1")[0] for _ in range(TRIPS))
        figures["lines"], text = timed(kc, PRINT[km.kernel_spec.language] % LINES)
        got = text.splitlines()
        want = [f"line {i}" for i in range(LINES)]
        figures["lost"] = LINES - len(got) if got != want else 0
        if got != want and len(got) == LINES:
            sys.exit(f"{name}: lines are out of order")
        figures["memory"] = psutil.Process(km.provisioner.pid).memory_info().rss
    finally:
        kc.stop_channels()
        km.shutdown_kernel(now=True)
    return figures


rounds, names = int(sys.argv[1]), sys.argv[2:]
all_figures = {name: {} for name in names}
for _ in range(rounds):
    for name in names:
        for figure, value in measure(name).items():
            all_figures[name].setdefault(figure, []).append(value)
print(json.dumps(all_figures))
