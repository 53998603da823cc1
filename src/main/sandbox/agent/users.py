"""Users of the sandbox, and what a path means for one of them."""

import grp
import os
import posixpath
import pwd

import errors
from errors import AgentError
from record import record

MAX_PATH = 4096
DEFAULT_USER = "user"


@record
class User:
    name: str
    uid: int
    gid: int
    home: str
    shell: str

    def groups(self) -> list[int]:
        return os.getgrouplist(self.name, self.gid)


def find(who: str | int | None) -> User:
    """The user of that name or number; no name means the ordinary user."""
    if who is None or who == "":
        who = DEFAULT_USER
    try:
        numeric = isinstance(who, int) or who.isdecimal()
        entry = pwd.getpwuid(int(who)) if numeric else pwd.getpwnam(who)
    except (KeyError, ValueError, OverflowError):
        raise AgentError(errors.UNKNOWN_USER, "there is no user '%s'" % who) from None
    return User(entry.pw_name, entry.pw_uid, entry.pw_gid, entry.pw_dir or "/", entry.pw_shell or "/bin/sh")


def resolve(user: User, path: str) -> str:
    """The absolute, cleaned path: relative ones and `~` are below the user's home."""
    if "\0" in path:
        raise AgentError(errors.INVALID_ARGUMENT, "a path cannot contain NUL")
    try:
        length = len(os.fsencode(path))
    except UnicodeError:
        raise AgentError(errors.INVALID_ARGUMENT, "the path is not valid text") from None
    if length > MAX_PATH:
        raise AgentError(errors.INVALID_ARGUMENT, "the path is longer than %d bytes" % MAX_PATH)
    if path == "~" or path.startswith("~/"):
        path = posixpath.join(user.home, path[2:])
    elif path.startswith("~"):
        raise AgentError(errors.INVALID_ARGUMENT, "'%s': only the own home can be named with ~" % path)
    return posixpath.normpath("/" + posixpath.join(user.home, path).lstrip("/"))


class Names:
    """Names of owners and groups, looked up once each: a walk meets the same few over and over."""

    def __init__(self):
        self._owners = {}
        self._groups = {}

    def owner(self, uid: int) -> str:
        if uid not in self._owners:
            self._owners[uid] = _name(lambda: pwd.getpwuid(uid).pw_name, uid)
        return self._owners[uid]

    def group(self, gid: int) -> str:
        if gid not in self._groups:
            self._groups[gid] = _name(lambda: grp.getgrgid(gid).gr_name, gid)
        return self._groups[gid]


def _name(look_up, number: int) -> str:
    try:
        return look_up()
    except KeyError:
        return str(number)
