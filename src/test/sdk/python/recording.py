"""Which public methods of the SDK the programs have called themselves, not through another of its methods.

One file a program, so that SdkIT can put them together with what there is.
"""

import contextvars
import functools
import importlib
import inspect
import json
import os
import pathlib

_inside = contextvars.ContextVar("inside", default=False)
surface = set()
used = set()

CLASSES = [
    ("e2b.sandbox_sync.main", "Sandbox"),
    ("e2b.sandbox_sync.commands.command", "Commands"),
    ("e2b.sandbox_sync.commands.command_handle", "CommandHandle"),
    ("e2b.sandbox_sync.commands.pty", "Pty"),
    ("e2b.sandbox_sync.filesystem.filesystem", "Filesystem"),
    ("e2b.sandbox_sync.filesystem.watch_handle", "WatchHandle"),
    ("e2b.sandbox_sync.git", "Git"),
    ("e2b.sandbox_sync.paginator", "SandboxPaginator"),
    ("e2b.sandbox_sync.paginator", "SnapshotPaginator"),
    ("e2b.sandbox.filesystem.filesystem", "FileStreamReader"),
    ("e2b.sandbox_async.main", "AsyncSandbox"),
    ("e2b.sandbox_async.commands.command", "Commands"),
    ("e2b.sandbox_async.commands.command_handle", "AsyncCommandHandle"),
    ("e2b.sandbox_async.commands.command_input_handle", "AsyncCommandInputHandle"),
    ("e2b.sandbox_async.commands.pty", "Pty"),
    ("e2b.sandbox_async.filesystem.filesystem", "Filesystem"),
    ("e2b.sandbox_async.filesystem.watch_handle", "AsyncWatchHandle"),
    ("e2b.sandbox_async.git", "Git"),
    ("e2b.sandbox_async.paginator", "AsyncSandboxPaginator"),
    ("e2b.sandbox_async.paginator", "AsyncSnapshotPaginator"),
    ("e2b.sandbox.filesystem.filesystem", "AsyncFileStreamReader"),
    ("e2b.volume.volume_sync", "Volume"),
    ("e2b.volume.volume_async", "AsyncVolume"),
]


def install():
    import e2b
    from e2b.connection_config import ClientFactory
    from e2b.sandbox.utils import class_method_variant

    # The other resources of the package, as wholes.
    for name in e2b.__all__:
        value = getattr(e2b, name)
        if isinstance(value, type) and issubclass(value, ClientFactory) and not name.endswith(("Sandbox", "Volume")):
            surface.add(name)

    for module, name in CLASSES:
        _watch(getattr(importlib.import_module(module), name), module, class_method_variant)


def write(program):
    # A run of some of the tests says nothing of what is used; it keeps its notes apart.
    place = pathlib.Path(os.environ.get("HOLDFAST_TEST_USED", "used"))
    place.mkdir(exist_ok=True)
    found = {"surface": sorted(surface), "used": sorted(used)}
    (place / f"{program}.json").write_text(json.dumps(found, indent=1))


def _watch(cls, module, variant):
    title = cls.__name__
    if "_async" in module and not title.startswith("Async"):
        title = f"Async{title}"
    names = {}
    for owner in reversed(cls.__mro__):
        if owner.__module__.startswith("e2b."):
            names.update(vars(owner))
    for name, member in names.items():
        if name.startswith("_"):
            continue
        if isinstance(member, variant):
            setattr(cls, name, _Either(member, f"{title}#{name}", f"{title}.{name}"))
        elif isinstance(member, property):
            setattr(cls, name, property(_watched(member.fget, f"{title}#{name}"), member.fset))
        elif isinstance(member, classmethod):
            setattr(cls, name, classmethod(_watched(member.__func__, f"{title}.{name}")))
        elif inspect.isfunction(member):
            setattr(cls, name, _watched(member, f"{title}#{name}"))


def _watched(function, title):
    surface.add(title)

    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def watching(*args, **kwargs):
            if _inside.get():
                return await function(*args, **kwargs)
            used.add(title)
            mark = _inside.set(True)
            try:
                return await function(*args, **kwargs)
            finally:
                _inside.reset(mark)

    else:

        @functools.wraps(function)
        def watching(*args, **kwargs):
            if _inside.get():
                return function(*args, **kwargs)
            used.add(title)
            mark = _inside.set(True)
            try:
                return function(*args, **kwargs)
            finally:
                _inside.reset(mark)

    return watching


class _Either:
    """A method that an instance and the class both have, each recorded as its own."""

    def __init__(self, member, of_instance, of_class):
        self._member = member
        self._titles = of_instance, of_class
        surface.update(self._titles)

    def __get__(self, obj, objtype=None):
        title = self._titles[0 if obj is not None else 1]
        inner = self._member.__get__(obj, objtype)

        # It may be a coroutine function of either kind behind the one descriptor.
        @functools.wraps(inner)
        def watching(*args, **kwargs):
            if not _inside.get():
                used.add(title)
            mark = _inside.set(True)
            try:
                result = inner(*args, **kwargs)
            finally:
                _inside.reset(mark)
            return _quietly(result) if inspect.isawaitable(result) else result

        return watching


async def _quietly(awaitable):
    mark = _inside.set(True)
    try:
        return await awaitable
    finally:
        _inside.reset(mark)
