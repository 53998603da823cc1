"""IPython without a terminal: its results, displays and errors go to the agent."""

import sys
import warnings

from traitlets.config import Config

# Half of what IPython imports is for terminals and for completions that it is not asked for.
_terminal = sys.modules.setdefault("IPython.terminal.embed", type(sys)("IPython.terminal.embed"))
_terminal.embed = lambda *args, **kwargs: print("embed() needs a terminal", file=sys.stderr)
sys.modules["jedi"] = None

from IPython.core.displayhook import DisplayHook  # noqa: E402
from IPython.core.displaypub import DisplayPublisher  # noqa: E402
from IPython.core.formatters import BaseFormatter  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from traitlets import ObjectName, Unicode  # noqa: E402

from . import charts, figures, formats, names  # noqa: E402
from .wire import Wire  # noqa: E402


class _DataFormatter(BaseFormatter):
    format_type = Unicode("e2b/data")
    print_method = ObjectName("_repr_e2b_data_")
    _return_type = dict


class _ChartFormatter(BaseFormatter):
    format_type = Unicode("e2b/chart")
    print_method = ObjectName("_repr_e2b_chart_")
    _return_type = dict


class _Displays(DisplayPublisher):
    def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **kwargs):
        sys.stdout.flush()
        self.shell.holdfast.result(data, False)

    def clear_output(self, wait=False):
        """What was said is said."""


class _Values(DisplayHook):
    """The value of the code itself."""

    def write_output_prompt(self):
        sys.stdout.flush()

    def write_format_data(self, format_dict, md_dict=None):
        self.shell.holdfast.result(format_dict, True)

    def finish_displayhook(self):
        sys.stdout.flush()


class _Interpreter(InteractiveShell):
    holdfast = None

    def init_virtualenv(self):
        """The interpreter is the one that it is."""

    def enable_matplotlib(self, gui=None):
        return "inline", "agg"

    def enable_gui(self, gui=None):
        """There is no screen."""

    def ask_exit(self):
        raise SystemExit

    def _showtraceback(self, etype, evalue, stb):
        # Without our own frames, through which an interrupt comes.
        text = "\n".join(each for each in stb if "holdfast_kernel" not in each) if isinstance(stb, list) else str(stb)
        self.holdfast.failed(etype.__name__ if etype else "Error", str(evalue), text)


class Shell:
    def __init__(self, wire: Wire):
        self._wire = wire
        settings = Config()
        settings.HistoryManager.enabled = False
        settings.Completer.use_jedi = False
        settings.InteractiveShell.colors = "NoColor"
        settings.InteractiveShell.banner1 = settings.InteractiveShell.banner2 = ""
        _Interpreter.holdfast = self
        self._shell = _Interpreter.instance(config=settings, displayhook_class=_Values, display_pub_class=_Displays)
        del sys.modules["jedi"]
        warnings.filterwarnings("ignore", message="To exit: use 'exit'")
        self._formats()
        self._shell.push({}, interactive=False)
        self._hidden = set(self._shell.user_ns) | set(self._shell.user_ns_hidden)

    def _formats(self) -> None:
        formatter = self._shell.display_formatter
        data, chart = _DataFormatter(parent=formatter), _ChartFormatter(parent=formatter)
        data.for_type_by_name("pandas.core.frame", "DataFrame", formats.data_of)
        chart.for_type_by_name("matplotlib.figure", "Figure", charts.of)
        formatter.formatters["e2b/data"] = data
        formatter.formatters["e2b/chart"] = chart
        formatter.active_types = [*formatter.active_types, "e2b/data", "e2b/chart"]
        formatter.formatters["image/png"].for_type_by_name("matplotlib.figure", "Figure", figures.png_of)

    def run(self, code: str) -> None:
        self._shell.run_cell(code, store_history=True)

    def show(self, value) -> None:
        sys.stdout.flush()
        bundle, _ = self._shell.display_formatter.format(value)
        self.result(bundle, False)

    def result(self, bundle: dict, main: bool) -> None:
        found, left_out = formats.of(bundle)
        if left_out:
            print("[too large to be shown: %s]" % ", ".join(left_out), file=sys.stderr)
        if found or main:
            self._wire.event({"type": "result", "main": main, "formats": found})

    def failed(self, name: str, value: str, traceback: str) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        self._wire.event({"type": "error", "name": name, "value": value[:100_000], "traceback": traceback[-500_000:]})

    def complete(self, code: str, cursor: int) -> dict:
        from IPython.core.completer import provisionalcompleter, rectify_completions

        with provisionalcompleter():
            found = list(rectify_completions(code, self._shell.Completer.completions(code, cursor)))[:500]
        if not found:
            return {"matches": [], "from": cursor, "to": cursor}
        return {"matches": [each.text for each in found], "from": found[0].start, "to": found[0].end}

    def variables(self) -> list[dict]:
        return names.of(self._shell.user_ns, self._hidden)
