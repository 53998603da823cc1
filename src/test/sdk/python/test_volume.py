"""Volumes: seen by two sandboxes, current after a restore, and reached without one."""

import asyncio
import contextlib
import time

import e2b
import pytest

from stage import new_name, refused

pytestmark = pytest.mark.anyio


@contextlib.asynccontextmanager
async def made(face, stage):
    """Removed after the sandboxes of the test, which end with it."""
    volume = await face.Volume.create(new_name("volume"))
    try:
        yield volume
    finally:
        await stage.clear()
        end = time.monotonic() + 20
        while True:
            try:
                await face.Volume.destroy(volume.volume_id)
                break
            except e2b.VolumeException:
                assert time.monotonic() < end, "it stays mounted"
                await asyncio.sleep(0.3)


async def test_R43_R73_a_volume_is_seen_by_two_and_current_after_a_restore(face, stage):
    async with made(face, stage) as volume:
        one = await stage.open(volume_mounts={"/mnt/data": volume.name})
        two = await stage.open(volume_mounts={"/srv/deep/er": volume.name})
        await one.files.write("/mnt/data/note", "first")
        assert await two.files.read("/srv/deep/er/note") == "first"
        saved = await stage.capture(one)
        await two.files.write("/srv/deep/er/note", "second")
        restored = await stage.open(saved.snapshot_id)
        assert await restored.files.read("/mnt/data/note") == "second"
        assert await volume.read_file("/note") == "second"
        with refused(400, "volumeMounts"):
            await face.Sandbox.create(saved.snapshot_id, volume_mounts={"/mnt/x": volume.name})
        with pytest.raises(e2b.VolumeException, match=one.sandbox_id):
            await face.Volume.destroy(volume.volume_id)


async def test_files_of_a_volume_are_reached_without_a_sandbox(face, stage):
    async with made(face, stage) as volume:
        again = await face.Volume.connect(volume.volume_id)
        assert again.name == volume.name and again.token == volume.token
        assert volume.volume_id in [each.volume_id for each in await face.Volume.list()]
        await again.make_dir("/a/b", force=True)
        written = await again.write_file("/a/b/text", "hello", uid=1000, gid=1000, mode=0o600)
        assert (written.path, written.size, written.mode) == ("/a/b/text", 5, 0o600)
        assert await volume.read_file("/a/b/text") == "hello"
        assert await volume.exists("/a/none") is False
        assert (await volume.get_info("/a")).type == "directory"
        assert (await volume.update_metadata("/a/b/text", mode=0o640)).mode == 0o640
        assert [each.path for each in await volume.list("/", depth=3)] == ["/a", "/a/b", "/a/b/text"]
        await volume.remove("/a")
        with pytest.raises(e2b.NotFoundException):
            await volume.list("/a")
