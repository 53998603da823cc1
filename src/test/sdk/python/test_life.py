"""The life of a sandbox: create, connect, list, timeouts, pause, resume, whose it is."""

import asyncio
import datetime
import time

import e2b
import httpx
import pytest
from e2b import SandboxQuery, SandboxState

from stage import GONE, UNKNOWN, boot_id, eventually, everything, goes_on, new_name, pids, refused, start_counter

pytestmark = pytest.mark.anyio


async def state(sandbox):
    return (await sandbox.get_info()).state


async def paused(sandbox, limit=30):
    await eventually("it is paused", lambda: state(sandbox), lambda now: now == SandboxState.PAUSED, limit)


async def test_R88_made_without_a_template_and_killed(face, stage):
    sandbox = stage.later(await face.Sandbox.create())
    assert await sandbox.is_running() is True
    assert (await sandbox.commands.run("echo here")).stdout == "here\n"
    assert await sandbox.kill() is True
    assert await sandbox.kill() is False
    assert await face.Sandbox.kill(sandbox.sandbox_id) is False
    assert await sandbox.is_running() is False
    with pytest.raises(e2b.SandboxNotFoundException):
        await sandbox.get_info()


async def test_everything_answers_for_one_that_never_was(face):
    calls = face.Sandbox
    for call in (
        lambda: calls.get_info(UNKNOWN),
        lambda: calls.connect(UNKNOWN),
        lambda: calls.set_timeout(UNKNOWN, 10),
        lambda: calls.pause(UNKNOWN),
        lambda: calls.beta_pause(UNKNOWN),
        lambda: calls.fork(UNKNOWN),
        lambda: calls.create_snapshot(UNKNOWN),
        lambda: calls.get_metrics(UNKNOWN),
        lambda: calls.update_network(UNKNOWN, {}),
    ):
        with pytest.raises(e2b.SandboxNotFoundException):
            await call()
    assert await calls.kill(UNKNOWN) is False


async def test_info(face, stage):
    metadata = {"mark": new_name("mark"), "odd key": "a&b=c% d+ä"}
    sandbox = await stage.open(metadata=metadata, timeout=120)
    for info in (await sandbox.get_info(), await face.Sandbox.get_info(sandbox.sandbox_id)):
        assert (info.sandbox_id, info.template_id, info.name, info.state) == (sandbox.sandbox_id, "base", "base", SandboxState.RUNNING)
        assert (info.metadata, info.envd_version) == (metadata, "0.6.13")
        assert info.end_at - info.started_at == datetime.timedelta(seconds=120)
        assert info.lifecycle == {"on_timeout": "kill", "auto_resume": False}
        assert info.cpu_count > 0 and info.memory_mb > 0


async def test_F4_lists_filter_order_and_page(face, stage):
    mark = new_name("list")
    opened = [await stage.open(metadata={"mark": mark, "which": which}) for which in "abc"]
    ids = [sandbox.sandbox_id for sandbox in opened]

    async def found(order=None, **query):
        pages = face.Sandbox.list(query=SandboxQuery(**{"metadata": {"mark": mark}, **query}), order=order)
        return [sandbox.sandbox_id for sandbox in await everything(pages)]

    assert await found() == ids[::-1]
    assert await found("desc") == ids[::-1]
    assert await found("asc") == ids
    assert await found(metadata={"mark": mark, "which": "b"}) == [ids[1]]
    assert await found("asc", template="base") == ids
    assert await found(template="no-such-template") == []
    started = (await opened[1].get_info()).started_at
    assert await found("asc", started_after=started) == ids[1:]
    assert await found("asc", started_after=started + datetime.timedelta(microseconds=1)) == ids[2:]

    pages = face.Sandbox.list(query=SandboxQuery(metadata={"mark": mark}), limit=2, order="asc")
    assert pages.has_next is True and pages.next_token is None
    first = await pages.next_items()
    rest = face.Sandbox.list(query=SandboxQuery(metadata={"mark": mark}), limit=2, order="asc", next_token=pages.next_token)
    second = await pages.next_items()
    assert pages.has_next is False
    assert [sandbox.sandbox_id for sandbox in first + second] == ids
    assert [sandbox.sandbox_id for sandbox in await rest.next_items()] == ids[2:]

    assert await opened[0].pause() is True
    assert await found("asc") == ids
    assert await found(state=[SandboxState.PAUSED]) == [ids[0]]
    assert await found("asc", state=[SandboxState.RUNNING]) == ids[1:]
    assert await found("asc", state=[SandboxState.RUNNING, SandboxState.PAUSED]) == ids
    with refused(400):
        await face.Sandbox.list(limit=101).next_items()


