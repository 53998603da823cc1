"""The two faces of the package behind one, so that each test is written once.

A call of the sync face is awaited too: it runs in a thread of its own, and so may block as a user's would.
"""

import asyncio
import concurrent.futures
import contextvars
import functools

import e2b

POOL = concurrent.futures.ThreadPoolExecutor(64, thread_name_prefix="sync-call")

# What of the async face answers without being awaited.
PLAIN = {
    "Sandbox": {"get_host", "get_mcp_url", "download_url", "upload_url", "list", "list_snapshots"},
}
WRAPPED = {
    "Sandbox",
    "Commands",
    "CommandHandle",
    "Pty",
    "Filesystem",
    "WatchHandle",
    "Git",
    "SandboxPaginator",
    "SnapshotPaginator",
    "Volume",
}


async def in_thread(function, *args, **kwargs):
    context = contextvars.copy_context()
    call = functools.partial(context.run, function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(POOL, call)


def awaited(it):
    if isinstance(it, list):
        return [awaited(one) for one in it]
    return Awaited(it) if type(it).__module__.startswith("e2b.") and type(it).__name__ in WRAPPED else it


class Awaited:
    """An object of the sync face that is used like one of the async face."""

    def __init__(self, it):
        self.it = it

    def __getattr__(self, name):
        value = getattr(self.it, name)
        if not callable(value):
            return awaited(value)
        kind = self.it.__name__ if isinstance(self.it, type) else type(self.it).__name__
        if name in PLAIN.get(kind, ()):
            return lambda *args, **kwargs: awaited(value(*args, **kwargs))

        async def call(*args, **kwargs):
            return awaited(await in_thread(value, *args, **kwargs))

        return call


class Running:
    """A command or terminal in the background, and what it has said so far."""

    def __init__(self):
        self.stdout = ""
        self.stderr = ""
        self.screen = b""
        self.handle = None

    @property
    def pid(self):
        return self.handle.pid

    async def wait(self):
        raise NotImplementedError


class _Sync:
    name = "sync"
    Sandbox = Awaited(e2b.Sandbox)
    Volume = Awaited(e2b.Volume)
    bound = "Sandbox"

    class _Running(Running):
        def listen(self):
            # A second call of wait gives the same outcome again.
            self.end = asyncio.ensure_future(in_thread(self._listen))
            self.end.add_done_callback(lambda end: end.cancelled() or end.exception())

        def _listen(self):
            for out, err, screen in self.handle.it:
                self.stdout += out or ""
                self.stderr += err or ""
                self.screen += screen or b""
            return self.handle.it.wait()

        async def wait(self):
            return await asyncio.shield(self.end)

    async def start(self, sandbox, command, **opts):
        running = self._Running()
        running.handle = await sandbox.commands.run(command, background=True, **{"timeout": 0, **opts})
        running.listen()
        return running

    async def attach(self, sandbox, pid, **opts):
        running = self._Running()
        running.handle = await sandbox.commands.connect(pid, **{"timeout": 0, **opts})
        running.listen()
        return running

    async def terminal(self, sandbox, size, **opts):
        running = self._Running()
        running.handle = await sandbox.pty.create(size, **{"timeout": 0, **opts})
        running.listen()
        return running

    async def attach_terminal(self, sandbox, pid, **opts):
        running = self._Running()
        running.handle = await sandbox.pty.connect(pid, **{"timeout": 0, **opts})
        running.listen()
        return running

    async def stream_input(self, module, pid, parts):
        await module.stream_input(pid, iter(parts))

    async def collected(self, reader):
        def read():
            with reader:
                return b"".join(reader)

        return await in_thread(read)

    def chunks(self, parts):
        return iter(parts)

    async def watch(self, sandbox, path, **opts):
        return _Polled(await sandbox.files.watch_dir(path, **opts))

    def is_exit(self, running, code):
        return True


class _Polled:
    """A watch that is asked for its events."""

    def __init__(self, handle):
        self.handle = handle
        self._events = []

    async def events(self):
        self._events += await self.handle.get_new_events()
        return self._events

    async def stop(self):
        await self.handle.stop()


class _Told:
    """A watch that tells its events."""

    def __init__(self):
        self._events = []
        self.handle = None
        self.ended = asyncio.get_running_loop().create_future()

    def hear(self, event):
        self._events.append(event)

    def end(self, failure):
        if not self.ended.done():
            self.ended.set_result(failure)

    async def events(self):
        return self._events

    async def stop(self):
        await self.handle.stop()


class _Async:
    name = "async"
    Sandbox = e2b.AsyncSandbox
    Volume = e2b.AsyncVolume
    bound = "AsyncSandbox"

    class _Running(Running):
        def hear(self, text):
            self.stdout += text

        def hear_error(self, text):
            self.stderr += text

        def draw(self, data):
            self.screen += data

        async def wait(self):
            return await self.handle.wait()

    async def start(self, sandbox, command, **opts):
        running = self._Running()
        running.handle = await sandbox.commands.run(
            command,
            background=True,
            on_stdout=running.hear,
            on_stderr=running.hear_error,
            **{"timeout": 0, **opts},
        )
        return running

    async def attach(self, sandbox, pid, **opts):
        running = self._Running()
        running.handle = await sandbox.commands.connect(
            pid, on_stdout=running.hear, on_stderr=running.hear_error, **{"timeout": 0, **opts}
        )
        return running

    async def terminal(self, sandbox, size, **opts):
        running = self._Running()
        running.handle = await sandbox.pty.create(size, running.draw, **{"timeout": 0, **opts})
        return running

    async def attach_terminal(self, sandbox, pid, **opts):
        running = self._Running()
        running.handle = await sandbox.pty.connect(pid, running.draw, **{"timeout": 0, **opts})
        return running

    async def stream_input(self, module, pid, parts):
        handle = module.stream_input(pid)
        for part in parts:
            await handle.send(part)
        await handle.close()

    async def collected(self, reader):
        async with reader:
            return b"".join([chunk async for chunk in reader])

    async def chunks(self, parts):
        for part in parts:
            yield part

    async def watch(self, sandbox, path, **opts):
        told = _Told()
        told.handle = await sandbox.files.watch_dir(path, told.hear, told.end, **{"timeout": 0, **opts})
        return told


FACES = {"sync": _Sync(), "async": _Async()}
