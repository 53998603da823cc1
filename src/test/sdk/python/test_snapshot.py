"""Snapshots: what they hold, names, lists, deletion."""

import pytest

from stage import CAPTURE, boot_id, everything, goes_on, new_name, pids, refused, start_counter

pytestmark = pytest.mark.anyio


async def test_R76_R83_R120_a_snapshot_starts_sandboxes_of_its_moment(face, stage):
    source = await stage.open()
    pid = await start_counter(face, source)
    await source.files.write("/home/user/state", "at the capture")
    snapshot = await stage.capture(source)
    assert snapshot.names == []
    await source.files.write("/home/user/state", "later")
    for clone in [await stage.open(snapshot.snapshot_id), await stage.open(snapshot.snapshot_id)]:
        assert await clone.files.read("/home/user/state") == "at the capture"
        assert pid in await pids(clone)
        await goes_on(clone)
    assert await source.files.read("/home/user/state") == "later"


async def test_R111_R115_R121_R134_R135_names_and_lists(face, stage):
    source = await stage.open()
    name = new_name("named")
    first = await stage.capture(source)
    second = await stage.capture(source, name=f"{name}:v1")
    assert second.names[0].endswith(f"/{name}:v1")
    with refused(409):
        await face.Sandbox.create_snapshot(source.sandbox_id, name=f"{name}:v1", **CAPTURE)
    ids = lambda found: [one.snapshot_id for one in found]  # noqa: E731
    both = [second.snapshot_id, first.snapshot_id]
    assert ids(await everything(source.list_snapshots())) == both
    assert ids(await everything(face.Sandbox.list_snapshots(sandbox_id=source.sandbox_id))) == both
    assert ids(await everything(face.Sandbox.list_snapshots(name=name))) == both[:1]
    pages = source.list_snapshots(limit=1)
    assert ids(await pages.next_items()) == both[:1]
    assert pages.has_next is True
    rest = source.list_snapshots(limit=1, next_token=pages.next_token)
    assert ids(await rest.next_items()) == both[1:]
    assert rest.has_next is False
    clone = await stage.open(second.names[0])
    assert await clone.is_running() is True


async def test_R154_R157_R158_R160_deletion(face, stage):
    source = await stage.open()
    name = new_name("deleted")
    snapshot = await stage.capture(source, name=name)
    with refused(400):
        await face.Sandbox.delete_snapshot(name)
    occupant = await stage.open(snapshot.snapshot_id)
    with refused(409):
        await face.Sandbox.delete_snapshot(snapshot.snapshot_id)
    await occupant.kill()
    assert await face.Sandbox.delete_snapshot(snapshot.names[0]) is True
    assert await face.Sandbox.delete_snapshot(snapshot.snapshot_id) is False
    with refused(404):
        await face.Sandbox.create(snapshot.snapshot_id)


async def test_a_snapshot_of_the_files_only_boots(face, stage):
    source = await stage.open()
    pid = await start_counter(face, source)
    await source.files.write("/home/user/kept", "kept")
    snapshot = await stage.capture(source, mode="filesystem")
    await goes_on(source)
    clone = await stage.open(snapshot.snapshot_id)
    assert await clone.files.read("/home/user/kept") == "kept"
    assert pid not in await pids(clone)
    assert await boot_id(clone) != await boot_id(source)
