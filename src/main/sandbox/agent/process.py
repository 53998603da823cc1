"""One process of the sandbox: its descriptors, who follows it, what is still to be written to it."""

import os
import select
from collections import deque
from collections.abc import Callable

import errors
import frames
import requests
from errors import AgentError
from loop import READ, WRITE, Loop
from spawn import Spawned
from stream import Stream
from users import User

MAX_INPUT = 4 * 1024 * 1024
MAX_FOLLOWERS = 64
_PTY_CHUNK = 16 * 1024


class Process:
    def __init__(self, loop: Loop, number: int, spawned: Spawned, request: requests.ProcessStart, user: User, ended: Callable):
        self.number = number
        self.pid = spawned.pid
        self.tag = request.tag
        self.terminal = request.pty is not None
        self.stdout = spawned.stdout
        self.status = None
        self.ended = False
        self._loop = loop
        self._request = request
        self._user = user
        self._on_end = ended
        self._stdin = spawned.stdout if self.terminal else spawned.stdin
        self._outputs = {spawned.stdout: frames.PTY if self.terminal else frames.STDOUT}
        if spawned.stderr is not None:
            self._outputs[spawned.stderr] = frames.STDERR
        self._followers = []
        self._inputs = deque()
        self._input_bytes = 0
        self._closing = False
        self._draining = False
        self._armed = {}
        self.rearm()

    def facts(self) -> dict:
        request = self._request
        facts = {"pid": self.pid, "cmd": request.cmd, "args": list(request.args), "env": request.env or {}}
        facts.update(user=self._user.name, terminal=self.terminal)
        if request.cwd is not None:
            facts["cwd"] = request.cwd
        if self.tag is not None:
            facts["tag"] = self.tag
        return facts

    def result(self) -> dict:
        if os.WIFSIGNALED(self.status):
            return {"signal": os.WTERMSIG(self.status)}
        return {"exitCode": os.WEXITSTATUS(self.status)}

    # Output

    def attach(self, stream: Stream) -> None:
        if len(self._followers) >= MAX_FOLLOWERS:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "process %d has %d followers" % (self.pid, MAX_FOLLOWERS))
        self._followers.append(stream)
        self.rearm()

    def detach(self, stream: Stream) -> None:
        if stream in self._followers:
            self._followers.remove(stream)
            self.rearm()

    def rearm(self) -> None:
        """Reads only while every follower has room: the slowest sets the pace. Without followers output is dropped."""
        reading = self._allowance() > 0
        for fd in self._outputs:
            self._arm(fd, READ if reading else 0)
        if reading and self.terminal and self.status is not None and not self._draining:
            self._drain_terminal()

    def followed(self) -> bool:
        return bool(self._followers)

    def stalled(self, now: float, limit: float) -> list[Stream]:
        """The followers that hold up waiting output and returned no credit for so long."""
        waits, late = self._output_waits(), []
        for stream in self._followers:
            if stream.credit > 0 or not waits:
                stream.stalled_at = None
            elif stream.stalled_at is None:
                stream.stalled_at = now
            elif now - stream.stalled_at >= limit:
                late.append(stream)
        return late

    def exited(self, status: int) -> None:
        self.status = status
        self.rearm()
        self._maybe_end()

    def _allowance(self) -> int:
        return min((s.allowance() for s in self._followers), default=frames.MAX_BODY)

    def _output_waits(self) -> bool:
        """Whether there is output that nobody has room for. The end of an output needs no room, so it is taken here."""
        if self._allowance() > 0:
            return False
        poll, waits = select.poll(), False
        for fd in self._outputs:
            poll.register(fd, select.POLLIN)
        for fd, events in poll.poll(0):
            if events & select.POLLIN:
                waits = True
            else:
                self._close_output(fd)
        self._maybe_end()
        return waits

    def _arm(self, fd: int, events: int) -> None:
        if fd == self._stdin and self._inputs:
            events |= WRITE
        if self._armed.get(fd, 0) != events:
            self._armed[fd] = events
            self._loop.watch(fd, events, lambda happened: self._ready(fd, happened))

    def _ready(self, fd: int, events: int) -> None:
        if fd in self._outputs and events & ~WRITE:
            self._read(fd)
        if fd == self._stdin and events & ~READ:
            self._write_inputs()

    def _read(self, fd: int) -> bool:
        """One chunk; answers whether there may be more."""
        limit = min(self._allowance(), _PTY_CHUNK if self.terminal else frames.MAX_BODY)
        if limit == 0:
            self.rearm()
            return False
        try:
            data = os.read(fd, limit)
        except BlockingIOError:
            return False
        except OSError:
            data = b""  # a terminal whose other side is closed
        if not data:
            self._close_output(fd)
            self._maybe_end()
            return False
        for stream in self._followers:
            stream.push(self._outputs[fd], data)
        self.rearm()
        return True

    def _drain_terminal(self) -> None:
        """A terminal ends with its session's leader: what it wrote is still read, what others hold open is not waited for."""
        self._draining = True
        while self.stdout in self._outputs and self._allowance() > 0:
            if not self._read(self.stdout):
                self._close_output(self.stdout)
        self._draining = False
        self._maybe_end()

    def _close_output(self, fd: int) -> None:
        if fd not in self._outputs:
            return
        self._arm_nothing(fd)
        if fd == self._stdin:
            self._stdin = None
        del self._outputs[fd]
        os.close(fd)

    def _maybe_end(self) -> None:
        if self.status is None or self.ended:
            return
        if self._outputs:
            return
        self.ended = True
        self._close_stdin()
        self._on_end(self)
        followers, self._followers = self._followers, []
        for stream in followers:
            stream.end(self.result())

    # Input

    def check_input(self, pty: bool) -> None:
        if self.status is not None:
            raise AgentError(errors.NOT_FOUND, "process with pid %d not found" % self.pid)
        if self._stdin is None or self._closing:
            raise AgentError(errors.FAILED_PRECONDITION, "stdin of process %d is not open" % self.pid)
        if pty != self.terminal:
            raise AgentError(errors.FAILED_PRECONDITION, "process %d has %s terminal" % (self.pid, "a" if self.terminal else "no"))

    def write(self, stream: Stream, body: bytes, last: bool) -> None:
        self.check_input(self.terminal)
        if self._input_bytes + len(body) > MAX_INPUT:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "too much input waits for process %d" % self.pid)
        self._inputs.append([stream, memoryview(body), last])
        self._input_bytes += len(body)
        self._write_inputs()

    def forget_input(self, stream: Stream) -> None:
        self._inputs = deque(i for i in self._inputs if i[0] is not stream)
        self._input_bytes = sum(len(i[1]) for i in self._inputs)
        self._rearm_stdin()

    def close_stdin_when_written(self) -> None:
        self._closing = True
        self._write_inputs()

    def _write_inputs(self) -> None:
        while self._inputs and self._stdin is not None:
            stream, body, last = self._inputs[0]
            try:
                written = os.write(self._stdin, body) if body else 0
            except BlockingIOError:
                break
            except OSError:
                self._close_stdin()
                return
            self._input_bytes -= written
            self._inputs[0][1] = body[written:]
            stream.grant(written)
            if written == len(body):
                self._inputs.popleft()
                if last:
                    stream.end({})
        if self._closing and not self._inputs:
            self._close_stdin()
        self._rearm_stdin()

    def _rearm_stdin(self) -> None:
        if self._stdin is not None:
            reading = self._stdin in self._outputs and self._allowance() > 0
            self._arm(self._stdin, READ if reading else 0)

    def _close_stdin(self) -> None:
        fd, self._stdin = self._stdin, None
        waiting, self._inputs = self._inputs, deque()
        self._input_bytes = 0
        if fd is not None and fd not in self._outputs:
            self._arm_nothing(fd)
            os.close(fd)
        for stream in {i[0].number: i[0] for i in waiting}.values():
            stream.fail(AgentError(errors.FAILED_PRECONDITION, "stdin of process %d was closed" % self.pid))

    def _arm_nothing(self, fd: int) -> None:
        self._armed.pop(fd, None)
        self._loop.watch(fd, 0, self._ready)
