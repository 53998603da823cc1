"""Lets processes of the ordinary user become root, where the sandbox kernel ignores set-user-ID bits.

The agent listens in the place of the broker (/usr/lib/holdfast/sudo/broker.py) and starts it at the first call of `sudo`, so that
a sandbox in which nobody calls it carries no second interpreter in its memory and in its snapshots.
"""

import _socket
import os

import spawn
import users
from loop import READ, Loop
from processes import PATH, Processes

ADDRESS = b"\0holdfast-sudo"
BROKER = "/usr/lib/holdfast/sudo/broker.py"
WAITING = 64


class Sudo:
    def __init__(self, loop: Loop, processes: Processes):
        self._loop = loop
        self._processes = processes
        self._listener = None

    def listen(self) -> None:
        """Does nothing in a template that has no broker."""
        if not os.path.exists(BROKER):
            return
        self._listener = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        self._listener.bind(ADDRESS)
        self._listener.listen(WAITING)
        self._await_caller()

    def _await_caller(self) -> None:
        self._loop.watch(self._listener.fileno(), READ, self._start)

    def _start(self, events: int) -> None:
        self._loop.watch(self._listener.fileno(), 0, self._start)
        root = users.find("root")
        environment = {"PATH": PATH, "HOME": root.home, "USER": root.name, "LOGNAME": root.name}
        argv = ["/usr/bin/python3", "-I", "-S", "-B", BROKER]
        pid = spawn.with_input(spawn.Launch(argv[0], argv, environment, "/", root), self._listener.fileno())
        self._processes.on_exit(pid, lambda status: self._await_caller())
