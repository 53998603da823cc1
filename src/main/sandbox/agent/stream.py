"""One operation in progress on the channel, with the credit of both directions."""

import json
from collections import deque
from collections.abc import Callable

import errors
import frames
from errors import AgentError

QUEUE = 64 * 1024
GRANT = 64 * 1024


class Call:
    """What an operation does with its stream after it was opened; the defaults fit an operation that takes no data."""

    def data(self, body: bytes, last: bool) -> None:
        raise AgentError(errors.INVALID_ARGUMENT, "this operation takes no data")

    def room(self) -> None:
        """More may be sent now."""

    def closed(self) -> None:
        """The other side is gone or no longer interested."""

    def dropped(self) -> None:
        """The channel has begun anew, as after a restore: nobody said that he is not interested."""
        self.closed()


class Stream:
    """One operation in progress. Pushed data never exceeds the credit, so what is queued can always be sent."""

    def __init__(self, channel: "Channel", number: int):
        self.number = number
        self.credit = frames.WINDOW
        self.open = True
        self.call = Call()
        self.source = None
        self.stalled_at = None
        self.queue = deque()
        self.queued = 0
        self.ending = None
        self.ready = False
        self.window = frames.WINDOW
        self.consumed = 0
        self._channel = channel

    def accept(self, result: dict) -> None:
        if self.open:
            self._channel.control(frames.ACCEPT, self.number, json_pieces(result))

    def allowance(self) -> int:
        """How much may be pushed now."""
        return max(0, min(self.credit, QUEUE) - self.queued)

    def push(self, sub: int, body: bytes) -> None:
        if self.open and body:
            self.queue.append((sub, body))
            self.queued += len(body)
            self._channel.make_ready(self)

    def pull_from(self, source: Callable[[int], bytes]) -> None:
        """Sends what the source gives when asked for at most so many bytes; a source that has no more ends the stream."""
        self.source = source
        self._channel.make_ready(self)

    def end(self, result: dict) -> None:
        self._finish(frames.END, result)

    def fail(self, failure: AgentError) -> None:
        self._finish(frames.ERROR, {"code": failure.code, "message": failure.message[:4000]})

    def grant(self, count: int) -> None:
        """So many received bytes are dealt with."""
        self.consumed += count
        if self.open and self.consumed >= GRANT:
            self.window += self.consumed
            self._channel.control(frames.CREDIT, self.number, [self.consumed.to_bytes(4, "big")])
            self.consumed = 0

    def _finish(self, kind: int, result: dict) -> None:
        if self.open and self.ending is None:
            self.ending = (kind, json_pieces(result))
            self.source = None
            self._channel.make_ready(self)


def can_send(stream: Stream) -> bool:
    if stream.queue:
        return True
    return stream.credit > 0 if stream.source is not None else stream.ending is not None


def json_pieces(value: dict) -> list[bytes]:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return [text[at : at + frames.MAX_PAYLOAD] for at in range(0, len(text), frames.MAX_PAYLOAD)]
