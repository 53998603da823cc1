"""Commands: environment, user, limits, background, input, output, endings."""

import asyncio
import hashlib
import os

import e2b
import pytest

from stage import GONE, eventually, of, pids, within

pytestmark = pytest.mark.anyio

LINES = """import time
for i in range(1, 301):
    print(i)
    time.sleep(0.01)
"""


async def test_R88_output_error_output_and_exit_code(box):
    result = await box.commands.run("echo out; echo err >&2")
    assert (result.exit_code, result.stdout, result.stderr, result.error) == (0, "out\n", "err\n", None)


async def test_a_command_that_fails_says_everything(box):
    with pytest.raises(e2b.CommandExitException) as failure:
        await box.commands.run("echo before; echo why >&2; exit 7")
    assert (failure.value.exit_code, failure.value.stdout, failure.value.stderr) == (7, "before\n", "why\n")
    assert failure.value.error == "exit status 7"


async def test_the_environment_is_of_user_sandbox_command(box):
    result = await box.commands.run(
        'echo "$USER $HOME $OF_SANDBOX $OVERRIDDEN $HERE"', envs={"OVERRIDDEN": "command", "HERE": 'a "b" $c'}
    )
    assert result.stdout == 'user /home/user sandbox command a "b" $c\n'
    assert (await box.commands.run('echo "$OVERRIDDEN${HERE-unset}"')).stdout == "sandboxunset\n"


async def test_the_working_directory_and_its_absence(box):
    await box.files.make_dir("/home/user/work/inner")
    for cwd, wanted in [(None, "/home/user"), ("/tmp", "/tmp"), ("work/inner", "/home/user/work/inner"), ("~", "/home/user")]:
        assert (await box.commands.run("pwd", cwd=cwd)).stdout == f"{wanted}\n", cwd
    with pytest.raises(e2b.InvalidArgumentException):
        await box.commands.run("true", cwd="/not/there")


async def test_another_user_and_an_unknown_one(box):
    assert (await box.commands.run("whoami", user="root")).stdout == "root\n"
    with pytest.raises(e2b.AuthenticationException):
        await box.commands.run("true", user="nobody-here")


async def test_a_command_past_its_time_is_killed(box):
    with pytest.raises(e2b.TimeoutException):
        await box.commands.run("exec sleep 4242", timeout=1)
    left = lambda: box.commands.run('pgrep -fc "sleep [4]242" || true')  # noqa: E731
    await eventually("it is gone", left, lambda result: result.stdout.strip() == "0")


async def test_output_comes_while_it_is_made(face, box):
    heard = []
    opts = {"on_stdout": heard.append, "on_stderr": lambda text: heard.append("!" + text)}
    result = await box.commands.run("for i in 1 2 3; do echo $i; echo e$i >&2; sleep 0.2; done", **opts)
    assert "".join(text for text in heard if text[0] != "!") == result.stdout == "1\n2\n3\n"
    assert "".join(text[1:] for text in heard if text[0] == "!") == result.stderr


async def test_output_need_not_be_kept(box):
    heard = []
    result = await box.commands.run("echo heard", retain_output=False, on_stdout=heard.append)
    assert (result.stdout, result.exit_code, heard) == (None, 0, ["heard\n"])


async def test_a_background_command_is_listed_attached_to_and_killed(face, box):
    running = await face.start(box, "exec sleep 300", cwd="/tmp", envs={"A": "1"})
    listed = next(process for process in await box.commands.list() if process.pid == running.pid)
    assert (listed.cmd, listed.args, listed.cwd, listed.envs) == ("/bin/bash", ["-l", "-c", "exec sleep 300"], "/tmp", {"A": "1"})
    attached = await face.attach(box, running.pid)
    assert await running.handle.kill() is True
    for one in (running, attached):
        with pytest.raises(e2b.CommandExitException) as failure:
            await within(10, one.wait())
        assert (failure.value.exit_code, failure.value.error) == (-1, "signal: killed")
    if face.name == "async":
        handle = running.handle
        assert (handle.exit_code, handle.error, handle.stdout, handle.stderr) == (-1, "signal: killed", "", "")
    assert running.pid not in await pids(box)
    assert await running.handle.kill() is False
    assert await box.commands.kill(running.pid) is False


