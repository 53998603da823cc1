"""Who this sandbox is, and how it fares."""

import json
import os
import resource
import time

import requests
from processes import Environment

RUN = "/run/holdfast"
DEFAULT_PROCESSES = 256


class Machine:
    def __init__(self, environment: Environment):
        self._environment = environment
        self._started = time.time_ns()
        self._sandbox = None
        self.limit_processes(DEFAULT_PROCESSES)

    def facts(self) -> dict:
        return {"pid": os.getpid(), "started": self._started, "kernel": os.uname().release, "sandbox": self._sandbox}

    def replace_environment(self, request: requests.Environment) -> dict:
        self._environment.replace(request.env)
        if request.processes is not None:
            self.limit_processes(request.processes)
        return {}

    def identify(self, request: requests.Identify) -> dict:
        """Makes this sandbox the named one; the answer says what could be done and how far off its clock is."""
        skew = (time.time_ns() - request.now) // 1_000_000
        env = {**request.env, "HOLDFAST_SANDBOX_ID": request.sandbox}
        self.replace_environment(requests.Environment(env, request.processes))
        self._sandbox = request.sandbox
        done = {
            "hostname": _attempt(lambda: _set_hostname(request.hostname)),
            "machine": _attempt(lambda: _replace("/etc/machine-id", request.machine + "\n", 0o444)),
            "files": _attempt(lambda: _write_marker(request, env)),
            "random": _attempt(_stir),
        }
        return {"clockSkewMillis": skew, "done": [name for name, well in done.items() if well], "failed": [n for n, w in done.items() if not w]}

    def limit_processes(self, count: int) -> None:
        """The agent's own limit, inherited by what it starts: it binds every user but root, who is exempt."""
        try:
            resource.setrlimit(resource.RLIMIT_NPROC, (count, count))
        except (ValueError, OSError):
            # Raising a hard limit needs a capability that the sandbox may lack: then as high as it goes.
            hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
            resource.setrlimit(resource.RLIMIT_NPROC, (min(count, hard) if hard >= 0 else count, hard))

    def usage(self) -> dict:
        memory = _memory()
        disk = os.statvfs("/")
        total = memory.get("MemTotal", 0)
        return {
            "cpuCount": os.cpu_count() or 1,
            "cpuMillis": _cpu_millis(),
            "memoryTotal": total,
            "memoryUsed": max(0, total - memory.get("MemAvailable", memory.get("MemFree", 0))),
            "memoryCache": memory.get("Cached", 0),
            "diskTotal": disk.f_blocks * disk.f_frsize,
            "diskUsed": (disk.f_blocks - disk.f_bfree) * disk.f_frsize,
            "uptimeMillis": (time.time_ns() - self._started) // 1_000_000,
        }


def _memory() -> dict:
    with open("/proc/meminfo") as lines:
        split = [line.split() for line in lines]
    return {parts[0].rstrip(":"): int(parts[1]) * 1024 for parts in split if len(parts) >= 2}


def _cpu_millis() -> int:
    """Processor time of everything that runs, and of what ended and was waited for. /proc/stat does not tell it in every sandbox."""
    ticks = 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                with open("/proc/%s/stat" % name) as stat:
                    parts = stat.read().rpartition(")")[2].split()
                ticks += sum(int(part) for part in parts[11:15])
            except (OSError, ValueError):
                continue
    return ticks * 1000 // os.sysconf("SC_CLK_TCK")


def _write_marker(request: requests.Identify, env: dict) -> None:
    os.makedirs(RUN, 0o755, exist_ok=True)
    marker = {"sandbox": request.sandbox, "hostname": request.hostname, "identifiedAt": request.now}
    _replace(RUN + "/sandbox.json", json.dumps(marker) + "\n", 0o644)
    lines = ["export %s='%s'\n" % (n, v.replace("'", "'\\''")) for n, v in sorted(env.items()) if n.isidentifier()]
    _replace(RUN + "/environment", "".join(lines), 0o644)


def _set_hostname(name: str) -> None:
    import _socket  # only here: it is needed once in the life of a sandbox

    if os.uname().nodename != name:  # a sandbox on the host's kernel has it from the start and may not change it
        _socket.sethostname(name)
    _replace("/etc/hostname", name + "\n", 0o644)
    with open("/etc/hosts", errors="surrogateescape") as hosts:
        kept = [line for line in hosts if not line.startswith("127.0.1.1")]
    _replace("/etc/hosts", "".join(kept) + "127.0.1.1\t%s\n" % name, 0o644)


def _stir() -> None:
    """Fresh randomness into the pool; the agent itself holds no random state that a clone could share."""
    with open("/dev/urandom", "r+b", buffering=0) as pool:
        pool.write(os.getrandom(32) + time.time_ns().to_bytes(8, "big"))


def _replace(path: str, text: str, mode: int) -> None:
    """Whole or not at all; where the directory is not ours to add to, in place."""
    draft = path + ".new"
    try:
        fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
        with open(fd, "w", errors="surrogateescape") as file:
            os.fchmod(fd, mode)
            file.write(text)
        os.rename(draft, path)
    except OSError:
        with open(path, "w", errors="surrogateescape") as file:
            file.write(text)


def _attempt(action) -> bool:
    try:
        action()
        return True
    except OSError:
        return False
