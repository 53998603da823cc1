"""Watching directories: one inotify descriptor for each watch, read by the one loop.

Walking a tree is cut into turns, because a large one would hold up everything else. A directory is given its inotify watch before
it is listed, so what is made in it is seen by one of the two, and what both see is told once.
"""

import errno
import fcntl
import json
import os
import posixpath
import stat
import struct
import termios
from collections import deque
from collections.abc import Callable

import errors
import frames
import requests
import users
from errors import AgentError, of_os_error
from files import entry
from loop import READ, Loop
from stream import Call, Stream
from users import Names

MAX_WATCHES = 100
MAX_DIRECTORIES = 16 * 1024
MAX_PENDING = 2 * 1024 * 1024
_TURN = 64
_READS = 4
_BUFFER = 64 * 1024

_MODIFY, _ATTRIB, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x4, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _UNMOUNT, _OVERFLOW, _IGNORED, _IS_DIR = 0x400, 0x800, 0x2000, 0x4000, 0x8000, 0x40000000
_ONLY_DIR, _DONT_FOLLOW = 0x1000000, 0x2000000
_INSIDE = _MODIFY | _ATTRIB | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE
_TYPES = ((_CREATE | _MOVED_TO, "create"), (_DELETE, "remove"), (_MOVED_FROM, "rename"), (_MODIFY, "write"), (_ATTRIB, "chmod"))
_WITH_ENTRY = ("create", "write", "chmod")
_HEAD = struct.Struct("iIII")
_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


class Watches:
    """All open watches of the sandbox, and how many directories they cover together."""

    def __init__(self, loop: Loop):
        self.loop = loop
        self.directories = 0
        self._open = 0
        self._inotify = None

    def begin(self, stream: Stream, request: requests.FileWatch) -> None:
        path = users.resolve(users.find(request.user), request.path)
        try:
            found = os.stat(path)
        except OSError as failure:
            raise of_os_error(failure, path) from None
        if not stat.S_ISDIR(found.st_mode):
            raise AgentError(errors.NOT_A_DIRECTORY, "'%s' is no directory" % path)
        if self._open >= MAX_WATCHES:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "%d watches are open" % MAX_WATCHES)
        if self._inotify is None:
            self._inotify = Inotify()
        watch = Watch(self, self._inotify, stream, path, request)
        self._open += 1
        watch.begin()

    def ended(self, directories: int) -> None:
        self._open -= 1
        self.directories -= directories


class Inotify:
    """The three calls that the standard library does not have. Made at the first watch: ctypes takes its time to import."""

    def __init__(self):
        import ctypes

        self._errno = ctypes.get_errno
        self._library = ctypes.CDLL(None, use_errno=True)

    def open(self) -> int:
        return self._checked(self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))

    def add(self, fd: int, path: str, mask: int) -> int:
        return self._checked(self._library.inotify_add_watch(fd, os.fsencode(path), mask))

    def remove(self, fd: int, directory: int) -> None:
        self._library.inotify_rm_watch(fd, directory)

    def _checked(self, result: int) -> int:
        if result < 0:
            number = self._errno()
            if number in (errno.ENOSPC, errno.EMFILE):
                raise AgentError(errors.RESOURCE_EXHAUSTED, "the kernel has no room for another watch")
            raise OSError(number, os.strerror(number))
        return result


class Directory:
    """One directory of a watch: its path below the root, and names that its listing told and inotify may tell once more."""

    def __init__(self, path: str):
        self.path = path
        self.told = set()


