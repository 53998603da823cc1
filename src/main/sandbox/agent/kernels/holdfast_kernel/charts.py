"""What a figure of matplotlib shows, as data that a client can draw anew."""

import re

from . import formats

MAX_POINTS = 20_000
_UNIT = re.compile(r"\s\((.*?)\)|\[(.*?)\]")


def of(figure) -> dict:
    """None where a figure holds nothing; a chart of an unknown type where it is none of the known ones."""
    try:
        charts = [_chart(axes) for axes in figure.get_axes()]
    except Exception:
        return None  # the picture is there all the same
    if not charts:
        return None
    if len(charts) == 1:
        return charts[0]
    title = figure._suptitle.get_text() if getattr(figure, "_suptitle", None) is not None else None
    return {"type": "superchart", "title": title, "elements": charts}


def _chart(axes) -> dict:
    from matplotlib.collections import PathCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import PathPatch, Rectangle, Wedge
    from matplotlib.text import Text

    drawn = [each for each in axes.get_children() if each in axes._children and not isinstance(each, Text)]
    chart = {"title": axes.get_title() or None}
    if drawn and all(isinstance(each, Wedge) for each in drawn):
        return {"type": "pie", **chart, "elements": [_slice(each) for each in drawn]}
    chart.update(_labels(axes))
    if drawn and all(isinstance(each, Line2D) for each in drawn):
        boxes = _boxes_of_lines(drawn, axes)
        if boxes:
            return {"type": "box_and_whisker", **chart, "elements": boxes}
        return {"type": "line", **chart, **_ticks(axes), "elements": [_line(each) for each in drawn]}
    if drawn and all(isinstance(each, PathCollection) for each in drawn):
        return {"type": "scatter", **chart, **_ticks(axes), "elements": [_points(each) for each in drawn]}
    if drawn and all(isinstance(each, Rectangle) for each in drawn):
        return _bars(axes, chart)
    if any(isinstance(each, PathPatch) for each in drawn) and all(isinstance(each, (PathPatch, Line2D)) for each in drawn):
        return _boxes(axes, chart, [each for each in drawn if isinstance(each, PathPatch)])
    return {"type": "unknown", **chart, "elements": []}


def _labels(axes) -> dict:
    x, y = axes.get_xlabel() or None, axes.get_ylabel() or None
    return {"x_label": x, "y_label": y, "x_unit": _unit(x), "y_unit": _unit(y)}


def _unit(label):
    found = _UNIT.search(label or "")
    return (found.group(1) or found.group(2)) if found else None


def _ticks(axes) -> dict:
    found = {}
    for name, axis, scale in (("x", axes.xaxis, axes.get_xscale()), ("y", axes.yaxis, axes.get_yscale())):
        labels = [each.get_text() for each in axis.get_ticklabels()]
        ticks = [_number(each) for each in axis.get_ticklocs()]
        kind = type(getattr(axis, "converter", None)).__name__
        if "Date" in kind:
            from matplotlib.dates import num2date

            ticks, scale = [num2date(each).isoformat() for each in ticks], "datetime"
        elif kind == "StrCategoryConverter":
            scale = "categorical"
        found.update({name + "_ticks": ticks, name + "_tick_labels": labels, name + "_scale": scale})
    return found


def _line(line) -> dict:
    label = line.get_label()
    number = re.fullmatch(r"_(?:child|line)(\d+)", label)
    return {"label": "Line %s" % number.group(1) if number else label, "points": _pairs(line.get_xdata(), line.get_ydata())}


def _points(collection) -> dict:
    offsets = collection.get_offsets()
    return {"label": collection.get_label(), "points": _pairs([each[0] for each in offsets], [each[1] for each in offsets])}


def _pairs(xs, ys) -> list:
    return [[_value(x), _value(y)] for x, y in list(zip(xs, ys))[:MAX_POINTS]]


def _value(value):
    if type(value).__name__ == "datetime64":
        return str(value.astype("datetime64[s]"))
    return value.isoformat() if hasattr(value, "isoformat") else formats.plain(value)


def _number(value):
    return float(value)


def _slice(wedge) -> dict:
    return {"label": wedge.get_label(), "angle": abs(round(float(wedge.theta2 - wedge.theta1), 4)), "radius": float(wedge.r)}


def _bars(axes, chart: dict) -> dict:
    bars = []
    for container in axes.containers:
        lying = getattr(container, "orientation", "vertical") == "horizontal"
        axis = axes.yaxis if lying else axes.xaxis
        names = {round(float(at), 6): label.get_text() for at, label in zip(axis.get_ticklocs(), axis.get_ticklabels())}
        for bar in container:
            middle = bar.get_y() + bar.get_height() / 2 if lying else bar.get_x() + bar.get_width() / 2
            value = bar.get_width() if lying else bar.get_height()
            label = names.get(round(float(middle), 6)) or "%g" % middle
            bars.append({"label": label, "value": formats.plain(value), "group": container.get_label()})
        if lying:
            chart = {**chart, "x_label": chart["y_label"], "y_label": chart["x_label"], "x_unit": chart["y_unit"], "y_unit": chart["x_unit"]}
    return {"type": "bar", **chart, "elements": bars} if bars else {"type": "unknown", **chart, "elements": []}


def _boxes_of_lines(lines, axes) -> list:
    """A box plot draws each box by lines: the box, two whiskers, two caps, the median and what lies outside."""
    if len(lines) % 7 and len(lines) % 6:
        return []
    boxes = [each for each in lines if len(each.get_xdata()) == 5 and each.get_xdata()[0] == each.get_xdata()[-1]]
    return [_box(each.get_xdata(), each.get_ydata(), lines, axes) for each in boxes]


def _boxes(axes, chart: dict, patches) -> dict:
    corners = [patch.get_path().vertices for patch in patches]
    return {"type": "box_and_whisker", **chart, "elements": [_box(c[:, 0], c[:, 1], axes.get_lines(), axes) for c in corners]}


def _box(xs, ys, lines, axes) -> dict:
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    least, most, median, outside = low, high, low, []
    for line in lines:
        x, y = list(line.get_xdata()), list(line.get_ydata())
        if not x or not all(left <= each <= right for each in x) or len(x) == 5:
            continue
        if len(x) == 2 and y[0] == y[1] and low <= y[0] <= high and x[0] == left:
            median = y[0]
        elif len(x) == 2 and x[0] == x[1]:
            least, most = min(least, *y), max(most, *y)
        elif line.get_linestyle() in ("None", "", " "):
            outside += y
    middle = (left + right) / 2
    names = {round(float(at), 6): label.get_text() for at, label in zip(axes.xaxis.get_ticklocs(), axes.xaxis.get_ticklabels())}
    values = {"min": least, "first_quartile": low, "median": median, "third_quartile": high, "max": most}
    return {
        "label": names.get(round(float(middle), 6), ""),
        **{name: float(value) for name, value in values.items()},
        "outliers": [float(each) for each in outside],
    }
