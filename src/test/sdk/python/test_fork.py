"""Forks: the live state, one outcome a child, each child its own."""

import datetime

import e2b
import pytest

from stage import CAPTURE, UNKNOWN, goes_on, new_name, pids, refused, start_counter

pytestmark = pytest.mark.anyio


async def forked(stage, forking):
    children = await forking
    for child in children:
        if not isinstance(child, Exception):
            stage.later(child)
    return children


async def test_F15_a_fork_has_the_live_state(face, stage):
    source = await stage.open(metadata={"mark": new_name("fork")}, envs={"KEPT": "env"})
    pid = await start_counter(face, source)
    await source.files.write("/home/user/now", "written just before")
    [child] = await forked(stage, source.fork(**CAPTURE))
    assert child.sandbox_id != source.sandbox_id
    assert await child.files.read("/home/user/now") == "written just before"
    assert pid in await pids(child)
    await goes_on(child)
    assert (await child.commands.run("echo $KEPT")).stdout == "env\n"
    assert (await child.get_info()).metadata == (await source.get_info()).metadata


async def test_R83_F15_two_at_once_are_each_their_own(face, stage):
    source = await stage.open(timeout=200)
    end = (await source.get_info()).end_at
    children = await forked(stage, face.Sandbox.fork(source.sandbox_id, count=2, timeout=60, **CAPTURE))
    assert len({source.sandbox_id, *(child.sandbox_id for child in children)}) == 3
    for i, child in enumerate(children):
        await child.files.write("/home/user/own", f"of {i}")
    for i, child in enumerate(children):
        assert await child.files.read("/home/user/own") == f"of {i}"
        info = await child.get_info()
        assert info.end_at - info.started_at == datetime.timedelta(seconds=60)
    assert await source.files.exists("/home/user/own") is False
    assert (await source.get_info()).end_at == end


async def test_what_cannot_be_forked(face, stage):
    source = await stage.open()
    for count in (0, 21, "2"):
        with pytest.raises(e2b.InvalidArgumentException):
            await source.fork(count=count)
    await source.pause()
    with refused(409):
        await source.fork(**CAPTURE)
    with pytest.raises(e2b.SandboxNotFoundException):
        await face.Sandbox.fork(UNKNOWN)