async def test_a_pid_that_never_was(face, box):
    with pytest.raises(e2b.NotFoundException):
        await face.attach(box, 999_999)
    with pytest.raises(e2b.NotFoundException):
        await box.commands.send_stdin(999_999, "x")
    with pytest.raises(e2b.NotFoundException):
        await box.commands.close_stdin(999_999)
    assert await box.commands.kill(999_999) is False


async def test_input_by_handle_and_pid_and_its_end(face, box):
    echo = await face.start(box, "exec cat", stdin=True)
    await echo.handle.send_stdin("first\n")
    await box.commands.send_stdin(echo.pid, "zweite ä\n".encode())
    await eventually("the echo", lambda: of(echo.stdout), lambda text: text == "first\nzweite ä\n")
    await echo.handle.close_stdin()
    assert (await within(10, echo.wait())).stdout == "first\nzweite ä\n"
    content = os.urandom(1 << 20)
    digest = await face.start(box, "exec sha256sum", stdin=True)
    for at in range(0, len(content), 1 << 18):
        await box.commands.send_stdin(digest.pid, content[at : at + (1 << 18)])
    await box.commands.close_stdin(digest.pid)
    assert (await within(30, digest.wait())).stdout.split()[0] == hashlib.sha256(content).hexdigest()


async def test_input_as_one_stream_in_its_order(face, box):
    echo = await face.start(box, "exec cat", stdin=True)
    parts = [f"line {i}\n" for i in range(200)]
    await within(30, face.stream_input(box.commands, echo.pid, [*parts, b"bytes too\n"]))
    wanted = "".join(parts) + "bytes too\n"
    await eventually("all came", lambda: of(echo.stdout), lambda text: text == wanted)
    # The end of the stream is not the end of the input.
    await box.commands.send_stdin(echo.pid, "more\n")
    await box.commands.close_stdin(echo.pid)
    assert (await within(10, echo.wait())).stdout == wanted + "more\n"


async def test_a_stream_of_input_to_nobody(face, box):
    with pytest.raises(e2b.NotFoundException):
        await within(15, face.stream_input(box.commands, 999_999, ["x"]))


async def test_a_handle_that_was_disconnected_leaves_its_process(face, box):
    running = await box.commands.run("exec sleep 300", background=True, timeout=0)
    await running.disconnect()
    assert running.pid in await pids(box)
    assert await box.commands.kill(running.pid) is True


async def test_large_and_cut_output(box):
    await box.commands.run("head -c 3145728 /dev/urandom | base64 -w0 > big")
    wanted = (await box.commands.run("sha256sum < big")).stdout.split()[0]
    text = (await box.commands.run("cat big")).stdout
    assert len(text) == 4_194_304
    assert hashlib.sha256(text.encode()).hexdigest() == wanted
    cut = await box.commands.run(r"printf '\xe2\x82'; sleep 0.2; printf '\xac\xff|'")
    assert cut.stdout == "€\ufffd|"


async def test_many_at_once(box):
    results = await asyncio.gather(*(box.commands.run(f"seq {i} {i + 200}; echo err {i} >&2") for i in range(20)))
    for i, result in enumerate(results):
        assert result.stdout == "".join(f"{i + n}\n" for n in range(201)), i
        assert result.stderr == f"err {i}\n"


async def test_R102_a_command_goes_through_a_capture(face, stage):
    sandbox = await stage.open()
    running = await face.start(sandbox, f"exec python3 -u -c '{LINES}'")
    await eventually("lines come", lambda: of(running.stdout.count("\n")), lambda n: n > 10)
    await stage.capture(sandbox)
    result = await within(30, running.wait())
    assert result.stdout == "".join(f"{i}\n" for i in range(1, 301))


async def test_F5_a_command_whose_sandbox_is_killed(face, stage):
    sandbox = await stage.open()
    running = await face.start(sandbox, "exec sleep 300")
    assert await sandbox.kill() is True
    with pytest.raises(e2b.SandboxNotRunningException):
        await within(10, running.wait())
    with pytest.raises(GONE):
        await sandbox.commands.run("true")


async def test_R165_a_command_whose_sandbox_is_paused(face, stage):
    sandbox = await stage.open()
    running = await face.start(sandbox, "exec sleep 300")
    assert await sandbox.pause() is True
    with pytest.raises(e2b.TimeoutException):
        await within(60, running.wait())
    with pytest.raises(GONE):
        await sandbox.commands.run("true")
    await face.Sandbox.connect(sandbox.sandbox_id)
    assert await sandbox.commands.kill(running.pid) is True
