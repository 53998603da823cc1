"""The frame format and its parser. The wire format is told in the package documentation of the room `agent`."""

import struct
import zlib

from record import record

MAGIC = b"\xfeHF\x1a"
FORMAT = 1
MAX_PAYLOAD = 32 * 1024
MAX_BODY = MAX_PAYLOAD - 1
MAX_JSON = 1024 * 1024
WINDOW = 256 * 1024

HELLO, HELLO_ACK, REQUEST, ACCEPT, DATA, END, ERROR, CREDIT = 1, 2, 3, 4, 5, 6, 7, 8
CANCEL, QUIESCE, QUIESCED, RESUME, PING, PONG = 9, 10, 11, 12, 13, 14

MORE = 1  # the JSON goes on in the next frame of this kind and stream
LAST = 2  # no data follows on this stream in this direction

BODY, STDOUT, STDERR, PTY, STDIN = 0, 1, 2, 3, 4

_HEAD = struct.Struct(">4sBBIIII")
_CRC = struct.Struct(">I")
HEADER = _HEAD.size + _CRC.size
FILLER = HEADER + MAX_PAYLOAD


@record
class Frame:
    kind: int
    flags: int
    stream: int
    sequence: int
    payload: bytes
    after_filler: bool


def encode(kind: int, flags: int, stream: int, sequence: int, payload: bytes) -> bytes:
    head = _HEAD.pack(MAGIC, FORMAT << 4 | kind, flags, stream, sequence, len(payload), zlib.crc32(payload))
    return b"".join((head, _CRC.pack(zlib.crc32(head)), payload))


class Parser:
    """Finds frames in what was read. What is no frame is skipped from its first byte on, never from its claimed end.

    A hello counts only after a filler, more zeros in a row than any payload can hold: so content that looks like a hello, met
    when the parser has lost its place, is not taken for one.
    """

    def __init__(self):
        self.skipped = 0
        self._buffer = bytearray()
        self._at = 0
        self._zeros = 0

    def feed(self, data: bytes) -> None:
        if self._at:
            del self._buffer[: self._at]
            self._at = 0
        self._buffer += data

    def next(self) -> Frame | None:
        while len(self._buffer) - self._at >= HEADER:
            frame = self._candidate()
            if frame is None:
                self._skip()
            elif frame is INCOMPLETE:
                return None
            else:
                return frame
        return None

    def _candidate(self):
        at = self._at
        magic, kind, flags, stream, sequence, length, crc = _HEAD.unpack_from(self._buffer, at)
        if magic != MAGIC or kind >> 4 != FORMAT or length > MAX_PAYLOAD:
            return None
        body = at + HEADER
        with memoryview(self._buffer) as view:
            if _CRC.unpack_from(view, body - _CRC.size)[0] != zlib.crc32(view[at : body - _CRC.size]):
                return None
            if len(view) < body + length:
                return INCOMPLETE
            payload = bytes(view[body : body + length])
        if zlib.crc32(payload) != crc:
            return None
        self._at = body + length
        # Zeros are counted across borders: those of a filler may complete a half frame whose payload was zeros too.
        quiet, self._zeros = self._zeros >= FILLER, length - len(payload.rstrip(b"\0"))
        return Frame(kind & 15, flags, stream, sequence, payload, quiet)

    def _skip(self) -> None:
        end = self._buffer.find(MAGIC, self._at + 1)
        if end < 0:
            end = max(self._at + 1, len(self._buffer) - len(MAGIC) + 1)
        passed = self._buffer[self._at : end]
        tail = len(passed) - len(passed.rstrip(b"\0"))
        self._zeros = self._zeros + tail if tail == len(passed) else tail
        self.skipped += len(passed) - tail
        self._at = end


INCOMPLETE = object()
