"""Prints the usage_reply of a kernel, asked for twice on control, as JSON: usage.py KERNEL."""

import json
import sys

from jupyter_client.manager import KernelManager

km = KernelManager(kernel_name=sys.argv[1])
km.start_kernel()
kc = km.client()
kc.start_channels()
try:
    kc.wait_for_ready(timeout=60)
    for _ in range(2):
        request = kc.session.msg("usage_request", {})
        kc.control_channel.send(request)
        while True:
            reply = kc.get_control_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == request["header"]["msg_id"]:
                break
    print(json.dumps(reply["content"]))
finally:
    kc.stop_channels()
    km.shutdown_kernel(now=True)
