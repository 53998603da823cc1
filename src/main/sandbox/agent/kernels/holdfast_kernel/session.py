"""Takes what is asked, one after the other, and answers it."""

import json
import os
import sys

from . import figures
from .wire import Output, Wire


class Session:
    def __init__(self, wire: Wire, shell: type):
        self._wire = wire
        sys.stdout = sys.__stdout__ = Output(wire, b"o", 1)
        sys.stderr = sys.__stderr__ = Output(wire, b"e", 2)
        self._shell = shell(wire)
        figures.watch_for_pyplot(self._shell.show)

    def run(self) -> None:
        self._wire.send(b"r")
        while True:
            kind, request = self._wire.receive()
            if kind == b"x":
                self._execute(request)
            elif kind == b"c":
                self._answer(lambda: self._shell.complete(request["code"], request["cursor"]))
            elif kind == b"v":
                self._answer(lambda: {"variables": self._shell.variables()})

    def _execute(self, request: dict) -> None:
        os.environ.update(request.get("changed") or {})
        call = request.get("env") or {}
        before = {name: os.environ.get(name) for name in call}
        os.environ.update(call)
        try:
            self._wire.running(True)
            self._shell.run(request["code"])
            figures.show_open(self._shell.show)
        except KeyboardInterrupt:
            # It came between the code and us.
            self._shell.failed("KeyboardInterrupt", "", "KeyboardInterrupt")
        except BaseException as failure:
            self._shell.failed(type(failure).__name__, str(failure)[:4000], "")
        finally:
            self._wire.running(False)
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            for output in (sys.stdout, sys.stderr):
                try:
                    output.flush()
                except Exception:
                    pass  # it is the user's own by now
            self._wire.send(b"d")

    def _answer(self, ask) -> None:
        """It may run the user's code, and that may do anything."""
        try:
            self._wire.running(True)
            answer = json.dumps(ask()).encode()
        except BaseException:
            answer = b"{}"
        finally:
            self._wire.running(False)
        self._wire.send(b"a", answer if len(answer) < 512 * 1024 else b"{}")
