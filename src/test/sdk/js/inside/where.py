"""Says this sandbox's own address and its gateway, as JSON, from what the kernel says."""

import json
import socket
import struct

probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
probe.connect(("198.51.100.53", 53))
gateway = None
with open("/proc/net/route") as routes:
    for route in routes.readlines()[1:]:
        fields = route.split()
        if fields[1] == "00000000" and fields[2] != "00000000":
            gateway = socket.inet_ntoa(struct.pack("<L", int(fields[2], 16)))
print(json.dumps({"own": probe.getsockname()[0], "gateway": gateway}))
