"""What callers note about a file: extended attributes of the file, so that it goes where the file goes."""

import os

import errors
from errors import AgentError, of_os_error

PREFIX = "user.e2b."
MAX_BYTES = 4096
MAX_KEY = 255 - len(PREFIX)


def check(metadata: dict) -> None:
    size = 0
    for key, value in metadata.items():
        if not key or "\0" in key or not isinstance(value, str) or "\0" in value:
            raise AgentError(errors.INVALID_ARGUMENT, "metadata are texts without NUL under names")
        try:
            length = len(os.fsencode(key))
            size += len(PREFIX) + length + len(os.fsencode(value))
        except UnicodeError:
            raise AgentError(errors.INVALID_ARGUMENT, "metadata are valid text") from None
        if length > MAX_KEY:
            raise AgentError(errors.INVALID_ARGUMENT, "a name of metadata has at most %d bytes" % MAX_KEY)
    if size > MAX_BYTES:
        raise AgentError(errors.INVALID_ARGUMENT, "metadata have at most %d bytes together, each name counted with its prefix" % MAX_BYTES)


def read(file: int | str) -> dict:
    """Of a descriptor or a path; nothing where the file system keeps no attributes, or the file is gone."""
    try:
        names = [name for name in os.listxattr(file) if name.startswith(PREFIX)]
    except OSError:
        return {}
    found, left = {}, 2 * MAX_BYTES
    for name in sorted(names):
        try:
            value = os.getxattr(file, name)
        except OSError:
            continue  # removed meanwhile
        left -= len(value) + len(name)
        if left < 0:
            break  # who wrote that is not the caller, whose notes are bounded
        found[name[len(PREFIX) :]] = os.fsdecode(value)
    return found


def replace(fd: int, path: str, metadata: dict) -> None:
    """Afterwards the file has these and no others. Nothing is written where nothing changes."""
    known = read(fd)
    try:
        for key in known.keys() - metadata.keys():
            os.removexattr(fd, PREFIX + key)
        for key, value in metadata.items():
            if known.get(key) != value:
                os.setxattr(fd, PREFIX + key, os.fsencode(value))
    except OSError as failure:
        raise of_os_error(failure, path) from None
