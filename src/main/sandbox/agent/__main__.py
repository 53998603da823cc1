"""The Holdfast agent: process 1 of a sandbox, spoken to through its stdin and stdout.

It starts processes and moves files for whoever holds the other end, and knows nothing of the protocols outside. The frames, the
operations and what must hold of them are told in the package documentation of the Java room `agent`
(src/main/java/dev/holdfast/agent/package-info.java). One loop does everything, so quiescing for a checkpoint means only that
the loop stops sending at the border of a frame.
"""

import json
import os
import sys

import bodies
import errors
import requests
from channel import Channel
from contexts import Contexts
from errors import AgentError
from files import Files, send_text
from loop import Loop, Workers
from machine import Machine
from processes import Environment, Processes
from reboot import reboot
from stream import Stream
from sudo import Sudo
from watch import Watches


class Operations:
    """Which operation a request asks for, what it needs, and who does it."""

    def __init__(self, processes: Processes, contexts: Contexts, files: Files, watches: Watches, machine: Machine):
        self._streamed = {
            "process.start": (requests.ProcessStart, processes.start),
            "process.attach": (requests.ProcessChoice, processes.attach),
            "process.input": (requests.ProcessInput, processes.input),
            "process.list": (requests.Nothing, lambda stream, _: _send_lines(stream, processes.facts())),
            "context.list": (requests.Nothing, contexts.tell),
            "context.execute": (requests.ContextExecute, contexts.execute),
            "context.complete": (requests.ContextComplete, contexts.complete),
            "context.variables": (requests.ContextChoice, contexts.variables),
            "file.list": (requests.FileList, files.list),
            "file.read": (requests.FileRead, bodies.read),
            "file.write": (requests.FileWrite, bodies.write),
            "file.move": (requests.FileMove, files.move),
            "file.remove": (requests.FilePath, files.remove),
            "file.watch": (requests.FileWatch, watches.begin),
        }
        self._answered = {
            "process.closeStdin": (requests.ProcessChoice, processes.close_stdin),
            "process.signal": (requests.ProcessSignal, processes.signal),
            "process.resize": (requests.ProcessResize, processes.resize),
            "context.create": (requests.ContextCreate, contexts.create),
            "context.interrupt": (requests.ContextChoice, contexts.interrupt),
            "context.restart": (requests.ContextChoice, contexts.restart),
            "context.remove": (requests.ContextChoice, contexts.remove),
            "file.stat": (requests.FilePath, files.stat),
            "file.makeDir": (requests.FilePath, files.make_dir),
            "environment": (requests.Environment, machine.replace_environment),
            "identify": (requests.Identify, machine.identify),
            "reboot": (requests.Nothing, lambda _: reboot(processes, contexts)),
            "usage": (requests.Nothing, lambda _: machine.usage()),
        }

    def dispatch(self, stream: Stream, members: dict) -> None:
        name = members.get("op")
        if name in self._streamed:
            kind, operation = self._streamed[name]
            operation(stream, requests.parse(kind, members))
        elif name in self._answered:
            kind, operation = self._answered[name]
            stream.end(operation(requests.parse(kind, members)))
        else:
            raise AgentError(errors.UNIMPLEMENTED, "there is no operation '%s'" % str(name)[:100])


def main() -> None:
    for name in os.listdir("/proc/self/fd"):
        try:
            os.set_inheritable(int(name), False)
        except OSError:
            continue  # the descriptor of the listing itself
    os.umask(0o022)
    loop = Loop()
    environment = Environment()
    processes = Processes(loop, environment)
    machine = Machine(environment)
    Sudo(loop, processes).listen()
    contexts = Contexts(loop, processes, environment)
    operations = Operations(processes, contexts, Files(Workers(loop)), Watches(loop), machine)
    channel = Channel(loop, 0, 1, lambda: {**machine.facts(), "processes": processes.running()}, operations.dispatch)
    loop.every_tick(lambda now: channel.quiet() or processes.tick(now))
    loop.every_tick(contexts.tick)
    loop.run()


def _send_lines(stream: Stream, values: list[dict]) -> None:
    send_text(stream, b"\n".join(json.dumps(v, ensure_ascii=False).encode("utf-8", "replace") for v in values))


if __name__ == "__main__":
    try:
        main()
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(1)
