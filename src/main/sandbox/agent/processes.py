"""The processes that the agent started, their attached streams, and the reaping of everything else."""

import os
import time
from collections import deque
from collections.abc import Callable

import errors
import requests
import spawn
import users
from errors import AgentError
from loop import Loop
from process import Process
from stream import Call, Stream
from users import User

MAX_PROCESSES = 1024
MAX_FINISHED = 256
KEPT = 30.0
STALLED = 30.0
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Attached(Call):
    """A stream that follows a process. When it goes, the process stays."""

    def __init__(self, process: Process, stream: Stream):
        self._process = process
        self._stream = stream

    def room(self) -> None:
        self._process.rearm()

    def closed(self) -> None:
        self._process.detach(self._stream)


class Input(Call):
    """A stream whose data is written to a process."""

    def __init__(self, process: Process, stream: Stream):
        self._process = process
        self._stream = stream

    def data(self, body: bytes, last: bool) -> None:
        self._process.write(self._stream, body, last)

    def closed(self) -> None:
        self._process.forget_input(self._stream)


class Processes:
    def __init__(self, loop: Loop, environment: "Environment"):
        self._loop = loop
        self._environment = environment
        self._own = {}
        self._running = {}
        self._finished = deque()
        self._by_pid = {}
        self._started = 0
        loop.on_children(self.reap)

    def start(self, stream: Stream, request: requests.ProcessStart) -> None:
        if len(self._running) >= MAX_PROCESSES:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "%d processes are running" % MAX_PROCESSES)
        user = users.find(request.user)
        cwd = users.resolve(user, request.cwd or "")
        if not os.path.isdir(cwd):
            raise AgentError(errors.INVALID_ARGUMENT, "cwd '%s' does not exist" % (request.cwd or cwd))
        env = self._environment.of(user, request.env or {})
        path = spawn.find_command(request.cmd, cwd, env.get("PATH", PATH))
        launch = spawn.Launch(path, [request.cmd, *request.args], env, cwd, user)
        terminal = request.terminal()
        if terminal is None:
            spawned = spawn.on_pipes(launch, request.stdin)
        else:
            spawned = spawn.on_terminal(launch, terminal.cols, terminal.rows)
        self._started += 1
        process = Process(self._loop, self._started, spawned, request, user, self._ended)
        self._running[spawned.pid] = process
        self._by_pid[spawned.pid] = process
        self._follow(process, stream)

    def attach(self, stream: Stream, request: requests.ProcessChoice) -> None:
        process = self._find(request, list(self._running.values()) + [p for _, p in self._finished])
        self._follow(process, stream)

    def facts(self) -> list[dict]:
        return [p.facts() for p in self._running.values() if p.status is None]

    def input(self, stream: Stream, request: requests.ProcessInput) -> None:
        process = self._alive(request)
        process.check_input(request.pty)
        stream.call = Input(process, stream)

    def close_stdin(self, request: requests.ProcessChoice) -> dict:
        process = self._alive(request)
        process.check_input(False)
        process.close_stdin_when_written()
        return {}

    def signal(self, request: requests.ProcessSignal) -> dict:
        process = self._alive(request)
        try:
            if request.group:
                os.killpg(process.pid, request.signal)
            else:
                os.kill(process.pid, request.signal)
        except ProcessLookupError:
            raise _unknown(request) from None
        return {}

    def resize(self, request: requests.ProcessResize) -> dict:
        process = self._alive(request)
        if not process.terminal:
            raise AgentError(errors.FAILED_PRECONDITION, "process %d has no terminal" % process.pid)
        spawn.resize(process.stdout, request.cols, request.rows)
        spawn.announce_size(process.pid)
        return {}

    def reap(self) -> None:
        """Whatever ended, ours or an orphan that became ours."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            process = self._by_pid.pop(pid, None)
            if process is not None:
                process.exited(status)
            elif pid in self._own:
                self._own.pop(pid)(status)

    def on_exit(self, pid: int, call: Callable[[int], None]) -> None:
        """Tells the end, with its status, of a process that the agent started for itself and that no caller sees."""
        self._own[pid] = call

    def forget(self) -> None:
        """No process of before is known any more, as after a boot."""
        self._finished.clear()

    def running(self) -> int:
        return len(self._running)

    def _follow(self, process: Process, stream: Stream) -> None:
        stream.accept({"pid": process.pid})
        if process.ended:
            stream.end(process.result())
            return
        stream.call = Attached(process, stream)
        self._loop.tick()
        process.attach(stream)

    def _alive(self, choice: requests.ProcessChoice) -> Process:
        return self._find(choice, [p for p in self._running.values() if p.status is None])

    def _find(self, choice: requests.ProcessChoice, among: list[Process]) -> Process:
        """The youngest of that name: the number of an ended one can be used again."""
        for process in sorted(among, key=_age, reverse=True):
            if choice.pid == process.pid or (choice.tag is not None and choice.tag == process.tag):
                return process
        raise _unknown(choice)

    def _ended(self, process: Process) -> None:
        if self._running.get(process.pid) is process:
            del self._running[process.pid]
        self._finished.append((time.monotonic() + KEPT, process))
        if len(self._finished) > MAX_FINISHED:
            self._finished.popleft()
        self._loop.tick()

    def tick(self, now: float) -> bool:
        """Lets go of what ended long ago and of followers that hold others up; answers whether to come again."""
        while self._finished and self._finished[0][0] <= now:
            self._finished.popleft()
        watching = False
        for process in list(self._running.values()):
            watching = watching or process.followed()
            for stream in process.stalled(now, STALLED):
                process.detach(stream)
                stream.fail(AgentError(errors.RESOURCE_EXHAUSTED, "the output was not read for %d seconds" % STALLED))
        return watching or bool(self._finished)


class Environment:
    """What every new process of a user gets, below what its own request says."""

    def __init__(self):
        self._sandbox = {}

    def replace(self, env: dict) -> None:
        self._sandbox = dict(env)

    def sandbox(self) -> dict:
        return self._sandbox

    def of(self, user: User, request: dict) -> dict:
        env = {"PATH": PATH, "HOME": user.home, "USER": user.name, "LOGNAME": user.name, "SHELL": user.shell}
        env.update(self._sandbox)
        env.update(request)
        return env


def _age(process: Process) -> int:
    return process.number


def _unknown(choice: requests.ProcessChoice) -> AgentError:
    what = "pid %d" % choice.pid if choice.pid is not None else "tag '%s'" % choice.tag
    return AgentError(errors.NOT_FOUND, "process with %s not found" % what)
