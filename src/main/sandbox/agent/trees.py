"""Walking, copying and removing trees: work for a worker thread, which stops when told that nobody waits any more."""

import os
import stat
from collections.abc import Callable, Iterator

import errors
from errors import AgentError

Stopped = Callable[[], bool]


def walk(root: str, depth: int, stopped: Stopped) -> Iterator[os.DirEntry]:
    """Entries below the root, parents before children, names in byte order; links are named and not followed."""
    pending = [(iter(_sorted(root)), 1)]
    while pending:
        entries, level = pending[-1]
        entry = next(entries, None)
        if entry is None:
            pending.pop()
            continue
        _go_on(stopped)
        yield entry
        if level < depth and entry.is_dir(follow_symlinks=False):
            try:
                pending.append((iter(_sorted(entry.path)), level + 1))
            except FileNotFoundError:
                pass  # removed while we walked


def remove(path: str, stopped: Stopped) -> None:
    """Removes what is there; what is gone already is as it should be. Iterative: depth costs no stack."""
    pending = [path]
    while pending:
        _go_on(stopped)
        inside = _remove_one(pending[-1])
        if inside:
            pending.extend(inside)
        else:
            pending.pop()


def _remove_one(path: str) -> list[str]:
    """Removes a file or an empty directory; otherwise answers what must go first."""
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            os.unlink(path)
            return []
        try:
            os.rmdir(path)
            return []
        except OSError:
            with os.scandir(path) as found:
                inside = [entry.path for entry in found]
            if not inside:
                raise
            return inside
    except FileNotFoundError:
        return []


def copy(source: str, target: str, stopped: Stopped) -> None:
    """Copies a tree with modes, owners, times and links, for a move to another file system."""
    pending, directories = [(source, target)], []
    while pending:
        _go_on(stopped)
        origin, copied = pending.pop()
        found = os.lstat(origin)
        if stat.S_ISDIR(found.st_mode):
            os.mkdir(copied)
            directories.append((copied, found))
            pending.extend((e.path, os.path.join(copied, e.name)) for e in os.scandir(origin))
            continue
        if stat.S_ISLNK(found.st_mode):
            os.symlink(os.readlink(origin), copied)
        elif stat.S_ISREG(found.st_mode):
            _copy_content(origin, copied, stopped)
        elif stat.S_ISFIFO(found.st_mode):
            os.mkfifo(copied)
        else:
            raise AgentError(errors.INVALID_ARGUMENT, "a device or socket cannot be moved to another file system")
        _dress(copied, found)
    for copied, found in reversed(directories):
        _dress(copied, found)


def _copy_content(origin: str, copied: str, stopped: Stopped) -> None:
    with open(origin, "rb", buffering=0) as read, open(copied, "xb", buffering=0) as write:
        while chunk := read.read(1 << 20):
            _go_on(stopped)
            left = memoryview(chunk)
            while left:
                left = left[write.write(left) :]


def _dress(path: str, found: os.stat_result) -> None:
    os.chown(path, found.st_uid, found.st_gid, follow_symlinks=False)
    if not stat.S_ISLNK(found.st_mode):
        os.chmod(path, stat.S_IMODE(found.st_mode))
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns), follow_symlinks=False)


def _sorted(path: str) -> list[os.DirEntry]:
    with os.scandir(path) as found:
        return sorted(found, key=lambda entry: os.fsencode(entry.name))


def _go_on(stopped: Stopped) -> None:
    if stopped():
        raise AgentError(errors.FAILED_PRECONDITION, "the caller left")
