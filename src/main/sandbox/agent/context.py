"""One interpreter with what waits for it; its process comes when it is needed, and again when it has gone."""

import json
import time
from collections import deque
from collections.abc import Callable

import errors
import frames
import kernel as kernels
import users
from errors import AgentError
from kernel import Kernel, Listener
from languages import Language
from loop import Loop
from processes import Environment, Processes
from stream import Call, Stream, json_pieces

MAX_CODE = 1024 * 1024
MAX_WAITING = 32
_PATIENCE = 3.0


class Execution(Call):
    """Code in its turn or waiting for it, and what it has said that nobody has had room for yet."""

    def __init__(self, stream: Stream, context: "Context", code: str, env: dict):
        self.code = code
        self.env = env
        self._stream = stream
        self._context = context
        self._backlog = deque()
        self._finished = False

    def emit(self, sub: int, body: bytes) -> None:
        if self._stream is not None and body:
            self._backlog.append((sub, memoryview(body)))
            self._flush()

    def event(self, value: dict) -> None:
        self.emit(frames.BODY, b"".join(json_pieces(value)) + b"\n")

    def has_room(self) -> bool:
        return self._stream is None or (not self._backlog and self._stream.allowance() > 0)

    def finish(self) -> None:
        self._finished = True
        self._flush()

    def refuse(self, failure: AgentError) -> None:
        if self._stream is not None:
            self._stream.fail(failure)

    def room(self) -> None:
        self._flush()
        self._context.rearm()

    def closed(self) -> None:
        self._forget()
        self._context.abandon(self)

    def dropped(self) -> None:
        """It runs on in a clone of a sandbox and past a restart of the server; what it says is lost."""
        self._forget()
        self._context.rearm()

    def _forget(self) -> None:
        self._stream = None
        self._backlog.clear()

    def _flush(self) -> None:
        stream = self._stream
        while stream is not None and self._backlog and (most := stream.allowance()) > 0:
            sub, body = self._backlog[0]
            stream.push(sub, bytes(body[:most]))
            if len(body) > most:
                self._backlog[0] = (sub, body[most:])
            else:
                self._backlog.popleft()
        if stream is not None and self._finished and not self._backlog:
            stream.end({})


class Question(Call):
    """Something about what lives in an interpreter that has nothing else to do."""

    def __init__(self, stream: Stream, ask: Callable[[Kernel], None], answer: Callable[[dict], None]):
        self.ask = ask
        self.answer = answer
        self.since = time.monotonic()
        stream.call = self


