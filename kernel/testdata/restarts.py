"""Restarts a kernel so often as asked, each time with a cell before and one behind it. Any failure ends the run."""

import sys
import time

from jupyter_client.manager import start_new_kernel

TIMEOUT = 30

km, kc = start_new_kernel(kernel_name="orthant", startup_timeout=TIMEOUT)
longest = 0
try:
    for n in range(int(sys.argv[1])):
        reply = kc.execute_interactive("x := 1\nx", timeout=TIMEOUT, output_hook=lambda msg: None)["content"]
        if reply["status"] != "ok":
            sys.exit(f"before restart {n}: {reply}")
        start = time.monotonic()
        km.restart_kernel(now=n % 4 == 3)  # mostly as people do it, at times without asking the kernel
        kc.wait_for_ready(timeout=TIMEOUT)
        longest = max(longest, time.monotonic() - start)
        reply = kc.execute_interactive("x", timeout=TIMEOUT, output_hook=lambda msg: None)["content"]
        if (reply["status"], reply["execution_count"]) != ("error", 1):
            sys.exit(f"restart {n}: a kernel that is not new: {reply}")
finally:
    kc.stop_channels()
    km.shutdown_kernel(now=True)
print(f"the longest restart took {longest:.2f} s")
