"""The typed requests. The wire has their members by the same names; an unknown member is ignored, a wrong one refused."""

import attributes
import errors
from errors import AgentError
from record import record

MAX_ENTRIES = 100_000
MAX_DEPTH = 64


@record
class Pty:
    cols: int
    rows: int

    def check(self) -> None:
        _demand(0 < self.cols < 65536 and 0 < self.rows < 65536, "a terminal has 1 to 65535 columns and rows")


@record
class ProcessStart:
    cmd: str
    args: list = ()
    env: dict = None
    cwd: str | None = None
    user: str | int | None = None
    stdin: bool = False
    tag: str | None = None
    pty: dict | None = None

    def check(self) -> None:
        _demand(self.cmd and "\0" not in self.cmd, "a process needs a command")
        _demand(all(isinstance(a, str) and "\0" not in a for a in self.args), "arguments are text without NUL")
        check_environment(self.env or {})

    def terminal(self) -> Pty | None:
        return parse(Pty, self.pty) if self.pty is not None else None


@record
class ProcessChoice:
    """Names a process by its number or its tag."""

    pid: int | None = None
    tag: str | None = None

    def check(self) -> None:
        _demand((self.pid is None) != (self.tag is None), "a process is named by its pid or its tag")


@record
class ProcessInput(ProcessChoice):
    pid: int | None = None
    tag: str | None = None
    pty: bool = False


@record
class ProcessSignal(ProcessChoice):
    signal: int
    pid: int | None = None
    tag: str | None = None
    group: bool = False

    def check(self) -> None:
        super(ProcessSignal, self).check()
        _demand(0 < self.signal < 65, "a signal has a number from 1 to 64")


@record
class ProcessResize(ProcessChoice):
    cols: int
    rows: int
    pid: int | None = None
    tag: str | None = None

    def check(self) -> None:
        super(ProcessResize, self).check()
        Pty(self.cols, self.rows).check()


@record
class FilePath:
    path: str
    user: str | int | None = None


@record
class FileList:
    path: str
    user: str | int | None = None
    depth: int = 1
    limit: int = MAX_ENTRIES

    def check(self) -> None:
        _demand(0 < self.depth <= MAX_DEPTH, "the depth is 1 to %d" % MAX_DEPTH)
        _demand(0 < self.limit <= MAX_ENTRIES, "the limit is 1 to %d" % MAX_ENTRIES)


@record
class FileRead:
    """A negative offset counts from the end; one before the beginning means the beginning."""

    path: str
    user: str | int | None = None
    offset: int = 0
    length: int | None = None

    def check(self) -> None:
        _demand(self.length is None or self.length >= 0, "the length is not negative")


@record
class FileWrite:
    """Metadata replaces what the file has; without it the file keeps none."""

    path: str
    user: str | int | None = None
    metadata: dict | None = None

    def check(self) -> None:
        attributes.check(self.metadata or {})


@record
class FileMove:
    source: str
    destination: str
    user: str | int | None = None


@record
class FileWatch:
    path: str
    user: str | int | None = None
    recursive: bool = False
    entries: bool = False


@record
class ContextCreate:
    language: str | None = None
    cwd: str | None = None


@record
class ContextChoice:
    context: str


@record
class ContextExecute:
    """Where neither is named it is the context that the default language always has."""

    context: str | None = None
    language: str | None = None
    env: dict = None

    def check(self) -> None:
        _demand(self.context is None or self.language is None, "a context and a language exclude each other")
        check_environment(self.env or {})


@record
class ContextComplete:
    context: str
    code: str
    cursor: int

    def check(self) -> None:
        _demand(0 <= self.cursor <= len(self.code), "the cursor is inside the code")


@record
class Environment:
    """What new processes get besides their own request."""

    env: dict
    processes: int | None = None

    def check(self) -> None:
        check_environment(self.env)
        _demand(self.processes is None or 0 < self.processes <= 1 << 20, "the limit of processes is 1 or more")


@record
class Identify:
    sandbox: str
    hostname: str
    machine: str
    env: dict
    now: int
    processes: int | None = None

    def check(self) -> None:
        _demand(_is_name(self.sandbox), "the sandbox's ID is letters and digits")
        _demand(_is_name(self.hostname), "the host name is letters, digits and hyphens")
        _demand(len(self.machine) == 32 and all(c in "0123456789abcdef" for c in self.machine), "the machine ID is 32 hex digits")
        Environment(self.env, self.processes).check()


@record
class Nothing:
    """The request of an operation that needs none."""


def parse(kind: type, members: dict) -> object:
    values = {}
    for name, allowed in kind.__annotations__.items():
        value = members.get(name)
        if value is None:
            continue
        if not isinstance(value, allowed) or (isinstance(value, bool) and allowed is not bool):
            raise AgentError(errors.INVALID_ARGUMENT, "'%s' is of the wrong type" % name)
        values[name] = value
    try:
        request = kind(**values)
    except TypeError as missing:
        raise AgentError(errors.INVALID_ARGUMENT, str(missing)) from None
    check = getattr(request, "check", None)
    if check is not None:
        check()
    return request


def check_environment(env: dict) -> None:
    for name, value in env.items():
        _demand(name and "=" not in name and "\0" not in name, "an environment name is text without = and NUL")
        _demand(isinstance(value, str) and "\0" not in value, "an environment value is text without NUL")


def _is_name(text: str) -> bool:
    return 0 < len(text) <= 63 and all(c.isascii() and (c.isalnum() or c == "-") for c in text)


def _demand(holds: object, otherwise: str) -> None:
    if not holds:
        raise AgentError(errors.INVALID_ARGUMENT, otherwise)
