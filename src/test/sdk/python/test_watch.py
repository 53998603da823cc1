"""Watching directories: asked for by the one face, told to the other."""

import asyncio

import e2b
import pytest
from e2b import FilesystemEventType as Kind

from stage import eventually, new_name, within

pytestmark = pytest.mark.anyio


async def watched(face, sandbox, **opts):
    at = f"/home/user/{new_name('watched')}"
    await sandbox.files.make_dir(at)
    return at, await face.watch(sandbox, at, **opts)


async def sees(watch, kind, name):
    return await eventually(
        f"{kind} of {name}", watch.events, lambda seen: any(event.type == kind and event.name == name for event in seen)
    )


async def test_what_happens_to_files(face, box):
    at, watch = await watched(face, box)
    await box.files.write(f"{at}/new.txt", "x")
    await sees(watch, Kind.CREATE, "new.txt")
    await sees(watch, Kind.WRITE, "new.txt")
    await box.commands.run(f"chmod 600 {at}/new.txt")
    await sees(watch, Kind.CHMOD, "new.txt")
    await box.files.rename(f"{at}/new.txt", f"{at}/old.txt")
    await sees(watch, Kind.RENAME, "new.txt")
    await sees(watch, Kind.CREATE, "old.txt")
    await box.files.remove(f"{at}/old.txt")
    seen = await sees(watch, Kind.REMOVE, "old.txt")
    assert all(event.entry is None for event in seen)
    await watch.stop()


async def test_not_deeper_unless_asked(face, box):
    at, flat = await watched(face, box)
    deep = await face.watch(box, at, recursive=True)
    await box.files.make_dir(f"{at}/a")
    await sees(deep, Kind.CREATE, "a")
    await box.files.write(f"{at}/a/leaf.txt", "x")
    await sees(deep, Kind.CREATE, "a/leaf.txt")
    await box.files.write(f"{at}/last", "x")
    seen = await sees(flat, Kind.CREATE, "last")
    assert not [event.name for event in seen if event.name.startswith("a/")]
    await flat.stop()
    await deep.stop()


async def test_entries_when_asked_for(face, box):
    at, watch = await watched(face, box, include_entry=True, allow_network_mounts=True)
    await box.files.write(f"{at}/entry.txt", "twelve bytes")
    seen = await sees(watch, Kind.WRITE, "entry.txt")
    entry = [event.entry for event in seen if event.type == Kind.WRITE][-1]
    assert (entry.path, entry.owner) == (f"{at}/entry.txt", "user")
    await watch.stop()


async def test_events_are_given_once(face, box):
    at, watch = await watched(face, box)
    await box.commands.run(f"cd {at} && for i in $(seq 300); do : > f$i; done")
    made = lambda seen: [event.name for event in seen if event.type == Kind.CREATE]  # noqa: E731
    seen = await eventually("all are told", watch.events, lambda seen: len(made(seen)) >= 300, 30)
    assert made(seen) == [f"f{i}" for i in range(1, 301)]
    await watch.stop()


async def test_a_stopped_watch(face, box):
    at, watch = await watched(face, box)
    await box.files.write(f"{at}/heard", "x")
    await sees(watch, Kind.CREATE, "heard")
    await watch.stop()
    if face.name == "sync":
        with pytest.raises(e2b.SandboxException, match="already stopped"):
            await watch.events()
    else:
        assert await within(10, watch.ended) is None
        await box.files.write(f"{at}/unheard", "x")
        await asyncio.sleep(0.3)
        assert not [event for event in await watch.events() if event.name == "unheard"]


async def test_only_a_directory_that_is_there(face, box):
    with pytest.raises(e2b.FileNotFoundException):
        await face.watch(box, "/home/user/none")
    await box.files.write("/home/user/a-file", "x")
    with pytest.raises(e2b.InvalidArgumentException):
        await face.watch(box, "/home/user/a-file")


async def test_R102_a_watch_goes_through_a_capture(face, stage):
    sandbox = await stage.open()
    at, watch = await watched(face, sandbox)
    await sandbox.files.write(f"{at}/before", "x")
    await sees(watch, Kind.CREATE, "before")
    await stage.capture(sandbox)
    await sandbox.files.write(f"{at}/after", "x")
    await sees(watch, Kind.CREATE, "after")
    await watch.stop()


async def test_F5_a_watch_whose_sandbox_is_killed(face, stage):
    sandbox = await stage.open()
    _, watch = await watched(face, sandbox)
    await sandbox.kill()
    if face.name == "sync":
        with pytest.raises(e2b.TimeoutException):
            await watch.events()
    else:
        assert isinstance(await within(10, watch.ended), e2b.TimeoutException)
