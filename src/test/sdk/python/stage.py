"""What the programs stand on: sandboxes and snapshots that end with their test, and waiting with a limit."""

import asyncio
import contextlib
import secrets
import time

import e2b
import pytest

UNKNOWN = "i0000000000000000none"

# R105: a capture may take minutes, and the SDK's own limit of 60 s says nothing about it.
CAPTURE = {"request_timeout": 280}


class Stage:
    def __init__(self, face):
        self.face = face
        self._sandboxes = []
        self._snapshots = []

    async def open(self, template="base", **opts):
        return self.later(await self.face.Sandbox.create(template, **opts))

    def later(self, sandbox):
        """For a sandbox that the test knows by another way."""
        self._sandboxes.append(sandbox.sandbox_id)
        return sandbox

    async def capture(self, sandbox, **opts):
        snapshot = await sandbox.create_snapshot(**{**CAPTURE, **opts})
        self._snapshots.append(snapshot.snapshot_id)
        return snapshot

    async def clear(self):
        """Sandboxes first: a snapshot that is occupied cannot be deleted."""
        failures = []
        for sandbox in self._sandboxes:
            await self._insist(lambda: self.face.Sandbox.kill(sandbox), failures)
        for snapshot in self._snapshots:
            await self._insist(lambda: self.face.Sandbox.delete_snapshot(snapshot), failures)
        assert not failures, "left behind"

    @staticmethod
    async def _insist(removal, failures):
        # A test that failed may have left a sandbox busy: its capture still has to end.
        end = time.monotonic() + 20
        while True:
            try:
                return await removal()
            except Exception as failure:
                if time.monotonic() > end:
                    return failures.append(failure)
                await asyncio.sleep(0.5)


def new_name(word):
    return f"{word}-{secrets.token_hex(4)}"


async def eventually(what, read, wanted, limit=15, pause=0.1):
    """Reads until the reading is what is wanted, and says the last reading when it never is."""
    end = time.monotonic() + limit
    while True:
        reading = await read()
        if wanted(reading):
            return reading
        assert time.monotonic() < end, f"{what}: not within {limit} s; the last reading was {reading!r}"
        await asyncio.sleep(pause)


async def of(value):
    return value


async def within(limit, work):
    return await asyncio.wait_for(work, limit)


async def everything(paginator):
    found = []
    while paginator.has_next:
        found += await paginator.next_items()
    return found


async def boot_id(sandbox):
    return (await sandbox.commands.run("cat /proc/sys/kernel/random/boot_id")).stdout.strip()


@contextlib.contextmanager
def refused(status, match=None, kind=e2b.SandboxException):
    """A refusal of the control plane of this status."""
    with pytest.raises(kind) as info:
        yield info
    assert info.value.status_code == status, info.value
    assert str(info.value).startswith(f"{status}: "), info.value
    if match:
        assert match in str(info.value)


# What the SDK may raise on the data plane of a sandbox that does not run.
GONE = (e2b.SandboxNotRunningException, e2b.SandboxNotFoundException)

COUNTER = """import time
number = 0
with open("/home/user/ticks", "w", buffering=1) as ticks:
    while True:
        number += 1
        ticks.write(f"{number}\\n")
        time.sleep(0.05)
"""


async def start_counter(face, sandbox):
    await sandbox.files.write("/home/user/counter.py", COUNTER)
    running = await face.start(sandbox, "exec python3 -u counter.py")
    await eventually("the counter begins", lambda: ticks(sandbox), lambda seen: seen > 2)
    return running.pid


async def ticks(sandbox):
    """How far it has counted; each number must be there once, in its place."""
    if not await sandbox.files.exists("/home/user/ticks"):
        return 0
    text = await sandbox.files.read("/home/user/ticks")
    numbers = [int(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    assert numbers == list(range(1, len(numbers) + 1))
    return len(numbers)


async def goes_on(sandbox):
    seen = await ticks(sandbox)
    await eventually("the counter goes on", lambda: ticks(sandbox), lambda now: now > seen)


async def pids(sandbox):
    return [process.pid for process in await sandbox.commands.list()]