class Watch(Call):
    """One stream of events: lines of JSON, {name, type, entry?}, and {mark} after all that happened before it was asked for."""

    def __init__(self, watches: Watches, inotify: Inotify, stream: Stream, root: str, request: requests.FileWatch):
        self._watches = watches
        self._inotify = inotify
        self._stream = stream
        self._root = root
        self._recursive = request.recursive
        self._entries = request.entries
        self._names = Names()
        self._fd = -1
        self._directories = {}
        self._unlisted = deque()
        self._told = deque()
        self._read_bytes = 0
        self._moved = None
        self._accepted = False
        self._over = False
        self._pending = deque()
        self._pending_bytes = 0

    def begin(self) -> None:
        self._stream.call = self
        self._guarded(self._open)
        self._list_some()

    def _open(self) -> None:
        self._fd = self._inotify.open()
        self._add("", _INSIDE | _DELETE_SELF | _MOVE_SELF | _ONLY_DIR)
        self._watches.loop.watch(self._fd, READ, self._ready)
        self._unlisted.append(("", False))

    # The stream

    def room(self) -> None:
        self._send()

    def data(self, body: bytes, last: bool) -> None:
        """Each byte asks for a mark behind what has happened so far."""
        self._stream.grant(len(body))
        self._guarded(lambda: self._mark(len(body)))

    def closed(self) -> None:
        if self._over:
            return
        self._over = True
        if self._fd >= 0:
            self._watches.loop.watch(self._fd, 0, self._ready)
            os.close(self._fd)
        self._watches.ended(len(self._directories))
        self._directories.clear()
        self._unlisted.clear()
        self._pending.clear()

    def _mark(self, count: int) -> None:
        self._read_turn()
        for _ in range(count):
            self._queue({"mark": True})
        self._send()

    def _fail(self, code: str, message: str) -> None:
        self.closed()
        self._stream.fail(AgentError(code, message))

    def _guarded(self, action: Callable) -> None:
        """What goes wrong ends this watch and nothing else."""
        if self._over:
            return
        try:
            action()
        except AgentError as failure:
            self._fail(failure.code, failure.message)
        except OSError as failure:
            refused = of_os_error(failure, self._root)
            self._fail(refused.code, refused.message)

    def _queue(self, line: dict) -> None:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
        self._pending.append(text)
        self._pending_bytes += len(text)
        if self._pending_bytes > MAX_PENDING:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "events were lost: they were not read as fast as they came")

    def _send(self) -> None:
        while self._pending and (room := min(self._stream.allowance(), frames.MAX_BODY)) > 0:
            parts, size = [], 0
            while self._pending and size < room:
                text = self._pending.popleft()
                if len(text) > room - size:
                    self._pending.appendleft(text[room - size :])
                    text = text[: room - size]
                parts.append(text)
                size += len(text)
            self._pending_bytes -= size
            self._stream.push(frames.BODY, b"".join(parts))

    # Directories

    def _path(self, name: str) -> str:
        return posixpath.join(self._root, name) if name else self._root

    def _add(self, name: str, mask: int) -> Directory:
        if self._watches.directories >= MAX_DIRECTORIES:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "more than %d directories would be watched" % MAX_DIRECTORIES)
        number = self._inotify.add(self._fd, self._path(name), mask)
        known = self._directories.get(number)
        if known is not None:
            known.path = name
            return known
        self._watches.directories += 1
        added = self._directories[number] = Directory(name)
        return added

    def _list_some(self) -> None:
        self._guarded(self._list_turn)

    def _list_turn(self) -> None:
        """A few directories, then others have their turn; the first time through ends with the accept."""
        for _ in range(_TURN):
            if not self._unlisted:
                break
            self._list(*self._unlisted.popleft())
        self._send()
        if self._unlisted:
            self._watches.loop.from_thread(self._list_some)
        elif not self._accepted:
            self._accepted = True
            self._stream.accept({})

    def _list(self, name: str, new: bool) -> None:
        """Watches what is inside; of a new directory everything inside is new as well."""
        if not self._recursive:
            return
        try:
            directory = self._add(name, _INSIDE | _ONLY_DIR | _DONT_FOLLOW) if name else None
            with os.scandir(self._path(name)) as found:
                inside = list(found)
        except OSError as failure:
            if failure.errno in _GONE:
                return  # what is gone already inotify tells; what cannot be named cannot be watched
            raise
        for found in inside:
            below = posixpath.join(name, found.name)
            if new:
                directory.told.add(found.name)
                self._tell_new(below, found)
            if found.is_dir(follow_symlinks=False):
                self._unlisted.append((below, new))
        if new and directory.told:
            self._told.append((self._read_bytes + self._unread(), directory))

    def _tell_new(self, name: str, found: os.DirEntry) -> None:
        """Its creation, and that it has content: both may have happened before anybody watched."""
        self._tell(name, "create")
        try:
            if found.is_file(follow_symlinks=False) and found.stat(follow_symlinks=False).st_size:
                self._tell(name, "write")
        except FileNotFoundError:
            pass

    def _unread(self) -> int:
        waiting = fcntl.ioctl(self._fd, termios.FIONREAD, bytes(4))
        return int.from_bytes(waiting, "little")

    def _forget_below(self, name: str) -> None:
        for number, directory in list(self._directories.items()):
            if directory.path == name or directory.path.startswith(name + "/"):
                self._inotify.remove(self._fd, number)
                self._forget(number)

    def _forget(self, number: int) -> None:
        if self._directories.pop(number, None) is not None:
            self._watches.directories -= 1

    def _rename_below(self, name: str, now: str) -> None:
        for directory in self._directories.values():
            if directory.path == name or directory.path.startswith(name + "/"):
                directory.path = now + directory.path[len(name) :]

    # Events

    def _ready(self, events: int) -> None:
        self._guarded(self._read_turn)

    def _read_turn(self) -> None:
        for _ in range(_READS):
            try:
                data = os.read(self._fd, _BUFFER)
            except BlockingIOError:
                break
            at = 0
            while at < len(data):
                number, mask, cookie, length = _HEAD.unpack_from(data, at)
                name = data[at + _HEAD.size : at + _HEAD.size + length].rstrip(b"\0")
                at += _HEAD.size + length
                self._read_bytes += _HEAD.size + length
                self._happened(number, mask, cookie, os.fsdecode(name))
        self._left()
        while self._told and self._told[0][0] <= self._read_bytes:
            self._told.popleft()[1].told.clear()
        if self._unlisted and self._accepted:
            self._list_turn()
        self._send()

    def _happened(self, number: int, mask: int, cookie: int, name: str) -> None:
        if mask & _OVERFLOW:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "events were lost: more happened at once than the kernel keeps")
        directory = self._directories.get(number)
        if directory is None:
            return
        if mask & (_IGNORED | _UNMOUNT):
            self._forget(number)
        elif not name:
            self._happened_to_root(directory, mask)
        else:
            self._happened_inside(directory, mask, cookie, name)

    def _happened_to_root(self, directory: Directory, mask: int) -> None:
        """Directories below the root are told of by their parents."""
        if directory.path:
            return
        if mask & _DELETE_SELF:
            self._tell(".", "remove")
        elif mask & _MOVE_SELF:
            self._tell(".", "rename")
        elif mask & _ATTRIB:
            self._tell(".", "chmod")

    def _happened_inside(self, directory: Directory, mask: int, cookie: int, name: str) -> None:
        path = posixpath.join(directory.path, name)
        if mask & (_CREATE | _MOVED_TO) and name in directory.told:
            directory.told.discard(name)
            return
        if mask & (_DELETE | _MOVED_FROM):
            directory.told.discard(name)
        for bits, kind in _TYPES:
            if mask & bits:
                self._tell(path, kind)
        if self._recursive and mask & _IS_DIR:
            self._directory_came_or_went(path, mask, cookie)

    def _directory_came_or_went(self, path: str, mask: int, cookie: int) -> None:
        if mask & _MOVED_FROM:
            self._left()
            self._moved = (cookie, path)
        elif mask & _MOVED_TO and self._moved is not None and self._moved[0] == cookie:
            # Moved within the tree: its watches have moved with it.
            self._rename_below(self._moved[1], path)
            self._moved = None
        elif mask & (_CREATE | _MOVED_TO):
            self._unlisted.append((path, True))

    def _left(self) -> None:
        """A directory that was moved and came nowhere in this tree is watched no more."""
        if self._moved is not None:
            (_, path), self._moved = self._moved, None
            self._forget_below(path)

    def _tell(self, name: str, kind: str) -> None:
        if not self._accepted:
            return
        line = {"name": name, "type": kind}
        if self._entries and kind in _WITH_ENTRY:
            try:
                line["entry"] = entry(self._path("" if name == "." else name), self._names)
            except AgentError:
                pass  # gone already
        self._queue(line)
