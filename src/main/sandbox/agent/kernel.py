"""The process of a context: a socket for what is asked and answered, and its two outputs.

On the socket both sides send frames: a letter, four bytes of length (big-endian), and so many bytes. The program behind it runs
code of strangers, so whatever it says is bounded and believed to be nothing but text; what is no frame ends it.
"""

import _socket
import os
import signal
from collections import deque
from collections.abc import Callable

import errors
import frames
import spawn
from errors import AgentError
from loop import READ, WRITE, Loop
from processes import Processes

MAX_FRAME = 8 * 1024 * 1024
MAX_LAST_WORDS = 1024 * 1024
MAX_START_WORDS = 2000
_HEADER = 5
_CHUNK = 32 * 1024

# From the kernel.
READY = b"r"
STDOUT = b"o"
STDERR = b"e"
EVENT = b"j"
DONE = b"d"
STATUS = b"s"
ANSWER = b"a"
_KNOWN = (READY, STDOUT, STDERR, EVENT, DONE, STATUS, ANSWER)

# To the kernel.
EXECUTE = b"x"
COMPLETE = b"c"
VARIABLES = b"v"
INTERRUPT = b"i"


class Listener:
    """What a kernel tells its context."""

    def ready(self) -> None: ...

    def output(self, sub: int, body: bytes) -> None: ...

    def said(self, kind: bytes, body: bytes) -> None: ...

    def ended(self, why: str) -> None: ...


class Kernel:
    def __init__(self, loop: Loop, processes: Processes, launch: spawn.Launch, listener: Listener):
        mine, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            number = theirs.fileno()
            spawned = spawn.on_pipes(_naming(launch, number), False, keep=(number,))
        except BaseException:
            mine.close()
            raise
        finally:
            theirs.close()
        mine.setblocking(False)
        self.pid = spawned.pid
        self.ready = False
        self._loop = loop
        self._listener = listener
        self._socket = mine
        self._control = mine.fileno()
        self._pipes = {spawned.stdout: frames.STDOUT, spawned.stderr: frames.STDERR}
        self._received = bytearray()
        self._sending = deque()
        self._words = b""
        self._reading = True
        self._ending = False
        self._over = False
        processes.on_exit(self.pid, self._exited)
        self._arm()

    def send(self, kind: bytes, body: bytes) -> None:
        self._sending.append(memoryview(kind + len(body).to_bytes(4, "big") + body))
        self._write()

    def send_raw(self, body: bytes) -> None:
        """For a kernel that reads no frames."""
        self._sending.append(memoryview(body))
        self._write()

    def interrupt(self) -> None:
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        """Nothing more is heard of it."""
        self._signal(signal.SIGKILL)
        self._close()

    def read(self, allowed: bool) -> None:
        """Whether there is room for what it says; without, it waits in its writes."""
        if self._reading != allowed and not self._ending:
            self._reading = allowed
            self._arm()
            if allowed and self._received:
                # What has come already makes no descriptor ready.
                self._loop.from_thread(self._take)

    def drain(self) -> None:
        """What its outputs hold at this moment."""
        left = MAX_LAST_WORDS
        for fd in list(self._pipes):
            while left > 0 and (count := self._read_pipe(fd)):
                left -= count

    def _signal(self, number: int) -> None:
        if self._over:
            return
        try:
            os.killpg(self.pid, number)
        except OSError:
            pass  # it has just ended

    def _arm(self) -> None:
        if self._over:
            return
        wanted = READ if self._reading else 0
        self._loop.watch(self._control, wanted | (WRITE if self._sending else 0), self._happened)
        for fd in self._pipes:
            self._loop.watch(fd, wanted, lambda events, fd=fd: self._read_pipe(fd))

    def _happened(self, events: int) -> None:
        if events & WRITE:
            self._write()
        if events & ~WRITE and not self._over:
            self._read_control()

    def _write(self) -> None:
        while self._sending and not self._over:
            try:
                written = os.write(self._control, self._sending[0])
            except BlockingIOError:
                break
            except OSError:
                self._sending.clear()  # its end is told when it is reaped
                break
            if written == len(self._sending[0]):
                self._sending.popleft()
            else:
                self._sending[0] = self._sending[0][written:]
        self._arm()

    def _read_pipe(self, fd: int) -> int:
        try:
            body = os.read(fd, _CHUNK)
        except BlockingIOError:
            return 0
        if not body:
            self._loop.watch(fd, 0, self._happened)
            del self._pipes[fd]
            os.close(fd)
        elif self.ready:
            self._listener.output(self._pipes[fd], body)
        elif len(self._words) < MAX_START_WORDS:
            self._words += body
        return len(body)

    def _read_control(self) -> bool:
        try:
            body = os.read(self._control, 65536)
        except BlockingIOError:
            return False
        except OSError:
            body = b""
        if not body:
            # It has closed its end and may live on: nothing it does can be told any more.
            self._loop.watch(self._control, 0, self._happened)
            self._signal(signal.SIGKILL)
            return False
        self._received += body
        self._take()
        return True

    def _take(self) -> None:
        while self._reading and not self._over and self._next():
            pass

    def _next(self) -> bool:
        """One whole frame; answers whether there may be another."""
        if len(self._received) < _HEADER:
            return False
        kind, length = bytes(self._received[:1]), int.from_bytes(self._received[1:_HEADER], "big")
        if kind not in _KNOWN or length > MAX_FRAME:
            self._signal(signal.SIGKILL)
            self._received.clear()
            return False
        if len(self._received) < _HEADER + length:
            return False
        body = bytes(self._received[_HEADER : _HEADER + length])
        del self._received[: _HEADER + length]
        self._tell(kind, body)
        return True

    def _tell(self, kind: bytes, body: bytes) -> None:
        if kind == READY:
            self.drain()
            self.ready = True
            self._words = b""
            self._listener.ready()
        elif kind == STDOUT or kind == STDERR:
            self._listener.output(frames.STDOUT if kind == STDOUT else frames.STDERR, body)
        else:
            # What was written to the outputs before this was said comes before it.
            self.drain()
            self._listener.said(kind, body)

    def _exited(self, status: int) -> None:
        if self._over:
            return
        # Whoever reads slowly hears its last words all the same.
        self._reading = self._ending = True
        while self._read_control():
            pass
        if not self._over:
            self.drain()
            self._close()
            self._listener.ended(self._why(status))

    def _why(self, status: int) -> str:
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            why = "signal %d (%s)" % (number, signal.Signals(number).name if number in iter(signal.Signals) else "unknown")
        else:
            why = "exit code %d" % os.WEXITSTATUS(status)
        words = self._words.decode("utf-8", "replace").strip()
        return why if self.ready or not words else "%s: %s" % (why, words[-500:])

    def _close(self) -> None:
        self._over = True
        self._loop.watch(self._control, 0, self._happened)
        for fd in self._pipes:
            self._loop.watch(fd, 0, self._happened)
            os.close(fd)
        self._pipes.clear()
        self._sending.clear()
        self._socket.close()


def _naming(launch: spawn.Launch, number: int) -> spawn.Launch:
    """The last argument tells the program which of its descriptors the socket is."""
    if not os.path.isfile(launch.path):
        raise AgentError(errors.UNIMPLEMENTED, "there is no %s in this sandbox" % launch.path)
    argv = [a.replace("{socket}", str(number)) for a in launch.argv]
    return spawn.Launch(launch.path, argv, launch.env, launch.cwd, launch.user)