class Context(Listener):
    def __init__(self, loop: Loop, processes: Processes, environment: Environment, name: str, language: Language, cwd: str):
        self.id = name
        self.language = language
        self._loop = loop
        self._processes = processes
        self._environment = environment
        self._cwd = cwd
        self._kernel = None
        self._known = {}
        self._count = 0
        self._waiting = deque()
        self._running = None
        self._begun = False
        self._question = None
        self._stopping = None
        self._lost = None

    def facts(self) -> dict:
        busy = self._running is not None or bool(self._waiting)
        return {"id": self.id, "language": self.language.name, "cwd": self._cwd, "busy": busy}

    # What is asked

    def enqueue(self, execution: Execution) -> None:
        if len(self._waiting) >= MAX_WAITING:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "%d executions wait for context '%s'" % (MAX_WAITING, self.id))
        self._waiting.append(execution)
        self._next()

    def abandon(self, execution: Execution) -> None:
        if execution is self._running:
            self.interrupt()
        elif execution in self._waiting:
            self._waiting.remove(execution)
        self.rearm()

    def interrupt(self) -> None:
        if self._running is None:
            return
        if self._begun:
            if self.language.interrupt(self._kernel):
                self._stopping = self._running
                self._loop.tick()
        else:
            self._running.event({"type": "error", "name": "KeyboardInterrupt", "value": "", "traceback": "KeyboardInterrupt"})
            self._finish()

    def restart(self) -> None:
        self._stop("InterpreterRestarted", "the interpreter was restarted while the code ran; its variables are lost")
        self._next()

    def end(self) -> None:
        """What waits is refused, because nothing comes after this."""
        waiting, self._waiting = self._waiting, deque()
        for execution in waiting:
            execution.refuse(AgentError(errors.NOT_FOUND, "context '%s' was removed" % self.id))
        self._stop("InterpreterRemoved", "the context was removed while the code ran")

    def ask(self, question: Question) -> None:
        """A busy interpreter is not disturbed, and none is started for a question: then there is no answer."""
        idle = self._kernel is not None and self._kernel.ready and self._running is None and self._question is None
        if not idle or not self.language.questions:
            question.answer({})
            return
        self._question = question
        question.ask(self._kernel)
        self._loop.tick()
        self.rearm()

    def tick(self, now: float) -> bool:
        """Code that answers a question or was asked to stop need not come to an end by itself."""
        if self._question is not None and now - self._question.since > _PATIENCE and self._kernel is not None:
            self._kernel.interrupt()
        stopping, self._stopping = self._stopping, None
        if stopping is not None and stopping is self._running:
            self._kernel.interrupt()
        return self._question is not None

    def rearm(self) -> None:
        if self._kernel is not None:
            self._kernel.read(self._running is None or self._running.has_room())

    # What the kernel tells

    def ready(self) -> None:
        if self._running is not None:
            self._begin()

    def output(self, sub: int, body: bytes) -> None:
        if self._running is not None and self._begun:
            self._running.emit(sub, body)
            self.rearm()

    def said(self, kind: bytes, body: bytes) -> None:
        if kind == kernels.ANSWER:
            self._answered(body)
        elif self._running is not None and self._begun:
            if kind == kernels.EVENT:
                self._running.emit(frames.BODY, body.replace(b"\n", b" ") + b"\n")
                self.rearm()
                return
            failure = self.language.error_of(kind, body)
            if failure is not None:
                self._running.event({"type": "error", **failure})
            self._finish()

    def ended(self, why: str) -> None:
        self._kernel = None
        self._answered(b"{}")
        if self._running is not None:
            self._fail("InterpreterEnded", "the interpreter has ended (%s); its variables are lost, and the next code gets a new one" % why)
        else:
            self._lost = why
        self._next()

    # Turns

    def _next(self) -> None:
        while self._running is None and self._question is None and self._waiting:
            execution = self._waiting.popleft()
            try:
                if self._kernel is None:
                    self._start()
            except OSError as failure:
                execution.refuse(errors.of_os_error(failure))
                continue
            except AgentError as failure:
                execution.refuse(failure)
                continue
            self._running, self._begun = execution, False
            if self._kernel.ready:
                self._begin()
        self.rearm()

    def _start(self) -> None:
        user = users.find(None)
        self._known = dict(self._environment.sandbox())
        self._count = 0
        env = {"LANG": "C.UTF-8", **self._environment.of(user, {})}
        self._kernel = Kernel(self._loop, self._processes, self.language.launch(user, env, self._cwd), self)
        self.language.begin(self._kernel)

    def _begin(self) -> None:
        execution = self._running
        self._begun = True
        self._count += 1
        execution.event({"type": "started", "count": self._count})
        if self._lost is not None:
            note = "[the interpreter had ended (%s); this is a new one, without the variables of before]\n" % self._lost
            execution.emit(frames.STDERR, note.encode())
            self._lost = None
        # A clone has other variables than what its interpreters were started with.
        now = self._environment.sandbox()
        changed = {n: v for n, v in now.items() if self._known.get(n) != v}
        self._known = dict(now)
        self.language.execute(self._kernel, execution.code, execution.env, changed or None)

    def _finish(self) -> None:
        execution, self._running = self._running, None
        execution.finish()
        self._next()

    def _fail(self, name: str, value: str) -> None:
        self._running.event({"type": "error", "name": name, "value": value, "traceback": "%s: %s" % (name, value)})
        execution, self._running = self._running, None
        execution.finish()

    def _stop(self, name: str, value: str) -> None:
        if self._kernel is not None:
            self._kernel.kill()
            self._kernel = None
        self._lost = None
        self._answered(b"{}")
        if self._running is not None:
            self._fail(name, value)

    def _answered(self, body: bytes) -> None:
        question, self._question = self._question, None
        if question is None:
            return
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            said = {}
        question.answer(said if isinstance(said, dict) else {})
        if self._kernel is not None:
            self._next()