async def test_connect_never_shortens_and_set_timeout_may(face, stage):
    sandbox = await stage.open(timeout=200)
    end = (await sandbox.get_info()).end_at
    other = await face.Sandbox.connect(sandbox.sandbox_id, timeout=10)
    assert (await other.get_info()).end_at == end
    await sandbox.connect(timeout=400)
    assert (await sandbox.get_info()).end_at - end > datetime.timedelta(seconds=150)
    await face.Sandbox.set_timeout(sandbox.sandbox_id, 100)
    await sandbox.set_timeout(50)
    left = (await sandbox.get_info()).end_at.timestamp() - time.time()
    assert 40 < left <= 51
    with refused(400):
        await sandbox.set_timeout(0)


async def test_R165_F1_pause_keeps_memory_processes_and_files(face, stage):
    sandbox = await stage.open(envs={"KEPT": "env"}, timeout=120)
    pid = await start_counter(face, sandbox)
    boot = await boot_id(sandbox)
    await sandbox.files.write("/home/user/kept", "kept")
    assert await sandbox.pause() is True
    assert await state(sandbox) == SandboxState.PAUSED
    assert await sandbox.is_running() is False
    assert await sandbox.pause() is False
    assert await face.Sandbox.beta_pause(sandbox.sandbox_id) is False
    with pytest.raises(e2b.SandboxNotFoundException):
        await sandbox.set_timeout(60)
    with refused(409):
        await sandbox.create_snapshot()
    with pytest.raises(GONE):
        await sandbox.commands.run("true")
    again = await face.Sandbox.connect(sandbox.sandbox_id, timeout=90)
    info = await again.get_info()
    assert info.state == SandboxState.RUNNING
    assert info.end_at - info.started_at == datetime.timedelta(seconds=90)
    assert await boot_id(again) == boot
    assert await again.files.read("/home/user/kept") == "kept"
    assert (await again.commands.run("echo $KEPT")).stdout == "env\n"
    assert pid in await pids(again)
    await goes_on(again)


async def test_F1_F3_cycles_keep_every_change(face, stage):
    sandbox = await stage.open()
    for i in range(1, 4):
        await sandbox.commands.run(f"echo {i} >> /home/user/appended")
        assert await sandbox.pause(mode="full") is True
        await sandbox.connect(on_resume="restore")
        assert await sandbox.files.read("/home/user/appended") == "".join(f"{n}\n" for n in range(1, i + 1))


async def test_a_pause_of_the_files_only_is_a_boot(face, stage):
    sandbox = await stage.open(envs={"KEPT": "env"})
    pid = await start_counter(face, sandbox)
    boot = await boot_id(sandbox)
    await sandbox.files.write("/home/user/kept", "kept")
    assert await sandbox.pause(mode="filesystem") is True
    again = await face.Sandbox.connect(sandbox.sandbox_id)
    assert await boot_id(again) != boot
    assert await again.files.read("/home/user/kept") == "kept"
    assert (await again.commands.run("echo $KEPT")).stdout == "env\n"
    assert pid not in await pids(again)
    boot = await boot_id(again)
    assert await face.Sandbox.beta_pause(again.sandbox_id, keep_memory=False) is True
    await again.connect()
    assert await boot_id(again) != boot


async def test_a_connect_may_boot_what_was_paused_with_memory(face, stage):
    sandbox = await stage.open()
    boot = await boot_id(sandbox)
    await sandbox.files.write("/home/user/kept", "kept")
    await sandbox.connect(on_resume="reboot")
    assert await boot_id(sandbox) == boot, "a running one is left alone"
    await sandbox.beta_pause()
    await sandbox.connect(on_resume="reboot")
    assert await boot_id(sandbox) != boot
    assert await sandbox.files.read("/home/user/kept") == "kept"


async def test_a_strict_pause_of_a_healthy_sandbox(face, stage):
    sandbox = await stage.open()
    assert await face.Sandbox.pause(sandbox.sandbox_id, strict=True) is True
    info = await sandbox.get_info()
    assert (info.state, info.envd_unresponsive_at_pause) == (SandboxState.PAUSED, None)


async def test_F2_F16_a_timeout_may_pause(face, stage):
    sandbox = await stage.open(timeout=3, lifecycle={"on_timeout": "pause"})
    assert (await sandbox.get_info()).lifecycle == {"on_timeout": "pause", "auto_resume": False}
    pid = await start_counter(face, sandbox)
    await paused(sandbox)
    again = await face.Sandbox.connect(sandbox.sandbox_id, timeout=120)
    assert pid in await pids(again)
    await goes_on(again)


async def test_a_timeout_may_pause_the_files_only(face, stage):
    sandbox = await stage.open(timeout=3, lifecycle={"on_timeout": {"action": "pause", "mode": "filesystem"}})
    boot = await boot_id(sandbox)
    await sandbox.files.write("/home/user/kept", "kept")
    await paused(sandbox)
    await sandbox.connect()
    assert await boot_id(sandbox) != boot
    assert await sandbox.files.read("/home/user/kept") == "kept"


