"""Figures of matplotlib: shown when code asks for it, and at its end those that are still open."""

import importlib.util
import io
import sys


def watch_for_pyplot(show) -> None:
    """Changes pyplot when code imports it, because importing it here would cost every interpreter a second."""
    if "matplotlib.pyplot" in sys.modules:
        _change(sys.modules["matplotlib.pyplot"], show)
    else:
        sys.meta_path.insert(0, _Watch(show))


class _Watch:
    def __init__(self, show):
        self._show = show

    def find_spec(self, name, path=None, target=None):
        if name != "matplotlib.pyplot":
            return None
        sys.meta_path.remove(self)
        found = importlib.util.find_spec(name)
        if found is not None and found.loader is not None:
            load, show = found.loader.exec_module, self._show

            def exec_module(module):
                load(module)
                _change(module, show)

            found.loader.exec_module = exec_module
        return found


def _change(pyplot, show) -> None:
    def show_all(*args, **kwargs):
        show_open(show)

    pyplot.show = show_all


def show_open(show) -> None:
    """Each figure once, also when it was the value of the code."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or not hasattr(pyplot, "get_fignums"):
        return
    try:
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            if not getattr(figure, "_holdfast_shown", False) and figure.get_axes():
                show(figure)
    finally:
        pyplot.close("all")


def png_of(figure) -> bytes:
    figure._holdfast_shown = True
    content = io.BytesIO()
    figure.savefig(content, format="png", bbox_inches="tight", dpi=figure.dpi)
    return content.getvalue()
