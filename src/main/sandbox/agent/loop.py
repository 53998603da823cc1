"""The one loop of the agent: descriptors, ended children, deadlines and the results of the few worker threads.

Everything but the bodies of `Workers.run` happens on this loop's thread, so nothing here or in the other modules is locked.
"""

import _thread
import os
import select
import signal
import sys
import time
from _queue import SimpleQueue
from collections import deque
from collections.abc import Callable

READ = select.EPOLLIN
WRITE = select.EPOLLOUT
_TICK = 1.0


class Loop:
    def __init__(self):
        self._epoll = select.epoll()
        self._watched = {}
        self._calls = deque()
        self._children = None
        self._ticks = []
        self._after = []
        self._next_tick = None
        self._wake_in, self._wake_out = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self.watch(self._wake_in, READ, self._woken)

    def watch(self, fd: int, events: int, ready: Callable[[int], None]) -> None:
        """Calls `ready` with the events while any of them holds; no events means: not now."""
        known = self._watched.get(fd)
        if events:
            if known is None:
                self._epoll.register(fd, events)
            elif known[0] != events:
                self._epoll.modify(fd, events)
            self._watched[fd] = (events, ready)
        elif known is not None:
            # Without interest epoll still reports a hang-up, again and again: so the descriptor leaves the set.
            self._epoll.unregister(fd)
            del self._watched[fd]

    def on_children(self, reap: Callable[[], None]) -> None:
        self._children = reap
        signal.signal(signal.SIGCHLD, _nothing)
        signal.set_wakeup_fd(self._wake_out, warn_on_full_buffer=False)

    def every_tick(self, call: Callable[[float], bool]) -> None:
        """Calls it about once a second after `tick()`, for as long as any of them answers that it wants to be called again.

        An idle agent has nothing to look after and must not wake its sandbox: hundreds of them share a machine.
        """
        self._ticks.append(call)

    def tick(self) -> None:
        if self._next_tick is None:
            self._next_tick = time.monotonic() + _TICK

    def after_events(self, call: Callable[[], None]) -> None:
        """Calls it before each wait, so that answers of one round leave together and without another one."""
        self._after.append(call)

    def from_thread(self, call: Callable[[], None]) -> None:
        """Calls it in the next round. The only method that another thread may use."""
        self._calls.append(call)
        try:
            os.write(self._wake_out, b"c")
        except BlockingIOError:
            pass

    def run(self) -> None:
        while True:
            for call in self._after:
                guarded(call)
            wait = -1 if self._next_tick is None else max(0.0, self._next_tick - time.monotonic())
            for fd, events in self._epoll.poll(wait):
                watched = self._watched.get(fd)
                if watched is not None:
                    guarded(watched[1], events)
            if self._next_tick is not None and time.monotonic() >= self._next_tick:
                self._next_tick = None
                now = time.monotonic()
                if any([guarded(call, now) for call in self._ticks]):
                    self.tick()

    def _woken(self, events: int) -> None:
        try:
            os.read(self._wake_in, 4096)
        except BlockingIOError:
            pass
        if self._children is not None:
            self._children()
        # Only those that wait now: one that asks for another turn must not take it at once.
        for _ in range(len(self._calls)):
            guarded(self._calls.popleft())


class Workers:
    """A few threads for work that takes long: walking, removing and copying trees."""

    def __init__(self, loop: Loop, most: int = 4):
        self._loop = loop
        self._most = most
        self._threads = 0
        self._waiting = 0
        self._jobs = SimpleQueue()

    def run(self, job: Callable[[], object], done: Callable[[object, Exception | None], None]) -> None:
        self._waiting += 1
        if self._threads < min(self._most, self._waiting):
            self._threads += 1
            _thread.start_new_thread(self._work, ())
        self._jobs.put((job, done))

    def _work(self) -> None:
        while True:
            job, done = self._jobs.get()
            try:
                result, failure = job(), None
            except Exception as problem:
                result, failure = None, problem
            self._loop.from_thread(lambda d=done, r=result, f=failure: self._finished(d, r, f))

    def _finished(self, done, result, failure) -> None:
        self._waiting -= 1
        done(result, failure)


def guarded(call: Callable, *arguments) -> object:
    """Process 1 must not end because of one request: whatever is wrong is said on stderr and the loop goes on."""
    try:
        return call(*arguments)
    except Exception:
        sys.excepthook(*sys.exc_info())
        return None


def _nothing(number, frame) -> None:
    """The wake-up descriptor does the work; a handler must exist for it to be written."""
