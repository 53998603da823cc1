"""A boot without a boot: everything but the agent ends, and what lives in memory only is gone."""

import os
import signal
import time

from contexts import Contexts
from processes import Processes

BOOT_ID = "/proc/sys/kernel/random/boot_id"
DRAFT = "/run/holdfast/boot_id"
SHARED_MEMORY = "/dev/shm"
PATIENCE = 5.0
MS_BIND = 4096
MNT_DETACH = 2


def reboot(processes: Processes, contexts: Contexts) -> dict:
    """Nobody talks to the agent meanwhile, so the loop may stand still for a moment."""
    until = time.monotonic() + PATIENCE
    while _kill_others() and time.monotonic() < until:
        processes.reap()
        time.sleep(0.01)
    processes.forget()
    contexts.forget()
    _empty(SHARED_MEMORY)
    _renew_boot_id()
    return {}


def _empty(directory: str) -> None:
    import shutil  # only here: most sandboxes never boot twice

    for entry in list(os.scandir(directory)):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            try:
                os.unlink(entry.path)
            except OSError:
                pass  # what its owner made stay, or took away first, is no reason not to boot


def _kill_others() -> bool:
    """Whether there was anything to kill; a zombie counts until it is reaped."""
    others = [int(name) for name in os.listdir("/proc") if name.isdecimal() and int(name) != os.getpid()]
    for pid in others:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue  # it ended by itself
    return bool(others)


def _renew_boot_id() -> None:
    """The kernel makes its own once; what programs read is another file over it."""
    import ctypes
    import uuid

    libc = ctypes.CDLL(None, use_errno=True)
    libc.umount2(BOOT_ID.encode(), MNT_DETACH)  # of the boot before; there is none the first time
    os.makedirs(os.path.dirname(DRAFT), 0o755, exist_ok=True)
    with open(DRAFT, "w") as file:
        file.write("%s\n" % uuid.uuid4())
    os.chmod(DRAFT, 0o444)
    if libc.mount(DRAFT.encode(), BOOT_ID.encode(), None, MS_BIND, None) != 0:
        raise OSError(ctypes.get_errno(), "the boot ID cannot be renewed")
