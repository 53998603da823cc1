"""Looks into a sandbox for its host: lists, reads and packs what is in its file system, and tells of its processes.

It travels with each request, because the agent in a saved memory is as old as its snapshot and knows nothing new. One argument
says what to do, as JSON; the answer is lines of JSON, or one such line and bytes behind it. Paths are bytes, in base64. What is
refused is a line {"error": code, "message": ...}. Standard library only, and nothing is written anywhere.
"""

import base64
import hashlib
import json
import os
import signal
import stat
import sys
import tarfile
import time

# What the machine makes up, and what the agent keeps for itself.
PSEUDO = (b"/proc", b"/sys", b"/dev", b"/run/holdfast")
PIECE = 1 << 16
NAMES = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "character",
    stat.S_IFBLK: "block",
}


class Refused(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def encoded(data):
    return base64.b64encode(data).decode("ascii")


def write(data):
    left = memoryview(data)
    while left:
        left = left[os.write(1, left) :]


class Lines:
    """Gathers lines, so that few writes carry many."""

    def __init__(self):
        self._waiting = bytearray()

    def add(self, value):
        self._waiting += json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n"
        if len(self._waiting) >= PIECE:
            self.flush()

    def flush(self):
        write(self._waiting)
        self._waiting = bytearray()


def shown(path):
    return path.decode("utf-8", "replace")


def refused(failure, path):
    """What an error of the system means to who asked."""
    if isinstance(failure, (FileNotFoundError, NotADirectoryError)):
        return Refused("not_found", "there is nothing at %s" % shown(path))
    return Refused("failed_precondition", "%s: %s" % (shown(path), failure.strerror))


def resolved(path):
    """Where a path leads, its links followed; what the machine itself shows is not of the snapshot."""
    try:
        real = os.path.realpath(path, strict=True)
    except OSError as failure:
        raise refused(failure, path) from None
    if any(real == root or real.startswith(root + b"/") for root in PSEUDO):
        raise Refused("failed_precondition", "%s is not part of a snapshot: the machine makes it up" % shown(real))
    return real


def entry(key, path, found):
    kind = stat.S_IFMT(found.st_mode)
    line = [
        key,
        NAMES.get(kind, "other"),
        stat.S_IMODE(found.st_mode),
        found.st_uid,
        found.st_gid,
        found.st_size if kind in (stat.S_IFREG, stat.S_IFLNK) else 0,
        found.st_mtime_ns,
        found.st_ctime_ns,
    ]
    if kind == stat.S_IFLNK:
        line.append(encoded(os.readlink(path)))
    elif kind in (stat.S_IFCHR, stat.S_IFBLK):
        line.append(encoded(b"%d:%d" % (os.major(found.st_rdev), os.minor(found.st_rdev))))
    return line


def freeze(_):
    """Stops every process but the agent and this one, at once."""
    try:
        os.kill(-1, signal.SIGSTOP)
    except ProcessLookupError:
        pass  # there are no others
    write(b'{"done":true}\n')


def look(request):
    """What one path names, its own link not followed; a directory with its next entries, in the order of their bytes."""
    path = base64.b64decode(request["path"])
    if request["follow"]:
        path = resolved(path)
    else:
        path = os.path.join(resolved(os.path.dirname(path)), os.path.basename(path))
    lines = Lines()
    try:
        found = os.lstat(path)
        lines.add({"path": encoded(path), "entry": entry(encoded(path), path, found)})
        names = sorted(os.listdir(path)) if request["limit"] and stat.S_ISDIR(found.st_mode) else []
    except OSError as failure:
        raise refused(failure, path) from None
    after = base64.b64decode(request["after"])
    left = request["limit"]
    for name in names:
        if name <= after:
            continue
        if not left:
            lines.add({"more": True})
            break
        below = os.path.join(path, name)
        try:
            lines.add({"entry": entry(encoded(name), below, os.lstat(below))})
            left -= 1
        except FileNotFoundError:
            pass
        except OSError as failure:
            raise refused(failure, below) from None
    lines.flush()


def opened(path):
    """Only regular files: everything else has no content of its own, or no end."""
    try:
        kind = os.lstat(path).st_mode
        if not stat.S_ISREG(kind):
            raise Refused("failed_precondition", "%s is no regular file but of the type %s" % (shown(path), NAMES.get(stat.S_IFMT(kind), "other")))
        return os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as failure:
        raise refused(failure, path) from None


def read(request):
    path = resolved(base64.b64decode(request["path"]))
    fd = opened(path)
    size = os.fstat(fd).st_size
    offset = request["offset"] if request["offset"] >= 0 else max(0, size + request["offset"])
    left = max(0, size - offset)
    if request["length"] >= 0:
        left = min(left, request["length"])
    if left > request["most"]:
        raise Refused("resource_exhausted", "%s: %d bytes are more than the %d that are handed out at once" % (shown(path), left, request["most"]))
    write(json.dumps({"path": encoded(path), "size": size, "offset": offset, "length": left}).encode("ascii") + b"\n")
    os.lseek(fd, offset, os.SEEK_SET)
    while left:
        data = os.read(fd, min(PIECE, left))
        if not data:
            raise Refused("failed_precondition", "%s became shorter" % shown(path))
        write(data)
        left -= len(data)


class Inventory:
    """A tree in the order of its paths' bytes, a directory before what is in it."""

    def __init__(self, root, entries, deepest):
        self._root = root
        self._left = entries
        self._deepest = deepest
        self.unread = 0

    def __iter__(self):
        waiting = [[self._root]]
        while waiting:
            if not waiting[-1]:
                waiting.pop()
                continue
            path = waiting[-1].pop()
            if path in PSEUDO:
                continue
            try:
                found = os.lstat(path)
            except OSError:
                self.unread += 1
                continue
            if not self._left:
                raise Refused("resource_exhausted", "there are more entries below %s than are looked at" % shown(self._root))
            self._left -= 1
            yield path, found
            if stat.S_ISDIR(found.st_mode):
                waiting.append(self._below(path, len(waiting)))

    def _below(self, path, depth):
        try:
            if depth > self._deepest:
                raise OSError
            # The slash counts as the least of all bytes: "a/b" comes before "a.c".
            return [os.path.join(path, name) for name in sorted(os.listdir(path), reverse=True)]
        except OSError:
            self.unread += 1
            return []


def walk(request):
    lines = Lines()
    tree = Inventory(b"/", request["entries"], request["depth"])
    for path, found in tree:
        try:
            lines.add(entry(encoded(path), path, found))
        except OSError:
            tree.unread += 1
    lines.add({"unread": tree.unread})
    lines.flush()


def digest(request):
    """Of the paths on its input, a line each."""
    lines = Lines()
    said = time.monotonic()
    for text in sys.stdin.buffer:
        try:
            fd = opened(base64.b64decode(text))
            try:
                state = hashlib.sha256()
                while data := os.read(fd, 1 << 20):
                    state.update(data)
                lines.add([state.hexdigest()])
            finally:
                os.close(fd)
        except (Refused, OSError):
            lines.add([None])
        if time.monotonic() - said > 1:
            said = time.monotonic()
            lines.flush()
    lines.flush()


class Packed:
    """What tarfile writes to."""

    def write(self, data):
        write(data)
        return len(data)


def archive(request):
    root = resolved(base64.b64decode(request["path"]))
    left = request["most"]
    inventory = Inventory(root, request["entries"], request["depth"])
    for path, found in inventory:
        left -= found.st_size if stat.S_ISREG(found.st_mode) else 0
        if left < 0:
            raise Refused("resource_exhausted", "the files below %s have more than the %d bytes that are handed out at once" % (shown(root), request["most"]))
    if inventory.unread:
        raise Refused("failed_precondition", "%d entries below %s cannot be read" % (inventory.unread, shown(root)))
    write(json.dumps({"path": encoded(root)}).encode("ascii") + b"\n")
    base = os.path.dirname(root)
    with tarfile.open(fileobj=Packed(), mode="w|", format=tarfile.PAX_FORMAT, encoding="utf-8", errors="surrogateescape", bufsize=PIECE) as tar:
        for path, found in Inventory(root, request["entries"], request["depth"]):
            if stat.S_ISSOCK(found.st_mode):
                continue  # no archive can hold one
            name = os.path.relpath(path, base) if root != b"/" else os.path.relpath(path, root)
            tar.add(os.fsdecode(path), os.fsdecode(name), recursive=False)


def packages():
    """Of Debian's own list, which its tools rewrite as a whole."""
    found = {}
    try:
        with open("/var/lib/dpkg/status", encoding="utf-8", errors="replace") as status:
            stanza = {}
            for line in status:
                if line == "\n":
                    note(found, stanza)
                    stanza = {}
                elif line[0] not in " \t" and ":" in line:
                    name, _, value = line.partition(":")
                    stanza[name] = value.strip()
            note(found, stanza)
    except OSError:
        pass
    return found


def note(found, stanza):
    if stanza.get("Status", "").endswith(" installed") and "Package" in stanza:
        found[stanza["Package"] + ":" + stanza.get("Architecture", "")] = stanza.get("Version", "")


def bytes_of(pid, name):
    try:
        with open("/proc/%s/%s" % (pid, name), "rb") as file:
            return file.read(PIECE)
    except OSError:
        return b""


def user_of(pid):
    try:
        return os.stat("/proc/%s" % pid).st_uid
    except OSError:
        return -1


def facts(request):
    """Processes, the names in their environments (never what they stand for), and packages."""
    lines = Lines()
    left = request["most"]
    own = {1, os.getpid()}
    for pid in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
        command = bytes_of(pid, "cmdline")
        if pid in own or not command:
            continue
        left -= 1
        if left < 0:
            raise Refused("resource_exhausted", "there are more than %d processes" % request["most"])
        names = [item.partition(b"=")[0] for item in bytes_of(pid, "environ").split(b"\0") if b"=" in item]
        words = command.rstrip(b"\0").replace(b"\0", b" ")[:4096]
        lines.add({"process": words.decode("utf-8", "replace"), "uid": user_of(pid), "env": [shown(name)[:256] for name in names[:1000]]})
    for name, version in sorted(packages().items()):
        lines.add({"package": name[:256], "version": version[:256]})
    lines.add({"end": True})
    lines.flush()


OPERATIONS = {each.__name__: each for each in (freeze, look, read, walk, digest, archive, facts)}


def main():
    request = json.loads(sys.argv[1])
    try:
        OPERATIONS[request["op"]](request)
    except Refused as refusal:
        write(json.dumps({"error": refusal.code, "message": str(refusal)}).encode("ascii") + b"\n")
        sys.exit(3)


if __name__ == "__main__":
    main()
