"""A bare Python for templates without IPython: statements and expressions, tables and pictures by what objects say of themselves."""

import ast
import builtins
import linecache
import sys
import traceback
import types

from . import charts, figures, formats, names
from .wire import Wire

_METHODS = {
    "_repr_html_": "text/html",
    "_repr_markdown_": "text/markdown",
    "_repr_svg_": "image/svg+xml",
    "_repr_png_": "image/png",
    "_repr_jpeg_": "image/jpeg",
    "_repr_pdf_": "application/pdf",
    "_repr_latex_": "text/latex",
    "_repr_json_": "application/json",
    "_repr_javascript_": "application/javascript",
}


class Shell:
    def __init__(self, wire: Wire):
        self._wire = wire
        self._count = 0
        module = types.ModuleType("__main__")
        sys.modules["__main__"] = module
        self._names = module.__dict__
        self._names["__builtins__"] = builtins
        builtins.display = self.display

    def run(self, code: str) -> None:
        self._count += 1
        name = "<code-%d>" % self._count
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        try:
            tree = ast.parse(code, name)
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, name, "exec"), self._names)
            value = eval(compile(ast.Expression(last.value), name, "eval"), self._names) if last is not None else None
            if value is not None:
                self._names["_"] = value
                self.result(self._bundle(value), True)
        except BaseException as failure:
            self._report(failure, name)

    def display(self, *values) -> None:
        for value in values:
            self.show(value)

    def show(self, value) -> None:
        self.result(self._bundle(value), False)

    def result(self, bundle: dict, main: bool) -> None:
        sys.stdout.flush()
        found, left_out = formats.of(bundle)
        if left_out:
            print("[too large to be shown: %s]" % ", ".join(left_out), file=sys.stderr)
        self._wire.event({"type": "result", "main": main, "formats": found})

    def failed(self, name: str, value: str, text: str) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        self._wire.event({"type": "error", "name": name, "value": value[:100_000], "traceback": text[-500_000:]})

    def complete(self, code: str, cursor: int) -> dict:
        import rlcompleter

        start = cursor
        while start > 0 and (code[start - 1].isalnum() or code[start - 1] in "._"):
            start -= 1
        completer, found = rlcompleter.Completer(self._names), []
        while len(found) < 500 and (match := completer.complete(code[start:cursor], len(found))) is not None:
            found.append(match.rstrip("( "))
        return {"matches": found, "from": start, "to": cursor}

    def variables(self) -> list[dict]:
        return names.of(self._names, ())

    def _bundle(self, value) -> dict:
        bundle = {"text/plain": repr(value)}
        module, name = type(value).__module__, type(value).__name__
        if module == "matplotlib.figure" and name == "Figure":
            bundle.update({"image/png": figures.png_of(value), "e2b/chart": charts.of(value)})
        elif module == "pandas.core.frame" and name == "DataFrame":
            bundle["e2b/data"] = formats.data_of(value)
        if not isinstance(value, type):
            for method, kind in _METHODS.items():
                shown = getattr(value, method, None)
                content = shown() if callable(shown) else None
                bundle.update({kind: content} if content is not None else {})
        return {kind: content for kind, content in bundle.items() if content is not None}

    def _report(self, failure: BaseException, name: str) -> None:
        """Without our own frames."""
        at = failure.__traceback__
        while at is not None and at.tb_frame.f_code.co_filename != name:
            at = at.tb_next
        text = "".join(traceback.format_exception(type(failure), failure, at))
        self.failed(type(failure).__name__, str(failure), text.rstrip("\n"))
