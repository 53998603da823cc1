"""Tries to connect to each HOST:PORT given and says, as JSON, how each attempt ended."""

import concurrent.futures
import errno
import json
import socket
import sys


def attempt(target):
    host, port = target.rsplit(":", 1)
    try:
        with socket.create_connection((host, int(port)), timeout=2.5):
            return "open"
    except socket.timeout:
        return "timeout"
    except OSError as failure:
        return errno.errorcode.get(failure.errno, str(failure))


def send(target):
    host, port = target.rsplit(":", 1)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.sendto(b"from inside", (host, int(port)))
        return "sent"
    except OSError as failure:
        return errno.errorcode.get(failure.errno, str(failure))


way = send if sys.argv[1] == "udp" else attempt
targets = sys.argv[2:]
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    print(json.dumps(dict(zip(targets, pool.map(way, targets)))))
