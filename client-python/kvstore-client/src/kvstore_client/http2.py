"""HTTP/2 over one socket, for one call at a time, as a client of gRPC needs it (RFC 9113).

Bytes of DATA frames go from the socket into the caller's memory. Everything happens on the caller's thread: nothing
reads a connection that is idle, so :meth:`Connection.usable` looks at what has come meanwhile before the next call.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Sequence

import hpack

from kvstore_client.errors import KvError, error
from kvstore_client.frames import (
    ACK,
    CONTINUATION,
    DATA,
    DEFAULT_FRAME,
    DEFAULT_WINDOW,
    END_HEADERS,
    END_STREAM,
    FRAME_HEADER,
    GOAWAY,
    HEADERS,
    MAX_FRAME,
    MAX_SENT_FRAME,
    MOST_WINDOW,
    PADDED,
    PING,
    PREFACE,
    PRIORITY_FLAG,
    PUSH_PROMISE,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    ConnectionLostError,
    CutShortError,
    Headers,
    ProtocolError,
    error_name,
    frame,
    frame_header,
)
from kvstore_client.transport import PING_APART, TICK, Transport

#: Bytes after which the server is given its window back: a quarter, so that it never runs dry.
_REFILL = 512 << 20

#: A server that ends a call by its deadline may be early by so many seconds.
_SLACK = 0.05

_MAX_HEADER_BYTES = 256 * 1024
_IOV = 512
_MOST_STATUS_LINE = 120


class Connection(Transport):
    """One connection. For one thread at a time, but for :meth:`abort` and :meth:`close`.

    Every method that reads or sends raises ``ConnectionLostError`` when the connection ends, ``StalledError`` when the
    server is silent for ``stall`` seconds (0: never) and answers no ping, ``DeadlineExceededError`` when the time of
    :meth:`begin` is over, and ``ProtocolError`` when the server breaks the rules.
    """

    def __init__(self, sock: socket.socket, name: str, stall: float = 2.0) -> None:
        """Takes the socket over. The preface goes with the first call."""
        super().__init__(sock, name, stall)
        self.calls = 0
        self.idle_since = 0.0
        self._goaway: str | None = None
        self._last_stream = 2**31
        self._decoder = hpack.Decoder(max_header_list_size=_MAX_HEADER_BYTES)
        self._peer_frame = DEFAULT_FRAME
        self._peer_initial = DEFAULT_WINDOW
        self._send_window = DEFAULT_WINDOW
        self._unacknowledged = 0
        self._greeted = False
        # The call.
        self._check: Callable[[Headers], None] = _any
        self._stream = -1
        self._stream_window = 0
        self._stream_received = 0
        self.trailers: Headers | None = None
        self.ended = False
        self.consumed = 0
        self._left = 0
        self._padding = 0
        self._end_after_data = False
        self._sent_all = False
        settings = b"".join(
            struct.pack(">HI", key, value)
            for key, value in ((2, 0), (4, MOST_WINDOW), (5, MAX_FRAME), (6, _MAX_HEADER_BYTES))
        )
        self._hello = (
            PREFACE
            + frame(SETTINGS, 0, 0, settings)
            + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", MOST_WINDOW - DEFAULT_WINDOW))
        )

    # --- calls ---

    def begin(self, headers: bytes, deadline: float, check: Callable[[Headers], None]) -> None:
        """Begins a call; ``deadline`` is of ``time.monotonic``. What follows is sent by :meth:`send`.

        ``check`` hears of the answer's headers as soon as they come, also while the request is sent. It may raise.
        """
        self._check = check
        self._stream += 2
        self.calls += 1
        self._deadline = deadline
        self._heard = time.monotonic()
        self._pinged = False
        self._ping_at = -PING_APART
        self._stream_window = self._peer_initial
        self._stream_received = 0
        self.headers = self.trailers = None
        self.ended = self._end_after_data = self._sent_all = False
        self.consumed = self._left = self._padding = 0
        out = bytearray(self._hello)
        self._hello = b""
        kind, at = HEADERS, 0
        while True:
            piece = headers[at : at + self._peer_frame]
            at += len(piece)
            done = at >= len(headers)
            out += frame(kind, END_HEADERS if done else 0, self._stream, piece)
            kind = CONTINUATION
            if done:
                break
        self._send_all([memoryview(out)])

    def send(self, pieces: Sequence[memoryview]) -> None:
        """Sends the body of the request, and its end. Stops early when the server answers meanwhile."""
        left = sum(piece.nbytes for piece in pieces)
        index = offset = 0
        while left:
            while not self.ended and not self._left and min(self._send_window, self._stream_window) <= 0:
                self._read_frame()
            if self.ended or self._left:
                return
            out: list[memoryview] = []
            room = min(self._send_window, self._stream_window, MAX_SENT_FRAME, left)
            most = min(self._peer_frame, MAX_SENT_FRAME)
            sent = 0
            while sent < room and len(out) < _IOV:
                size = min(most, room - sent)
                last = size == left - sent
                out.append(memoryview(frame_header(size, DATA, END_STREAM if last else 0, self._stream)))
                sent += size
                while size:
                    piece = pieces[index][offset : offset + size]
                    out.append(piece)
                    size -= piece.nbytes
                    offset += piece.nbytes
                    if offset == pieces[index].nbytes:
                        index, offset = index + 1, 0
            self._send_window -= sent
            self._stream_window -= sent
            left -= sent
            try:
                if not self._send_body(out, self._is_answered):
                    return
            except ConnectionLostError:
                # A server that refuses a request may answer, and then hang up before the request is out.
                if self._aborted or not self._came_before_the_end():
                    raise
                return
            self._sent_all = left == 0
            if left and self._is_answered():
                return

    def _is_answered(self) -> bool:
        """Reads the frames that are there; whether the answer ends or has data: then no more of the request is sent."""
        while not self.ended and not self._left:
            if self._at == self._end and not self._readable():
                return False
            self._read_frame()
        return True

    def _came_before_the_end(self) -> bool:
        try:
            return self._is_answered()
        except ConnectionLostError:
            return False

    def extend(self, deadline: float) -> None:
        """Gives the call under way another deadline."""
        self._deadline = deadline

    def wait_headers(self) -> Headers:
        """The headers of the answer; of one that is over at once, its trailers too."""
        while self.headers is None:
            self._read_frame()
        return self.headers

    def wait_end(self) -> Headers:
        """The trailers, once all else of the answer was read or is left out; empty if there are none."""
        while not self.ended:
            if self._left:
                self.skip(self._left)
            else:
                self._read_frame()
        return self.trailers or []

    def more(self) -> bool:
        """Whether the answer has another byte of body; waits for it."""
        while not self._left:
            if self.ended:
                return False
            self._read_frame()
        return True

    def byte(self) -> int:
        """The next byte of the body."""
        if not self._left:
            self._need_data()
        if self._at == self._end:
            self._fill()
        value = self._buffer[self._at]
        self._at += 1
        self._used(1)
        return value

    def take(self, size: int) -> bytes:
        """The next bytes of the body."""
        if size <= self._left and size <= self._end - self._at:
            piece = bytes(self._view[self._at : self._at + size])
            self._at += size
            self._used(size)
            return piece
        out = bytearray(size)
        self.into(memoryview(out))
        return bytes(out)

    def into(self, target: memoryview) -> None:
        """The next bytes of the body, as many as the target has."""
        at, size = 0, target.nbytes
        while at < size:
            if not self._left:
                self._need_data()
            most = min(self._left, size - at)
            if self._at < self._end:
                most = min(most, self._end - self._at)
                target[at : at + most] = self._view[self._at : self._at + most]
                self._at += most
            elif most == self._left < size - at and not (self._end_after_data or self._padding):
                # The message goes on in another frame, whose header may come with the rest of this one.
                most = self._receive(target[at : at + most], all_of_it=True, behind=FRAME_HEADER)
            else:
                most = self._receive(target[at : at + most], all_of_it=True)
            at += most
            self._used(most)

    def skip(self, size: int) -> None:
        """Leaves bytes of the body out."""
        while size:
            if not self._left:
                self._need_data()
            if self._at == self._end:
                self._fill()
            most = min(size, self._left, self._end - self._at)
            self._at += most
            size -= most
            self._used(most)

    # --- the connection ---

    def usable(self) -> bool:
        """Whether another call may begin: looks at what came while the connection was idle. Never waits."""
        if not self.reusable():
            return False
        self._heard = time.monotonic()
        self._deadline = self._heard + TICK
        try:
            self._read_ready()
        except KvError:
            return False
        return self.reusable()

    def reusable(self) -> bool:
        """Whether the last call is over on both sides and the server takes more."""
        over = self._stream < 0 or (self.ended and self._sent_all)
        return over and not self._closed and self._goaway is None and self._stream < 2**31 - 3

    # --- frames ---

    def _read_ready(self) -> None:
        """Reads the frames that are there, up to one with data for the call."""
        while not self._left and not self._closed:
            if self._at == self._end and not self._readable():
                return
            self._read_frame()

    def _need_data(self) -> None:
        if not self.more():
            raise CutShortError("the answer ended in the middle of a message")

    def _used(self, size: int) -> None:
        self._left -= size
        self.consumed += size
        if not self._left:
            self._end_data()

    def _end_data(self) -> None:
        padding, self._padding = self._padding, 0
        self._discard(padding)
        if self._end_after_data:
            self._end_after_data = False
            self.ended = True

    def _read_frame(self) -> None:
        """Reads one frame; of one with data for the call, only its header."""
        head = self._exactly(FRAME_HEADER)
        size = head[0] << 16 | head[1] << 8 | head[2]
        kind, flags = head[3], head[4]
        if not self._greeted:
            self._greet(head)
        stream = int.from_bytes(head[5:9], "big") & MOST_WINDOW
        if size > MAX_FRAME:
            raise ProtocolError(f"a frame of {size} bytes")
        if kind == DATA:
            self._on_data(size, flags, stream)
        elif kind == HEADERS:
            self._on_headers(size, flags, stream)
        elif kind in (PUSH_PROMISE, CONTINUATION):
            raise ProtocolError("a frame that nothing asked for: " + ("PUSH_PROMISE", "CONTINUATION")[kind == 9])
        elif kind in (RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE):
            if size > DEFAULT_FRAME:
                raise ProtocolError(f"a control frame of {size} bytes")
            self._on_control(kind, flags, stream, self._exactly(size))
        else:
            self._discard(size)

    def _greet(self, head: bytes) -> None:
        """Looks at the first bytes of a connection: a server of HTTP/2 begins with its settings."""
        if head[3] == SETTINGS and not head[4] & ACK:
            self._greeted = True
            return
        said = ""
        if head.startswith(b"HTTP/"):
            while len(head) < _MOST_STATUS_LINE and not head.endswith(b"\n"):
                head += self._exactly(1)
            said = ": " + ascii(head.decode("latin-1").strip())[1:-1]
        raise ProtocolError(f"{self.name} does not speak HTTP/2{said}")

    def _on_data(self, size: int, flags: int, stream: int) -> None:
        if stream == 0 or stream > self._stream:
            raise ProtocolError(f"data for stream {stream}, which was not begun")
        # Padding counts; the window is given back in large pieces, long before it is used up.
        self._unacknowledged += size
        grants = b""
        if self._unacknowledged >= _REFILL:
            grants = frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", self._unacknowledged))
            self._unacknowledged = 0
        padding = 0
        if flags & PADDED:
            if size == 0:
                raise ProtocolError("a padded frame without a length")
            padding = self._exactly(1)[0]
            size -= 1
            if padding > size:
                raise ProtocolError("more padding than frame")
        if stream != self._stream or self.ended:
            if grants:
                self._reply(grants)
            self._discard(size)
            return
        if self.headers is None:
            raise ProtocolError("data before headers")
        self._stream_received += size + (flags & PADDED and 1)
        if self._stream_received >= _REFILL and not flags & END_STREAM:
            grants += frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", self._stream_received))
            self._stream_received = 0
        if grants:
            self._reply(grants)
        self._left = size - padding
        self._padding = padding
        self._end_after_data = bool(flags & END_STREAM)
        if not self._left:
            self._end_data()

    def _on_headers(self, size: int, flags: int, stream: int) -> None:
        if stream == 0 or stream > self._stream:
            raise ProtocolError(f"headers for stream {stream}, which was not begun")
        block = self._header_block(size, flags, stream)
        try:
            decoded = self._decoder.decode(block, raw=True)
        except (hpack.HPACKError, IndexError) as e:
            raise ProtocolError(f"a header block that cannot be read: {e}") from None
        if stream != self._stream or self.ended:
            return
        fields = [(_text(name), _text(value)) for name, value, *_ in decoded]
        end = bool(flags & END_STREAM)
        if self.headers is None:
            informational = next((v for n, v in fields if n == ":status"), "")
            if informational.startswith("1") and not end:
                return
            self.headers = fields
            if end:
                self.trailers = fields
            self.ended = end
            self._check(fields)
        elif end:
            self.trailers = fields
            self.ended = True
        else:
            raise ProtocolError("trailers without an end")

    def _header_block(self, size: int, flags: int, stream: int) -> bytes:
        if size > _MAX_HEADER_BYTES:
            raise ProtocolError(f"headers of {size} bytes")
        payload = self._exactly(size)
        if flags & PADDED:
            if not payload or payload[0] > len(payload) - 1:
                raise ProtocolError("more padding than frame")
            payload = payload[1 : len(payload) - payload[0]]
        if flags & PRIORITY_FLAG:
            if len(payload) < 5:
                raise ProtocolError("headers without their priority")
            payload = payload[5:]
        while not flags & END_HEADERS:
            head = self._exactly(FRAME_HEADER)
            size = head[0] << 16 | head[1] << 8 | head[2]
            flags = head[4]
            if head[3] != CONTINUATION or int.from_bytes(head[5:9], "big") & MOST_WINDOW != stream:
                raise ProtocolError("headers that are not continued")
            if len(payload) + size > _MAX_HEADER_BYTES:
                raise ProtocolError("headers that do not end")
            payload += self._exactly(size)
        return payload

    def _on_control(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind == SETTINGS:
            self._on_settings(flags, stream, payload)
        elif kind == PING:
            if len(payload) != 8 or stream:
                raise ProtocolError("a ping of another length, or on a stream")
            if not flags & ACK:
                self._reply(frame(PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE:
            self._on_window(stream, payload)
        elif kind == RST_STREAM:
            if len(payload) != 4 or stream == 0 or stream > self._stream:
                raise ProtocolError("a reset of another length, or of no stream")
            if stream == self._stream and not self.ended:
                self._on_reset(int.from_bytes(payload, "big"))
        else:
            if len(payload) < 8 or stream:
                raise ProtocolError("a GOAWAY of another length, or on a stream")
            code = int.from_bytes(payload[4:8], "big")
            reason = payload[8:200].decode("utf-8", "replace")
            self._goaway = error_name(code) + (", " + reason if reason else "")
            self._last_stream = int.from_bytes(payload[:4], "big") & MOST_WINDOW
            if self._stream > self._last_stream and not self.ended:
                raise ConnectionLostError(f"{self.name} closes the connection: {self._goaway}")

    def _on_reset(self, code: int) -> None:
        if code == 0 and self.trailers is not None:
            return
        said = f"{self.name} reset the stream: {error_name(code)}"
        self._closed = True
        if code == 7:
            raise ConnectionLostError(said)
        if code == 8 and time.monotonic() >= self._deadline - _SLACK:
            raise self._late()  # the server ends a call whose deadline has passed so
        # CANCEL: the server dropped the call, as it does when it shuts down, and another may have it.
        known = {8: 14, 11: 8, 12: 7}
        raise error(known.get(code, 13), said)

    def _on_settings(self, flags: int, stream: int, payload: bytes) -> None:
        if stream or len(payload) % 6 or (flags & ACK and payload):
            raise ProtocolError("settings of another length, or on a stream")
        if flags & ACK:
            return
        for key, value in struct.iter_unpack(">HI", payload):
            if key == 4:
                if value > MOST_WINDOW:
                    raise ProtocolError("an initial window that is too large")
                self._stream_window += value - self._peer_initial
                self._peer_initial = value
            elif key == 5:
                if not DEFAULT_FRAME <= value <= MAX_FRAME:
                    raise ProtocolError(f"a frame size of {value}")
                self._peer_frame = value
        self._reply(frame(SETTINGS, ACK, 0))

    def _on_window(self, stream: int, payload: bytes) -> None:
        if len(payload) != 4:
            raise ProtocolError("a window update of another length")
        more = int.from_bytes(payload, "big") & MOST_WINDOW
        if more == 0:
            raise ProtocolError("a window update of nothing")
        if stream == 0:
            self._send_window += more
        elif stream == self._stream:
            self._stream_window += more
        if max(self._send_window, self._stream_window) > MOST_WINDOW:
            raise ProtocolError("a window that is too large")


def _any(_: Headers) -> None:
    """Any headers are good."""


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")
