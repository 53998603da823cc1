"""What a value is shown as: from media types to the names that clients know, and nothing that JSON cannot say."""

import base64
import json
import math

from .wire import MAX_FRAME

NAMES = {
    "text/plain": "text",
    "text/html": "html",
    "text/markdown": "markdown",
    "image/svg+xml": "svg",
    "image/png": "png",
    "image/jpeg": "jpeg",
    "application/pdf": "pdf",
    "text/latex": "latex",
    "application/json": "json",
    "application/javascript": "javascript",
    "e2b/data": "data",
    "e2b/chart": "chart",
}
MAX_CELLS = 50_000
MAX_DEPTH = 50
_MOST = MAX_FRAME - 64 * 1024


def of(bundle: dict) -> tuple[dict, list[str]]:
    """The formats, and the names of those that are too large to be shown."""
    found = {}
    for kind, value in bundle.items():
        name = NAMES.get(kind, kind)
        if isinstance(value, (bytes, bytearray)):
            value = base64.b64encode(value).decode()
        elif name == "text":
            value = _without_quotes(str(value))
        elif name in ("png", "jpeg", "pdf") and isinstance(value, str):
            value = value.replace("\n", "")
        found[name] = plain(value)
    return _fitting(found)


def _fitting(found: dict) -> tuple[dict, list[str]]:
    sizes = {name: len(json.dumps(value)) for name, value in found.items()}
    left_out = []
    while sizes and sum(sizes.values()) > _MOST:
        largest = max(sizes, key=sizes.get)
        left_out.append("%s (%d bytes)" % (largest, sizes.pop(largest)))
        del found[largest]
    return found, left_out


def _without_quotes(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def plain(value, depth: int = 0):
    """The same as JSON has it; what it has not becomes text."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 1 << 63 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth < MAX_DEPTH:
        if isinstance(value, dict):
            return {str(name): plain(each, depth + 1) for name, each in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(each, depth + 1) for each in value]
        if hasattr(value, "isoformat"):
            return value.isoformat()
        if hasattr(value, "tolist"):
            return plain(value.tolist(), depth + 1)
    return str(value)


def data_of(table) -> dict:
    """A table of pandas by its columns."""
    if table.size > MAX_CELLS:
        return None
    return {str(name): [plain(each) for each in table[name]] for name in table.columns}
