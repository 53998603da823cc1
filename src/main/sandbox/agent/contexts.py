"""The contexts of the sandbox: each is one interpreter, in which code runs one after the other."""

import os

import errors
import languages
import requests
import users
from context import MAX_CODE, Context, Execution, Question
from errors import AgentError
from files import send_text
from kernel import Kernel
from loop import Loop
from processes import Environment, Processes
from stream import Call, Stream, json_pieces

MAX_CONTEXTS = 16
MAX_VARIABLES = 1000


class Code(Call):
    """Code on its way here."""

    def __init__(self, stream: Stream, context: Context, env: dict):
        self._stream = stream
        self._context = context
        self._env = env
        self._pieces = []
        self._size = 0
        stream.accept({"context": context.id})

    def data(self, body: bytes, last: bool) -> None:
        self._size += len(body)
        if self._size > MAX_CODE:
            raise AgentError(errors.INVALID_ARGUMENT, "the code is longer than %d bytes" % MAX_CODE)
        self._pieces.append(body)
        self._stream.grant(len(body))
        if last:
            code = b"".join(self._pieces).decode("utf-8", "replace")
            execution = Execution(self._stream, self._context, code, self._env)
            self._stream.call = execution
            self._context.enqueue(execution)


class Contexts:
    def __init__(self, loop: Loop, processes: Processes, environment: Environment):
        self._loop = loop
        self._processes = processes
        self._environment = environment
        self._contexts = {}
        self._removed = set()

    def create(self, request: requests.ContextCreate) -> dict:
        language = languages.find(request.language)
        if len(self._known()) >= MAX_CONTEXTS:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "there are %d contexts, which is the most; remove one" % MAX_CONTEXTS)
        directory = users.resolve(users.find(None), request.cwd or "")
        if not os.path.isdir(directory):
            raise AgentError(errors.INVALID_ARGUMENT, "cwd '%s' does not exist" % (request.cwd or directory)[:200])
        return self._make(os.urandom(16).hex(), language, directory).facts()

    def tell(self, stream: Stream, request: requests.Nothing) -> None:
        _send_lines(stream, [c.facts() for c in self._known()])

    def execute(self, stream: Stream, request: requests.ContextExecute) -> None:
        if request.context is not None:
            context = self._find(request.context)
        else:
            context = self._standing(languages.find(request.language))
        stream.call = Code(stream, context, request.env or {})

    def interrupt(self, request: requests.ContextChoice) -> dict:
        self._find(request.context).interrupt()
        return {}

    def restart(self, request: requests.ContextChoice) -> dict:
        self._find(request.context).restart()
        return {}

    def remove(self, request: requests.ContextChoice) -> dict:
        context = self._find(request.context)
        del self._contexts[context.id]
        if context.id in languages.STANDING:
            self._removed.add(context.id)
        context.end()
        return {}

    def complete(self, stream: Stream, request: requests.ContextComplete) -> None:
        context = self._find(request.context)
        nothing = {"matches": [], "from": request.cursor, "to": request.cursor}

        def ask(kernel: Kernel) -> None:
            context.language.complete(kernel, request.code, request.cursor)

        context.ask(Question(stream, ask, lambda said: stream.end({**nothing, **said})))

    def variables(self, stream: Stream, request: requests.ContextChoice) -> None:
        context = self._find(request.context)

        def answer(said: dict) -> None:
            found = said.get("variables")
            _send_lines(stream, [v for v in found[:MAX_VARIABLES] if isinstance(v, dict)] if isinstance(found, list) else [])

        context.ask(Question(stream, context.language.variables, answer))

    def forget(self) -> None:
        """All processes are gone, as after a boot."""
        for context in self._contexts.values():
            context.end()
        self._contexts.clear()
        self._removed.clear()

    def tick(self, now: float) -> bool:
        return any([context.tick(now) for context in list(self._contexts.values())])

    def _known(self) -> list[Context]:
        """The standing ones first. One that was never used has no process, but is there."""
        for language in languages.standing():
            if language.name not in self._contexts and language.name not in self._removed:
                self._standing(language)
        return list(self._contexts.values())

    def _standing(self, language: languages.Language) -> Context:
        """One that was removed comes back when it is needed."""
        self._removed.discard(language.name)
        context = self._contexts.get(language.name)
        return context or self._make(language.name, language, users.find(None).home)

    def _make(self, name: str, language: languages.Language, directory: str) -> Context:
        context = Context(self._loop, self._processes, self._environment, name, language, directory)
        self._contexts[name] = context
        return context

    def _find(self, name: str) -> Context:
        for context in self._known():
            if context.id == name:
                return context
        raise AgentError(errors.NOT_FOUND, "context '%s' not found" % name[:64])


def _send_lines(stream: Stream, values: list[dict]) -> None:
    send_text(stream, b"\n".join(b"".join(json_pieces(v)) for v in values))
