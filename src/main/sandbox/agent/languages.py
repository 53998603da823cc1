"""The languages of contexts: the program that interprets each, and how it is asked."""

import json
import os

import errors
import spawn
from errors import AgentError
from kernel import COMPLETE, EXECUTE, INTERRUPT, STATUS, VARIABLES, Kernel
from processes import PATH
from users import User

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels")
DEFAULT = "python"


class Language:
    """One that is asked by frames of JSON."""

    questions = True

    def __init__(self, name: str, command: str, *arguments: str):
        self.name = name
        self.command = command
        self.arguments = arguments

    def launch(self, user: User, env: dict, cwd: str) -> spawn.Launch:
        path = spawn.find_command(self.command, cwd, PATH)
        return spawn.Launch(path, [self.command, *self.arguments], env, cwd, user)

    def is_here(self) -> bool:
        return any(os.access(os.path.join(place, self.command), os.X_OK) for place in PATH.split(":"))

    def begin(self, kernel: Kernel) -> None:
        """What is said to a new process first."""

    def execute(self, kernel: Kernel, code: str, call: dict, changed: dict | None) -> None:
        request = {"code": code, "env": call}
        if changed is not None:
            request["changed"] = changed
        kernel.send(EXECUTE, json.dumps(request).encode())

    def complete(self, kernel: Kernel, code: str, cursor: int) -> None:
        kernel.send(COMPLETE, json.dumps({"code": code, "cursor": cursor}).encode())

    def variables(self, kernel: Kernel) -> None:
        kernel.send(VARIABLES, b"{}")

    def interrupt(self, kernel: Kernel) -> bool:
        """Answers whether that was a request, which code that never waits does not hear."""
        kernel.interrupt()
        return False

    def error_of(self, kind: bytes, body: bytes) -> dict | None:
        """The failure that a status means."""
        return None


class JavaScript(Language):
    """Where code waits, a signal may meet nobody; where it does not, nothing else helps."""

    def interrupt(self, kernel: Kernel) -> bool:
        kernel.send(INTERRUPT, b"{}")
        return True


class Bash(Language):
    """An interactive shell without a terminal that reads lines from the socket: an interrupt ends the code and not the shell."""

    questions = False

    def begin(self, kernel: Kernel) -> None:
        kernel.send_raw(b"PS1= PS2= PROMPT_COMMAND=; set +H +m +o history; printf 'r\\0\\0\\0\\0' >&0\n")

    def execute(self, kernel: Kernel, code: str, call: dict, changed: dict | None) -> None:
        """After an interrupt the shell goes on with the next line, so each line stands for itself."""
        names = [name for name in call if name.isidentifier() and name.isascii()]
        lines = ["export %s=%s" % (n, _quoted(v)) for n, v in (changed or {}).items() if n.isidentifier() and n.isascii()]
        for name in names:
            lines.append("__holdfast_had_%s=${%s+set} __holdfast_was_%s=${%s-}" % (name, name, name, name))
            lines.append("export %s=%s" % (name, _quoted(call[name])))
        lines.append("eval %s </dev/null" % _quoted(code.replace("\0", "")))
        lines.append("__holdfast_status=$?")
        for name in names:
            lines.append('if [[ -n $__holdfast_had_%s ]]; then %s=$__holdfast_was_%s; else unset %s; fi' % (name, name, name, name))
            lines.append("unset __holdfast_had_%s __holdfast_was_%s" % (name, name))
        lines.append("printf 's\\0\\0\\0\\3%03d' \"$__holdfast_status\" >&0\n")
        kernel.send_raw("\n".join(lines).encode("utf-8", "surrogateescape"))

    def error_of(self, kind: bytes, body: bytes) -> dict | None:
        status = int(body) if kind == STATUS and body.isdigit() else 0
        if status == 0:
            return None
        if status == 130:
            return {"name": "KeyboardInterrupt", "value": "", "traceback": "KeyboardInterrupt"}
        return {"name": "CommandFailed", "value": "exit status %d" % status, "traceback": ""}


_ALL = (
    Language("python", "python3", "-u", os.path.join(KERNELS, "python.py"), "{socket}"),
    JavaScript("javascript", "node", "--expose-internals", "--experimental-vm-modules", "--no-warnings", os.path.join(KERNELS, "javascript.cjs"), "{socket}"),
    Bash("bash", "bash", "-c", "exec bash --noprofile --norc --noediting -i 0<&{socket} {socket}<&-"),
)
_ALIASES = {"py": "python", "python3": "python", "js": "javascript", "node": "javascript", "sh": "bash", "shell": "bash"}
# They are in the list from the beginning; the others come when they are asked for.
STANDING = ("python", "javascript")


def find(name: str | None) -> Language:
    word = (name or DEFAULT).strip().lower()
    word = _ALIASES.get(word, word)
    for language in _ALL:
        if language.name == word:
            if not language.is_here():
                raise AgentError(errors.INVALID_ARGUMENT, "language '%s' needs %s, which this template lacks; use one made from "
                                 "code-interpreter-v1" % (language.name, language.command))  # fmt: skip
            return language
    known = ", ".join(language.name for language in _ALL)
    raise AgentError(errors.INVALID_ARGUMENT, "language '%s' is not offered; allowed are %s" % ((name or "")[:50], known))


def standing() -> list[Language]:
    return [language for language in _ALL if language.name in STANDING and language.is_here()]


def _quoted(text: str) -> str:
    """As a word for a shell; the library's own costs the agent the import of regular expressions."""
    return "'" + text.replace("'", "'\\''") + "'"
