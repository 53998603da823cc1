"""Says what can be resolved and reached from here: one JSON line for each line of words asked."""

import json
import socket
import subprocess
import sys

held = {}


def resolve(name):
    found = subprocess.run(["getent", "ahostsv4", name], capture_output=True, text=True, timeout=8, check=False)
    return found.stdout.split()[0] if found.stdout else None


def dial(host, port):
    return socket.create_connection((host, int(port)), timeout=2)


def reach(host, port):
    try:
        dial(host, port).close()
        return True
    except OSError:
        return False


def hold(host, port):
    held[host] = dial(host, port)
    return True


def echo(host):
    try:
        held[host].settimeout(2)
        held[host].sendall(b"x")
        return held[host].recv(1) == b"x"
    except OSError:
        return False


for line in sys.stdin:
    verb, *words = line.split()
    print(json.dumps({"resolve": resolve, "reach": reach, "hold": hold, "echo": echo}[verb](*words)), flush=True)
