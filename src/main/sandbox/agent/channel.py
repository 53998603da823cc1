"""The agent's end of the channel: hello, streams with credit, fair sending, quiescing."""

import json
import os
import sys
from collections import deque
from collections.abc import Callable

import errors
import frames
from errors import AgentError
from frames import Parser, encode
from loop import READ, WRITE, Loop
from stream import Stream, can_send, json_pieces

VERSION = 1
MAX_STREAMS = 1024
MAX_PARTIAL = 16 * 1024 * 1024
MAX_CONTROL = 8 * 1024 * 1024
_BATCH = 64 * 1024
_TURNS = 8


class Channel:
    def __init__(self, loop: Loop, receive: int, send: int, facts: Callable[[], dict], dispatch: Callable[[Stream, dict], None]):
        self._loop = loop
        self._receive = receive
        self._send = send
        self._facts = facts
        self._dispatch = dispatch
        self._parser = Parser()
        self._incarnation = None
        self._quiet = False
        self._expected = 0
        self._sequence = 0
        self._control = deque()
        self._held = deque()
        self._control_bytes = 0
        self._ready = deque()
        self._out = b""
        self._sent = 0
        self.streams = {}
        self._highest = 0
        self._partial = {}
        self._partial_bytes = 0
        for fd in (receive, send):
            os.set_blocking(fd, False)
        loop.after_events(self._flush)

    # Sending

    def control(self, kind: int, stream: int, pieces: list[bytes]) -> None:
        if self._incarnation is None:
            return
        queue = self._held if self._quiet and kind != frames.PONG else self._control
        for piece in pieces:
            more = frames.MORE if piece is not pieces[-1] else 0
            queue.append((kind, more, stream, piece))
            self._control_bytes += len(piece) + frames.HEADER

    def make_ready(self, stream: Stream) -> None:
        if not stream.ready and stream.open and can_send(stream):
            stream.ready = True
            self._ready.append(stream)

    def _flush(self) -> None:
        for _ in range(_TURNS):
            if self._sent == len(self._out):
                self._out, self._sent = self._batch(), 0
            if not self._out:
                break
            try:
                self._sent += os.write(self._send, memoryview(self._out)[self._sent :])
            except BlockingIOError:
                break
        self._loop.watch(self._send, WRITE if self._out else 0, self._writable)
        self._loop.watch(self._receive, READ if self._quiet or self._control_bytes <= MAX_CONTROL else 0, self._readable)

    def _writable(self, events: int) -> None:
        """The flush after each round of events does it."""

    def _batch(self) -> bytes:
        """Control frames first, then one data frame of each ready stream in turn."""
        parts, size = [], 0
        while self._control and size < _BATCH:
            kind, flags, stream, payload = self._control.popleft()
            self._control_bytes -= len(payload) + frames.HEADER
            parts.append(self._encode(kind, flags, stream, payload))
            size += len(parts[-1])
        while self._ready and size < _BATCH and not self._quiet:
            stream = self._ready.popleft()
            stream.ready = False
            for part in self._next_of(stream):
                parts.append(part)
                size += len(part)
        return b"".join(parts)

    def _encode(self, kind: int, flags: int, stream: int, payload: bytes) -> bytes:
        if kind == frames.HELLO_ACK:
            self._sequence = 0
        elif kind == frames.QUIESCED:
            payload = json_pieces({"sequence": self._sequence})[0]
        frame = encode(kind, flags, stream, self._sequence, payload)
        self._sequence = self._sequence + 1 & 0xFFFFFFFF
        return bytes(frames.FILLER) + frame if kind == frames.HELLO_ACK else frame

    def _next_of(self, stream: Stream) -> list[bytes]:
        if not stream.open:
            return []
        sub, body = self._take(stream)
        if body:
            stream.credit -= len(body)
            self.make_ready(stream)
            if stream.source is None and stream.ending is None:
                self._guarded(stream, stream.call.room)
            return [self._encode(frames.DATA, 0, stream.number, bytes((sub,)) + body)]
        if stream.ending is None or stream.queue:
            return []
        kind, pieces = stream.ending
        self._forget(stream)
        return [self._encode(kind, frames.MORE if p is not pieces[-1] else 0, stream.number, p) for p in pieces]

    def _take(self, stream: Stream) -> tuple[int, bytes]:
        if stream.queue:
            sub, body = stream.queue[0]
            if len(body) > frames.MAX_BODY:
                stream.queue[0] = (sub, body[frames.MAX_BODY :])
                body = body[: frames.MAX_BODY]
            else:
                stream.queue.popleft()
            stream.queued -= len(body)
            return sub, body
        if stream.source is not None and stream.credit > 0:
            return frames.BODY, self._guarded(stream, stream.source, min(stream.credit, frames.MAX_BODY)) or b""
        return frames.BODY, b""

    # Receiving

    def _readable(self, events: int) -> None:
        for _ in range(_TURNS):
            try:
                data = os.read(self._receive, 65536)
            except BlockingIOError:
                return
            if not data:
                raise SystemExit(0)
            self._parser.feed(data)
            while (frame := self._parser.next()) is not None:
                self._received(frame)

    def _received(self, frame: frames.Frame) -> None:
        if frame.kind == frames.HELLO:
            if frame.after_filler:
                self._hello(frame)
            return
        if self._incarnation is None:
            return
        if frame.sequence != self._expected:
            self._reset("frame %d came where %d was due" % (frame.sequence, self._expected))
            return
        self._expected = self._expected + 1 & 0xFFFFFFFF
        if frame.kind == frames.PING:
            self.control(frames.PONG, 0, [frame.payload])
        elif frame.kind == frames.RESUME:
            self._resume()
        elif self._quiet:
            self._reset("a frame of kind %d came while quiet" % frame.kind)
        elif frame.kind == frames.QUIESCE:
            self.control(frames.QUIESCED, 0, [b""])
            self._quiet = True
        else:
            self._of_stream(frame)

    def _of_stream(self, frame: frames.Frame) -> None:
        if frame.kind == frames.REQUEST:
            self._request(frame)
            return
        stream = self.streams.get(frame.stream)
        if stream is None:
            return
        if frame.kind == frames.DATA:
            self._guarded(stream, self._data, stream, frame)
        elif frame.kind == frames.CREDIT and len(frame.payload) == 4:
            stream.credit = min(stream.credit + int.from_bytes(frame.payload, "big"), 1 << 30)
            stream.stalled_at = None
            self.make_ready(stream)
            self._guarded(stream, stream.call.room)
        elif frame.kind == frames.CANCEL:
            self._forget(stream)
            self._guarded(stream, stream.call.closed)

    def _guarded(self, stream: Stream, action: Callable, *arguments) -> object:
        """One stream's trouble ends that stream and nothing else."""
        try:
            return action(*arguments)
        except AgentError as failure:
            stream.fail(failure)
        except OSError as failure:
            stream.fail(errors.of_os_error(failure))
        except Exception as failure:
            sys.excepthook(*sys.exc_info())
            stream.fail(AgentError(errors.INTERNAL, type(failure).__name__))
        return None

    def _data(self, stream: Stream, frame: frames.Frame) -> None:
        body = frame.payload[1:]
        stream.window -= len(body)
        if stream.window < 0:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "more data was sent than credit was given")
        if stream.ending is None:
            stream.call.data(body, bool(frame.flags & frames.LAST))

    def _request(self, frame: frames.Frame) -> None:
        number = frame.stream
        if number in self._partial:
            pieces = self._partial[number]
        elif number <= self._highest:
            self._reset("stream %d was used before" % number)
            return
        else:
            self._highest = number
            pieces = self._partial[number] = []
        pieces.append(frame.payload)
        self._partial_bytes += len(frame.payload)
        size = sum(map(len, pieces))
        if frame.flags & frames.MORE and size <= frames.MAX_JSON and self._partial_bytes <= MAX_PARTIAL:
            return
        if not frame.flags & frames.MORE:
            del self._partial[number]
            self._partial_bytes -= size
            self._open(number, b"".join(pieces))
        else:
            self._reset("a request is larger than %d bytes" % frames.MAX_JSON)

    def _open(self, number: int, text: bytes) -> None:
        stream = self.streams[number] = Stream(self, number)
        self._guarded(stream, self._begin, stream, text)

    def _begin(self, stream: Stream, text: bytes) -> None:
        if len(self.streams) > MAX_STREAMS:
            raise AgentError(errors.RESOURCE_EXHAUSTED, "too many streams are open")
        try:
            request = json.loads(text)
        except (ValueError, RecursionError):
            request = None
        if not isinstance(request, dict):
            raise AgentError(errors.INVALID_ARGUMENT, "a request is a JSON object")
        self._dispatch(stream, request)

    # Connecting, quiescing

    def _hello(self, frame: frames.Frame) -> None:
        self._drop_streams()
        try:
            hello = json.loads(frame.payload)
            self._incarnation = str(hello["incarnation"])[:100]
            least, most = int(hello["versions"][0]), int(hello["versions"][1])
        except (ValueError, KeyError, TypeError, IndexError):
            self._incarnation = None
            return
        self._quiet = False
        self._expected = frame.sequence + 1 & 0xFFFFFFFF
        answer = {"incarnation": self._incarnation, "versions": [VERSION, VERSION]}
        if least <= VERSION <= most:
            answer.update(self._facts(), version=VERSION)
        else:
            answer["refused"] = "the agent speaks protocol %d, asked was %d to %d" % (VERSION, least, most)
        self.control(frames.HELLO_ACK, 0, [json_pieces(answer)[0]])
        if "refused" in answer:
            self._incarnation = None  # nothing is understood now but another hello; the refusal still goes out

    def _reset(self, reason: str) -> None:
        """Something was lost or repeated: say so and wait for a hello, rather than going on with a hole."""
        self._drop_streams()
        self._quiet = False
        self.control(frames.ERROR, 0, json_pieces({"code": errors.CHANNEL_RESET, "message": reason}))
        self._incarnation = None

    def _drop_streams(self) -> None:
        """Queued frames of the former incarnation go; a frame that is half in the pipe is finished."""
        self._control.clear()
        self._held.clear()
        self._control_bytes = 0
        self._ready.clear()
        self._partial.clear()
        self._partial_bytes = 0
        self._highest = 0
        dropped = list(self.streams.values())
        for stream in dropped:
            self._forget(stream)
        for stream in dropped:
            self._guarded(stream, stream.call.dropped)

    def _resume(self) -> None:
        self._quiet = False
        self._control.extend(self._held)
        self._held.clear()
        for stream in self.streams.values():
            stream.stalled_at = None

    def quiet(self) -> bool:
        return self._quiet

    def _forget(self, stream: Stream) -> None:
        stream.open = False
        stream.queue.clear()
        stream.source = None
        self.streams.pop(stream.number, None)
