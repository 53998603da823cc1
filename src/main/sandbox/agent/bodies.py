"""Reading and writing the content of regular files, in pieces as credit allows."""

import os
import stat

import attributes
import errors
import requests
import users
from errors import AgentError, of_os_error
from files import entry, make_directories
from stream import Call, Stream
from users import Names, User

MAX_GENERATED = 1024 * 1024


class Reading(Call):
    """Sends exactly the promised bytes; a file that shrinks meanwhile is an error, never a short answer."""

    def __init__(self, stream: Stream, fd: int, left: int):
        self._stream = stream
        self._fd = fd
        self._left = left
        stream.call = self
        stream.pull_from(self._take)

    def closed(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _take(self, most: int) -> bytes:
        if not self._left:
            self.closed()
            self._stream.end({})
            return b""
        body = os.read(self._fd, min(most, self._left))
        self._left -= len(body)
        if not body:
            self.closed()
            raise AgentError(errors.FAILED_PRECONDITION, "the file became shorter while it was read")
        return body


class Writing(Call):
    def __init__(self, stream: Stream, path: str, fd: int, user: User):
        self._stream = stream
        self._path = path
        self._fd = fd
        self._user = user
        stream.call = self

    def data(self, body: bytes, last: bool) -> None:
        try:
            left = memoryview(body)
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError as failure:
            self.closed()
            raise of_os_error(failure, self._path) from None
        self._stream.grant(len(body))
        if last:
            self._finish()

    def closed(self) -> None:
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def _finish(self) -> None:
        try:
            self.closed()
        except OSError as failure:
            raise of_os_error(failure, self._path) from None
        self._stream.end({"entry": entry(self._path, Names())})


def read(stream: Stream, request: requests.FileRead) -> None:
    path = users.resolve(users.find(request.user), request.path)
    fd = _open(path, os.O_RDONLY)
    try:
        size = os.fstat(fd).st_size
        generated = b"" if size else _generated(fd)
        if generated:
            os.close(fd)
            fd = _in_memory(generated)
            size = len(generated)
        offset = request.offset if request.offset >= 0 else max(0, size + request.offset)
        left = max(0, size - offset)
        if request.length is not None:
            left = min(left, request.length)
        os.lseek(fd, min(offset, size), os.SEEK_SET)
    except BaseException:
        os.close(fd)
        raise
    stream.accept({"size": size, "length": left})
    Reading(stream, fd, left)


def write(stream: Stream, request: requests.FileWrite) -> None:
    """In place: the file keeps its mode and its links; a new one is 0644. It belongs to the acting user afterwards.

    Watchers of a new file are told that it was made, handed over and written, and nothing else.
    """
    user = users.find(request.user)
    path = users.resolve(user, request.path)
    make_directories(os.path.dirname(path), user)
    fd = _open(path, os.O_WRONLY | os.O_CREAT)
    try:
        if os.fstat(fd).st_size:
            os.ftruncate(fd, 0)
        os.fchown(fd, user.uid, user.gid)
        attributes.replace(fd, path, request.metadata or {})
    except AgentError:
        os.close(fd)
        raise
    except OSError as failure:
        os.close(fd)
        raise of_os_error(failure, path) from None
    stream.accept({})
    Writing(stream, path, fd, user)


def _open(path: str, flags: int) -> int:
    """Only regular files: a pipe or a device could hold up process 1."""
    try:
        fd = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, 0o644)
    except OSError as failure:
        raise of_os_error(failure, path) from None
    mode = os.fstat(fd).st_mode
    if stat.S_ISREG(mode):
        return fd
    os.close(fd)
    if stat.S_ISDIR(mode):
        raise AgentError(errors.IS_A_DIRECTORY, "'%s' is a directory" % path)
    raise AgentError(errors.INVALID_ARGUMENT, "'%s' is no regular file" % path)


def _generated(fd: int) -> bytes:
    """Files of /proc say size 0 and have content nevertheless."""
    chunks, size = [], 0
    while chunk := os.read(fd, 65536):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_GENERATED:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "the file has no size and more than %d bytes" % MAX_GENERATED)
    return b"".join(chunks)


def _in_memory(content: bytes) -> int:
    fd = os.memfd_create("content", os.MFD_CLOEXEC)
    left = memoryview(content)
    while left:
        left = left[os.write(fd, left) :]
    return fd