async def test_traffic_wakes(face, stage):
    sandbox = await stage.open(lifecycle={"on_timeout": "pause", "auto_resume": True})
    assert (await sandbox.get_info()).lifecycle == {"on_timeout": "pause", "auto_resume": True}
    boot = await boot_id(sandbox)
    await sandbox.files.write("/home/user/kept", "kept")
    assert await sandbox.pause() is True
    assert await sandbox.files.read("/home/user/kept") == "kept"
    assert await state(sandbox) == SandboxState.RUNNING
    assert await sandbox.pause() is True
    assert (await sandbox.commands.run("echo awake")).stdout == "awake\n"
    assert await boot_id(sandbox) == boot


async def test_R126_what_one_project_makes_another_does_not_see(face, stage, other_key):
    other = {"api_key": other_key}
    sandbox = await stage.open()
    snapshot = await stage.capture(sandbox)
    calls, id = face.Sandbox, sandbox.sandbox_id
    for call in (
        lambda: calls.get_info(id, **other),
        lambda: calls.connect(id, **other),
        lambda: calls.set_timeout(id, 10, **other),
        lambda: calls.pause(id, **other),
        lambda: calls.fork(id, **other),
        lambda: calls.get_metrics(id, **other),
        lambda: calls.update_network(id, {}, **other),
        lambda: calls.create_snapshot(id, **other),
    ):
        with pytest.raises(e2b.SandboxNotFoundException):
            await call()
    assert await calls.kill(id, **other) is False
    assert id not in [one.sandbox_id for one in await everything(calls.list(**other))]
    assert snapshot.snapshot_id not in [one.snapshot_id for one in await everything(calls.list_snapshots(**other))]
    assert await calls.delete_snapshot(snapshot.snapshot_id, **other) is False
    with refused(404):
        await calls.create(snapshot.snapshot_id, **other)


async def test_R89_a_wrong_key(face):
    wrong = {"api_key": f"e2b_{'0' * 40}"}
    calls = face.Sandbox
    for call in (
        lambda: calls.create("base", **wrong),
        lambda: calls.connect(UNKNOWN, **wrong),
        lambda: calls.get_info(UNKNOWN, **wrong),
        lambda: calls.kill(UNKNOWN, **wrong),
        lambda: calls.pause(UNKNOWN, **wrong),
        lambda: calls.list(**wrong).next_items(),
        lambda: calls.list_snapshots(**wrong).next_items(),
        lambda: calls.delete_snapshot("team/name:default", **wrong),
    ):
        with pytest.raises(e2b.AuthenticationException):
            await call()


async def test_a_client_bound_to_its_settings(face, stage):
    client = e2b.E2B()
    bound = getattr(client, face.bound)
    if face.name == "sync":
        with bound.create("base") as sandbox:
            assert sandbox.commands.run("echo bound").stdout == "bound\n"
        assert sandbox.is_running() is False
    else:
        async with await bound.create("base") as sandbox:
            assert (await sandbox.commands.run("echo bound")).stdout == "bound\n"
        assert await sandbox.is_running() is False


async def test_R145_R146_an_unknown_template_and_wrong_times(face):
    with refused(404, "no-such-template"):
        await face.Sandbox.create("no-such-template")
    with refused(400, "imeout"):
        await face.Sandbox.create("base", timeout=36_000_000)


async def test_an_idempotency_key_is_one_order(face, stage):
    key = new_name("key")
    sandbox = await stage.open(idempotency_key=key)
    again = await face.Sandbox.create("base", idempotency_key=key)
    assert again.sandbox_id == sandbox.sandbox_id
    assert (await again.commands.run("echo same")).stdout == "same\n"
    with refused(422):
        await face.Sandbox.create("base", timeout=77, idempotency_key=key)
    with pytest.raises(e2b.InvalidArgumentException):
        await face.Sandbox.create("base", idempotency_key="UPPER CASE")


REFUSED = {
    "mcp": {"mcp": {"duckduckgo": {}}},
    "iam": {"iam": {"tokens": {"aws": {"audience": "a", "token_type": "JWT-SVID"}}}},
    "egressProxy": {"network": {"egress_proxy": {"address": "proxy.example:1080"}}},
    "rules": {"network": {"rules": {"api.example.com": [{"transform": {"headers": {"X-A": "b"}}}]}}},
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.differs(f"{name} is refused by name")) for name in REFUSED])
async def test_what_is_not_offered_is_refused_by_name(face, name):
    with refused(400, name):
        await face.Sandbox.create("base", **REFUSED[name])


async def test_other_products_answer_in_the_shape_of_errors(anyio_backend, face):
    """Secrets and template builds are not offered: refused, and never a page or a stack."""
    headers = {"X-API-KEY": e2b.ConnectionConfig().api_key}
    async with httpx.AsyncClient(base_url=e2b.ConnectionConfig().api_url, headers=headers, timeout=20) as http:
        for path in ("/secrets", "/v2/templates", "/default-templates", "/templates/base/tags"):
            answer = await http.get(path)
            assert 400 <= answer.status_code < 600 and answer.status_code != 500, path
            assert answer.json()["code"] == answer.status_code, path
            assert answer.json()["message"], path
