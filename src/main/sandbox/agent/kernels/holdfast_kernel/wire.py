"""Frames to and from the agent: a letter, four bytes of length, and so many bytes.

An interrupt may come at any moment of the main thread. It must not tear a frame, so while one is written it is only noted.
"""

import io
import json
import os
import signal
import socket
import sys
import threading

MAX_FRAME = 8 * 1024 * 1024
MAX_TEXT = 32 * 1024


class Wire:
    def __init__(self, number: int):
        os.set_inheritable(number, False)
        self._socket = socket.socket(fileno=number)
        self._socket.setblocking(True)
        self._lock = threading.RLock()
        self._writing = False
        self._interrupted = False
        self._running = False
        signal.signal(signal.SIGINT, self._interrupt)
        os.register_at_fork(after_in_child=self._leave)

    def receive(self) -> tuple[bytes, dict]:
        head = self._exactly(5)
        return head[:1], json.loads(self._exactly(int.from_bytes(head[1:], "big")))

    def send(self, kind: bytes, body: bytes = b"") -> None:
        if self._socket is None:
            return
        with self._lock:
            main = threading.current_thread() is threading.main_thread()
            if main:
                self._writing = True
            try:
                self._socket.sendall(kind + len(body).to_bytes(4, "big") + body)
            except OSError:
                os._exit(1)  # nobody listens any more
            finally:
                if main:
                    self._writing = False
        if main and self._interrupted and self._running:
            self._interrupted = False
            raise KeyboardInterrupt

    def event(self, value: dict) -> None:
        self.send(b"j", json.dumps(value).encode())

    def running(self, code_runs: bool) -> None:
        """Only code is interrupted, and every execution begins with a handler of ours."""
        self._interrupted = False
        self._running = code_runs
        if code_runs:
            signal.signal(signal.SIGINT, self._interrupt)

    def is_running(self) -> bool:
        return self._running

    def _interrupt(self, number, frame) -> None:
        if self._writing:
            self._interrupted = True
        elif self._running:
            raise KeyboardInterrupt

    def _exactly(self, count: int) -> bytes:
        pieces = []
        while count:
            piece = self._socket.recv(min(count, 1 << 20))
            if not piece:
                os._exit(0)
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def _leave(self) -> None:
        """A child of the interpreter says what it has to say on the outputs, as any process."""
        if self._socket is None:
            return
        os.close(self._socket.detach())
        self._socket = None
        sys.stdout = open(1, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)
        sys.stderr = open(2, "w", encoding="utf-8", errors="replace", buffering=1, closefd=False)
        signal.signal(signal.SIGINT, signal.default_int_handler)


class Output(io.TextIOBase):
    """Where Python's own output goes: in one order with results, and by lines or when it is asked to."""

    def __init__(self, wire: Wire, kind: bytes, fd: int):
        self._wire = wire
        self._kind = kind
        self._fd = fd
        self._kept = []
        self._size = 0
        self.buffer = Bytes(self)

    encoding = "utf-8"
    errors = "replace"

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        self._kept.append(text)
        self._size += len(text)
        if "\n" in text or "\r" in text or self._size >= MAX_TEXT:
            self.flush()
        return len(text)

    def flush(self) -> None:
        kept, self._kept, self._size = self._kept, [], 0
        body = "".join(kept).encode("utf-8", "replace")
        for at in range(0, len(body), MAX_TEXT):
            self._wire.send(self._kind, body[at : at + MAX_TEXT])

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._fd

    def isatty(self) -> bool:
        return False


class Bytes(io.RawIOBase):
    def __init__(self, output: Output):
        self._output = output

    def write(self, body) -> int:
        self._output.flush()
        self._output.write(bytes(body).decode("utf-8", "replace"))
        return len(body)

    def flush(self) -> None:
        self._output.flush()

    def writable(self) -> bool:
        return True
