"""steady.py NAME: works with one sandbox, saves it and makes others from that, until its standard input ends.

Each call is a line of JSON: what was asked, how long it took, and whether it was done, refused, or its connection broke. What was
saved is told too.
"""

import json
import random
import sys
import threading
import time

from e2b import Sandbox

NAME = sys.argv[1]
STATE = "/home/user/state"
PAUSE = 0.25

over = threading.Event()


def end_with_input():
    sys.stdin.read()
    over.set()


def tell(**line):
    print(json.dumps(line), flush=True)


def ask(what, call):
    """What the call gave; None when it was refused or its connection broke."""
    begin = time.monotonic()
    outcome, words, answer = "done", "", None
    try:
        answer = call()
    except Exception as failure:
        if type(failure).__module__.split(".")[0] not in ("httpx", "httpcore"):
            outcome, words = "refused", f"{type(failure).__name__}: {failure}"
        else:
            outcome, words = "late" if "Timeout" in type(failure).__name__ else "broken", type(failure).__name__
    tell(what=what, millis=round(1000 * (time.monotonic() - begin)), outcome=outcome, words=words)
    return answer


def same(found, expected, what):
    if found not in expected:
        raise AssertionError(f"{what}: {found!r} is none of {expected!r}")


threading.Thread(target=end_with_input, daemon=True).start()
home = Sandbox.create("base", timeout=3600)
tell(home=home.sandbox_id)
usable, known, number = [], [], 0
while not over.is_set():
    number += 1
    text = f"{NAME} in round {number}"
    command = ask("command", lambda: home.commands.run(f"echo {text}"))
    if command is not None:
        same(command.stdout, [text + "\n"], "a command says")
    written = ask("write", lambda: home.files.write(STATE, text))
    read = ask("read", lambda: home.files.read(STATE))
    if read is None:
        known = []
    else:
        if written or known:
            same(read, [text] if written else [*known, text], "a file holds")
        known = [read]
    if number % 4 == 0 and known:
        saved = ask("capture", lambda: home.create_snapshot(request_timeout=60))
        if saved is not None:
            usable.append((saved.snapshot_id, known[0]))
            tell(saved=saved.snapshot_id, content=known[0])
    elif number % 4 == 2 and usable:
        snapshot, content = random.choice(usable)
        clone = ask("restore", lambda: Sandbox.create(snapshot, timeout=60))
        if clone is not None:
            state = ask("read of a clone", lambda: clone.files.read(STATE))
            if state is not None:
                same(state, [content], f"a clone of {snapshot} holds")
            ask("kill", clone.kill)
    time.sleep(PAUSE)

# What it works with has outlived everything.
for left in range(60, -1, -1):
    try:
        state = home.files.read(STATE)
        if known:
            same(state, known, "at last a file holds")
        break
    except AssertionError:
        raise
    except Exception:
        if left == 0:
            raise
        time.sleep(1)
