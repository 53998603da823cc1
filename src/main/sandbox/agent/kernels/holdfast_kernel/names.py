"""The names of a session with a line about each."""

import reprlib
import types

MOST = 500
LONGEST = 200

_short = reprlib.Repr()
_short.maxlist = _short.maxtuple = _short.maxset = _short.maxfrozenset = _short.maxdeque = _short.maxarray = 10
_short.maxdict = 8
_short.maxstring = _short.maxother = _short.maxlong = LONGEST


def of(namespace: dict, hidden) -> list[dict]:
    found = []
    for name in sorted(name for name in namespace if isinstance(name, str)):
        value = namespace[name]
        if name.startswith("_") or name in hidden or isinstance(value, types.ModuleType):
            continue
        found.append({"name": name[:LONGEST], "type": type(value).__name__[:LONGEST], "value": _line(value)})
        if len(found) == MOST:
            break
    return found


def _line(value) -> str:
    try:
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and shape:
            size = " × ".join(str(each) for each in shape)
            columns = getattr(value, "columns", None)
            return size if columns is None else "%s: %s" % (size, ", ".join(str(each) for each in list(columns)[:10]))
        text = _short.repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException as failure:
        text = "<%s while it was shown>" % type(failure).__name__
    return " ".join(text.split())[:LONGEST]
