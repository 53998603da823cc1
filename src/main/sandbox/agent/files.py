"""Files of the sandbox. The agent acts as root and hands what it makes to the acting user."""

import errno
import json
import os
import posixpath
import stat

import attributes
import errors
import requests
import trees
import users
from errors import AgentError, of_os_error
from loop import Workers
from stream import Call, Stream
from users import Names, User

MAX_LISTING = 32 * 1024 * 1024
_TYPES = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "symlink"}
_LETTERS = {stat.S_IFDIR: "d", stat.S_IFLNK: "L", stat.S_IFCHR: "Dc", stat.S_IFBLK: "D", stat.S_IFIFO: "p", stat.S_IFSOCK: "S"}


class Files:
    def __init__(self, workers: Workers):
        self._workers = workers

    def stat(self, request: requests.FilePath) -> dict:
        return {"entry": entry(_path(request), Names())}

    def list(self, stream: Stream, request: requests.FileList) -> None:
        root = _path(request)
        job = Job(stream)
        self._workers.run(lambda: _listing(root, request, job.stopped), lambda text, failure: _send_listing(job, root, text, failure))

    def make_dir(self, request: requests.FilePath) -> dict:
        user = users.find(request.user)
        path = users.resolve(user, request.path)
        if os.path.isdir(path):
            raise AgentError(errors.ALREADY_EXISTS, "'%s' exists" % path)
        if os.path.lexists(path):
            raise AgentError(errors.INVALID_ARGUMENT, "'%s' exists and is no directory" % path)
        make_directories(path, user)
        return {"entry": entry(path, Names())}

    def move(self, stream: Stream, request: requests.FileMove) -> None:
        user = users.find(request.user)
        source, target = users.resolve(user, request.source), users.resolve(user, request.destination)
        try:
            os.lstat(source)
            make_directories(posixpath.dirname(target), user)
            os.rename(source, target)
        except OSError as failure:
            if failure.errno != errno.EXDEV:
                raise of_os_error(failure, request.source) from None
            job = Job(stream)
            self._workers.run(lambda: _move_across(source, target, job.stopped), lambda _, f: _done(job, source, f, lambda: _moved(target)))
            return
        stream.end(_moved(target))

    def remove(self, stream: Stream, request: requests.FilePath) -> None:
        path = _path(request)
        if path == "/":
            raise AgentError(errors.INVALID_ARGUMENT, "the root directory cannot be removed")
        try:
            os.unlink(path)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError:
            job = Job(stream)
            self._workers.run(lambda: trees.remove(path, job.stopped), lambda _, f: _done(job, path, f, dict))
            return
        stream.end({})


class Job(Call):
    """A stream whose operation runs on a worker thread; it stops soon after the stream has gone."""

    def __init__(self, stream: Stream):
        self.stream = stream
        self._gone = False
        stream.call = self

    def closed(self) -> None:
        self._gone = True

    def stopped(self) -> bool:
        return self._gone


def entry(path: str, names: Names) -> dict:
    """What is at the path; a link tells the type and the mode of what it leads to, if that exists."""
    try:
        found = os.lstat(path)
    except OSError as failure:
        raise of_os_error(failure, path) from None
    shown = {"name": posixpath.basename(path) or "/", "path": path, "permissions": _permissions(found.st_mode)}
    mode = found.st_mode
    if stat.S_ISLNK(mode):
        try:
            shown["target"] = os.path.realpath(path, strict=True)
            mode = os.stat(path).st_mode
        except OSError:
            shown["target"] = os.path.realpath(path)
    shown.update(type=_TYPES.get(stat.S_IFMT(mode), "other"), mode=stat.S_IMODE(mode), size=found.st_size)
    shown.update(owner=names.owner(found.st_uid), group=names.group(found.st_gid), modified=found.st_mtime_ns)
    if stat.S_ISREG(mode):
        metadata = attributes.read(path)
        if metadata:
            shown["metadata"] = metadata
    return shown


def make_directories(path: str, user: User) -> None:
    """Makes what is missing of the path, each new directory 0755 and the user's."""
    missing = []
    while not os.path.isdir(path):
        if os.path.lexists(path):
            raise AgentError(errors.NOT_A_DIRECTORY, "'%s' is no directory" % path)
        missing.append(path)
        path = posixpath.dirname(path)
    for directory in reversed(missing):
        try:
            os.mkdir(directory, 0o755)
            os.chown(directory, user.uid, user.gid)
        except FileExistsError:
            pass
        except OSError as failure:
            raise of_os_error(failure, directory) from None


def _listing(root: str, request: requests.FileList, stopped: trees.Stopped) -> bytes:
    """One JSON text per line: a listing can be larger than a single answer may be."""
    if not stat.S_ISDIR(os.stat(root).st_mode):
        raise AgentError(errors.NOT_A_DIRECTORY, "'%s' is no directory" % root)
    names, lines, size = Names(), [], 0
    for found in trees.walk(root, request.depth, stopped):
        try:
            shown = entry(found.path, names)
        except AgentError:
            continue  # removed while we walked
        lines.append(json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace"))
        size += len(lines[-1]) + 1
        if len(lines) > request.limit or size > MAX_LISTING:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "'%s' has more entries than a listing can hold" % root)
    return b"\n".join(lines)


def _send_listing(job: Job, root: str, text: bytes | None, failure: Exception | None) -> None:
    if failure is not None:
        _done(job, root, failure, dict)
    else:
        send_text(job.stream, text)


def send_text(stream: Stream, text: bytes) -> None:
    stream.accept({"size": len(text)})
    left = memoryview(text)

    def take(most: int) -> bytes:
        nonlocal left
        body, left = bytes(left[:most]), left[most:]
        if not body:
            stream.end({})
        return body

    stream.pull_from(take)


def _move_across(source: str, target: str, stopped: trees.Stopped) -> None:
    if os.path.isdir(target) and not os.path.islink(target):
        os.rmdir(target)
    elif os.path.lexists(target):
        os.unlink(target)
    trees.copy(source, target, stopped)
    trees.remove(source, stopped)


def _moved(target: str) -> dict:
    return {"entry": entry(target, Names())}


def _done(job: Job, subject: str, failure: Exception | None, result) -> None:
    if failure is None:
        job.stream.end(result())
    elif isinstance(failure, AgentError):
        job.stream.fail(failure)
    elif isinstance(failure, OSError):
        job.stream.fail(of_os_error(failure, subject))
    else:
        job.stream.fail(AgentError(errors.INTERNAL, type(failure).__name__))


def _path(request) -> str:
    return users.resolve(users.find(request.user), request.path)


def _permissions(mode: int) -> str:
    """`drwxr-xr-x` and its kin, with the letters that Go prints: type, setuid, setgid and sticky in front of nine."""
    letters = _LETTERS.get(stat.S_IFMT(mode), "")
    for bit, letter in ((stat.S_ISUID, "u"), (stat.S_ISGID, "g"), (stat.S_ISVTX, "t")):
        letters += letter if mode & bit else ""
    bits = "".join(c if mode & 1 << 8 - i else "-" for i, c in enumerate("rwxrwxrwx"))
    return (letters or "-") + bits
