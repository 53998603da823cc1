"""Starts a process as a user of the sandbox: on pipes, or on a terminal of its own.

On pipes the C function behind the standard library's subprocess does all work between fork and exec; nothing of Python runs in
the child. It is called directly because importing subprocess costs as much as starting a process, and because it alone can
change the user without a Python callback. It has no way to take a controlling terminal, so a terminal's child is forked here.
All descriptors of the agent close on exec, so none is closed by hand.
"""

import _posixsubprocess
import errno
import fcntl
import os
import signal
import struct
import termios

import errors
from errors import AgentError
from record import record
from users import User

UMASK = 0o022


@record
class Launch:
    path: str
    argv: list
    env: dict
    cwd: str
    user: User

    def argv_bytes(self) -> list[bytes]:
        return [os.fsencode(a) for a in self.argv]

    def env_bytes(self) -> list[bytes]:
        return [os.fsencode(n) + b"=" + os.fsencode(v) for n, v in self.env.items()]


@record
class Spawned:
    """The agent's ends; stderr is None for a terminal, stdin None when the process reads /dev/null."""

    pid: int
    stdin: int | None
    stdout: int
    stderr: int | None


def on_pipes(launch: Launch, with_stdin: bool, keep: tuple = ()) -> Spawned:
    """The process also gets the descriptors to keep, under the numbers they have here."""
    mine, theirs = [], []
    try:
        if with_stdin:
            child_in, my_in = os.pipe2(os.O_CLOEXEC)
        else:
            child_in, my_in = os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC), None
        theirs.append(child_in)
        mine += [my_in] if with_stdin else []
        for _ in ("stdout", "stderr"):
            read, write = os.pipe2(os.O_CLOEXEC)
            mine.append(read)
            theirs.append(write)
        for fd in mine:
            os.set_blocking(fd, False)
        pid = _fork_exec(launch, *theirs, keep)
        return Spawned(pid, my_in, mine[-2], mine[-1])
    except BaseException:
        _close(mine)
        raise
    finally:
        _close(theirs)


def with_input(launch: Launch, stdin: int) -> int:
    """Starts a process of the agent's own: that descriptor as its input, the agent's errors as its output. Answers its pid."""
    return _fork_exec(launch, stdin, 2, 2)


def _fork_exec(launch: Launch, stdin: int, stdout: int, stderr: int, keep: tuple = ()) -> int:
    failed, report = os.pipe2(os.O_CLOEXEC)
    user = launch.user
    try:
        pid = _posixsubprocess.fork_exec(
            launch.argv_bytes(), (os.fsencode(launch.path),), False, keep, os.fsencode(launch.cwd), launch.env_bytes(),
            stdin, -1, -1, stdout, -1, stderr, failed, report,
            True, True, -1, user.gid, user.groups(), user.uid, UMASK, None, False,
        )  # fmt: skip
    finally:
        os.close(report)
    try:
        said = os.read(failed, 1024)
    finally:
        os.close(failed)
    if said:
        number = int(said.split(b":")[1] or b"0", 16)
        raise _refused(launch, number, b"noexec" in said)
    return pid


def on_terminal(launch: Launch, cols: int, rows: int) -> Spawned:
    master, slave = os.openpty()
    failed, report = os.pipe2(os.O_CLOEXEC)
    groups, argv, env = launch.user.groups(), launch.argv_bytes(), launch.env_bytes()
    try:
        resize(master, cols, rows)
        os.fchown(slave, launch.user.uid, -1)
        os.set_blocking(master, False)
        pid = os.fork()
        if pid == 0:
            _become(launch, slave, report, groups, argv, env)
    except BaseException:
        _close([master, failed])
        raise
    finally:
        _close([slave, report])
    said = os.read(failed, 16)
    os.close(failed)
    if said:
        os.close(master)
        raise _refused(launch, int(said), False)
    return Spawned(pid, None, master, None)


def _become(launch: Launch, slave: int, report: int, groups, argv, env) -> None:
    """In the child: never returns."""
    try:
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for fd in (0, 1, 2):
            os.dup2(slave, fd)
        os.chdir(launch.cwd)
        os.umask(UMASK)
        os.setgroups(groups)
        os.setgid(launch.user.gid)
        os.setuid(launch.user.uid)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.execve(os.fsencode(launch.path), argv, dict(e.split(b"=", 1) for e in env))
    except OSError as failure:
        os.write(report, b"%d" % failure.errno)
    finally:
        os._exit(255)


def resize(master: int, cols: int, rows: int) -> None:
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def announce_size(session: int) -> None:
    """Tells the programs of a terminal that its size is another; what does not care about SIGWINCH ignores it.

    Setting the size tells nobody inside gVisor, and the foreground group cannot be asked for from outside the session: so
    every group of the session hears it.
    """
    groups = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name, "rb") as stat:
                    # The command before it may hold blanks and brackets.
                    fields = stat.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                groups.add(int(fields[2]))
    for group in groups:
        try:
            os.killpg(group, signal.SIGWINCH)
        except OSError:
            pass


def find_command(cmd: str, cwd: str, path: str) -> str:
    """The file that a shell of the user would start."""
    places = [cwd] if "/" in cmd else [os.path.join(cwd, p) for p in path.split(":")]
    found = None
    for place in places:
        file = os.path.join(place, cmd)
        try:
            mode = os.stat(file).st_mode
        except (OSError, ValueError):
            continue
        if mode & 0o170000 == 0o100000:
            if mode & 0o111:
                return file
            found = found or file
    if found:
        raise AgentError(errors.PERMISSION_DENIED, "'%s' is not executable" % cmd)
    raise AgentError(errors.NOT_FOUND, "there is no command '%s'" % cmd)


def _refused(launch: Launch, number: int, before_exec: bool) -> AgentError:
    if number in (errno.EAGAIN, errno.ENOMEM):
        return AgentError(errors.RESOURCE_EXHAUSTED, "user '%s' has no process left" % launch.user.name)
    subject = launch.cwd if before_exec else launch.argv[0]
    return errors.of_os_error(OSError(number, os.strerror(number)), subject)


def _close(fds: list) -> None:
    for fd in fds:
        os.close(fd)
