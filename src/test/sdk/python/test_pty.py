"""Terminals: size, resize, job control, full-screen programs, endings."""

import asyncio
import re

import e2b
import pytest
from e2b import PtySize

from stage import eventually, of, pids, within

pytestmark = pytest.mark.anyio
SIZE = PtySize(rows=24, cols=80)


class Terminal:
    """Read as a person reads it: by what has come so far."""

    def __init__(self, sandbox, running):
        self.sandbox = sandbox
        self.running = running

    @classmethod
    async def open(cls, face, sandbox, size=SIZE, **opts):
        return cls(sandbox, await face.terminal(sandbox, size, **opts))

    @property
    def shown(self):
        return self.running.screen.decode(errors="replace")

    async def type(self, text):
        await self.sandbox.pty.send_stdin(self.running.pid, text.encode())

    async def shows(self, pattern, since=0):
        found = await eventually(
            f"the terminal shows {pattern}",
            lambda: of((re.search(pattern, self.shown[since:]), self.shown[since:])),
            lambda found: found[0],
        )
        return found[0]

    async def answer(self, line, pattern):
        since = len(self.shown)
        await self.type(f"{line}\n")
        return await self.shows(pattern, since)


async def test_a_terminal_of_its_size_with_name_and_echo(face, box):
    terminal = await Terminal.open(face, box, PtySize(rows=37, cols=101))
    await terminal.answer("echo $((40+2)) && tput cols && tput lines", r"echo \$\(\(40[\s\S]*42\r\n101\r\n37\r\n")
    await terminal.answer('test -t 0 && echo is$((1))tty "$TERM" "$LANG"', r"is1tty xterm-256color C\.UTF-8")
    await terminal.answer('echo "$OF_SANDBOX $(whoami) $PWD" end$((1))', "sandbox user /home/user end1")
    assert await box.pty.kill(terminal.running.pid) is True


async def test_a_resize_reaches_a_running_program(face, box):
    terminal = await Terminal.open(face, box)
    await terminal.answer("echo re$((1))ady", "re1ady")
    await box.files.write(
        "/home/user/size.py",
        "import os, signal, time\n"
        "signal.signal(signal.SIGWINCH, lambda *_: print('size', *os.get_terminal_size(0), flush=True))\n"
        "print('waiting', flush=True)\n"
        "for _ in range(300): time.sleep(0.1)\n",
    )
    await terminal.answer("python3 size.py", "waiting")
    await box.pty.resize(terminal.running.pid, PtySize(rows=50, cols=132))
    await terminal.shows("size 132 50")
    await terminal.type("\x03")
    await terminal.answer("tput cols", "132\r\n")
    await terminal.running.handle.kill()


async def test_job_control(face, box):
    terminal = await Terminal.open(face, box)
    await terminal.answer("echo re$((1))ady", "re1ady")
    await terminal.type("sleep 600\n")
    asleep = lambda: box.commands.run('pgrep -fc "^sleep [6]00" || true')  # noqa: E731
    await eventually("it sleeps", asleep, lambda result: result.stdout.strip() != "0")
    since = len(terminal.shown)
    await terminal.type("\x1a")
    await terminal.shows("Stopped", since)
    await terminal.answer("bg; echo in$((1))bg", "in1bg")
    await terminal.answer("jobs", r"Running[\s\S]*sleep 600")
    since = len(terminal.shown)
    await terminal.type("fg\n")
    await terminal.shows(r"fg\r\n[\s\S]*sleep 600\r\n", since)
    # The shell says what it brings to the front before it lets go of the terminal.
    await asyncio.sleep(0.3)
    await terminal.type("\x03")
    await terminal.answer('echo "code $?" no$((1))jobs', "code 130 no1jobs")
    await terminal.running.handle.kill()


async def test_input_as_one_stream(face, box):
    terminal = await Terminal.open(face, box)
    await terminal.answer("echo re$((1))ady", "re1ady")
    await within(20, face.stream_input(box.pty, terminal.running.pid, ["echo strea", b"med$((1))", "here\n"]))
    await terminal.shows("streamed1here")
    await terminal.running.handle.kill()


async def test_another_client_attaches_and_both_hear(face, box):
    first = await Terminal.open(face, box)
    await first.answer("echo re$((1))ady", "re1ady")
    second = Terminal(box, await face.attach_terminal(box, first.running.pid))
    await second.answer("echo both$((1))hear", "both1hear")
    await first.shows("both1hear")
    assert await box.pty.kill(first.running.pid) is True


async def test_the_end_of_the_shell_is_the_end_with_its_code(face, box):
    terminal = await Terminal.open(face, box)
    await terminal.type("exit 3\n")
    with pytest.raises(e2b.CommandExitException) as failure:
        await within(15, terminal.running.wait())
    assert failure.value.exit_code == 3


async def test_user_directory_list_and_kill(face, box):
    terminal = await Terminal.open(face, box, user="root", cwd="/tmp", envs={"MINE": "m"})
    await terminal.answer('echo "$(whoami) $PWD $MINE" as$((1))asked', "root /tmp m as1asked")
    pid = terminal.running.pid
    assert pid in await pids(box)
    assert await box.pty.kill(pid) is True
    await eventually("it is gone", lambda: pids(box), lambda now: pid not in now)
    assert await box.pty.kill(pid) is False
    with pytest.raises(e2b.NotFoundException):
        await box.pty.send_stdin(999_999, b"x")
    with pytest.raises(e2b.NotFoundException):
        await box.pty.resize(999_999, SIZE)
    with pytest.raises(e2b.InvalidArgumentException):
        await face.terminal(box, SIZE, cwd="/not/there")


async def test_a_terminal_past_its_time_ends(face, box):
    running = await face.terminal(box, SIZE, timeout=1.5)
    with pytest.raises(e2b.TimeoutException):
        await within(15, running.wait())


async def test_R102_a_terminal_goes_through_a_capture(face, stage):
    sandbox = await stage.open()
    terminal = await Terminal.open(face, sandbox)
    await terminal.answer("echo be$((1))fore; X=kept", "be1fore")
    await stage.capture(sandbox)
    await terminal.answer("echo af$((1))ter $X", "af1ter kept")
    await terminal.running.handle.kill()
