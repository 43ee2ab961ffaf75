"""HTTP/2 over one socket, for one call at a time, as a client of gRPC needs it (RFC 9113).

Bytes of DATA frames go from the socket into the caller's memory. Everything happens on the caller's thread: nothing
reads a connection that is idle, so :meth:`Connection.usable` looks at what has come meanwhile before the next call.
"""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import struct
import time
from collections.abc import Sequence

import hpack

from kvstore.errors import CancelledError, DeadlineExceededError, InternalError, KvError, UnavailableError, error

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)

END_STREAM = ACK = 0x1
END_HEADERS = 0x4
PADDED = 0x8
PRIORITY_FLAG = 0x20

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
MOST_WINDOW = 2**31 - 1
DEFAULT_WINDOW = 65_535
DEFAULT_FRAME = 16_384

#: The largest frame that this client takes: fewer system calls for a block.
MAX_FRAME = 2**24 - 1

#: The largest frame that this client sends, however much the server takes.
MAX_SENT_FRAME = 1 << 20

#: Bytes after which the server is given its window back: a quarter, so that it never runs dry.
_REFILL = 512 << 20

_MAX_HEADER_BYTES = 256 * 1024
_BUFFER = 16 * 1024
_IOV = 512

#: How long one system call waits before the deadline and the server's silence are looked at, in seconds.
_TICK = 0.5

_ERRORS = (
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
)

Headers = list[tuple[str, str]]


def error_name(code: int) -> str:
    """An error code of HTTP/2 by its name."""
    return _ERRORS[code] if code < len(_ERRORS) else str(code)


class ConnectionLostError(UnavailableError):
    """The connection ended."""

    _local = True


class StalledError(UnavailableError):
    """The server holds the connection and does not answer, not even a ping."""

    _local = True


class CutShortError(InternalError):
    """The answer ended in the middle of a message; its trailers may say why."""

    _local = True


class ProtocolError(InternalError):
    """The server broke HTTP/2; the connection is of no more use."""

    _local = True


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A frame of HTTP/2."""
    return struct.pack(">BHBBI", len(payload) >> 16, len(payload) & 0xFFFF, kind, flags, stream) + payload


def _literal(text: bytes) -> bytes:
    """A string of HPACK without Huffman's code."""
    size = len(text)
    if size < 127:
        return bytes((size,)) + text
    size -= 127
    out = bytearray((127,))
    while size > 127:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out) + text


def encode_headers(headers: Sequence[tuple[bytes, bytes]], secret: bytes = b"authorization") -> bytes:
    """A header block of literals that no table keeps; intermediaries must not either where it is a secret."""
    return b"".join(
        (b"\x10" if name == secret else b"\x00") + _literal(name) + _literal(value) for name, value in headers
    )


class Connection:
    """One connection. For one thread at a time, but for :meth:`abort` and :meth:`close`.

    Every method that reads or sends raises ``ConnectionLostError`` when the connection ends, ``StalledError`` when the
    server is silent for ``stall`` seconds (0: never) and answers no ping, ``DeadlineExceededError`` when the time of
    :meth:`begin` is over, and ``ProtocolError`` when the server breaks the rules.
    """

    def __init__(self, sock: socket.socket, name: str, stall: float = 2.0) -> None:
        """Takes the socket over and sends the preface. ``name`` is the server's, for messages."""
        self.name = name
        self.calls = 0
        self.idle_since = 0.0
        self._sock = sock
        self._tls = isinstance(sock, ssl.SSLSocket)
        self._stall = stall
        self._waits = 0.0
        self._closed = False
        self._aborted = False
        self._goaway: str | None = None
        self._last_stream = 2**31
        self._decoder = hpack.Decoder(max_header_list_size=_MAX_HEADER_BYTES)
        self._peer_frame = DEFAULT_FRAME
        self._peer_initial = DEFAULT_WINDOW
        self._send_window = DEFAULT_WINDOW
        self._unacknowledged = 0
        # What was read and not used: frames' headers, and what came with them.
        self._buffer = bytearray(_BUFFER)
        self._view = memoryview(self._buffer)
        self._at = 0
        self._end = 0
        # The call.
        self._stream = -1
        self._deadline = 0.0
        self._heard = 0.0
        self._pinged = False
        self._stream_window = 0
        self._stream_received = 0
        self.headers: Headers | None = None
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

    def begin(self, headers: bytes, deadline: float) -> None:
        """Begins a call; ``deadline`` is of ``time.monotonic``. What follows is sent by :meth:`send`."""
        self._stream += 2
        self.calls += 1
        self._deadline = deadline
        self._heard = time.monotonic()
        self._pinged = False
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
        """Sends the body of the request, and its end. Stops early when the server has answered in full."""
        left = sum(piece.nbytes for piece in pieces)
        index = offset = 0
        while left:
            while not self.ended and min(self._send_window, self._stream_window) <= 0:
                self._read_frame()
            if self.ended:
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
            self._sent_all = left == 0
            self._send_all(out)
            if left:
                self._read_ready()

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
        self._deadline = self._heard + _TICK
        try:
            self._read_ready()
        except KvError:
            return False
        return self.reusable()

    def reusable(self) -> bool:
        """Whether the last call is over on both sides and the server takes more."""
        over = self._stream < 0 or (self.ended and self._sent_all)
        return over and not self._closed and self._goaway is None and self._stream < 2**31 - 3

    def abort(self) -> None:
        """Ends the call under way, by another thread: it raises ``CancelledError``."""
        self._aborted = True
        with contextlib.suppress(OSError):
            # Not SSLSocket's own, which would let the other thread send in clear.
            socket.socket.shutdown(self._sock, socket.SHUT_RDWR)

    def close(self) -> None:
        """Closes the connection, in processes that were forked meanwhile, too."""
        self._closed = True
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._sock, socket.SHUT_RDWR)
        self._sock.close()

    # --- frames ---

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
        head = self._exactly(9)
        size = head[0] << 16 | head[1] << 8 | head[2]
        kind, flags = head[3], head[4]
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
                self._send_all([memoryview(grants)])
            self._discard(size)
            return
        if self.headers is None:
            raise ProtocolError("data before headers")
        self._stream_received += size + (flags & PADDED and 1)
        if self._stream_received >= _REFILL and not flags & END_STREAM:
            grants += frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", self._stream_received))
            self._stream_received = 0
        if grants:
            self._send_all([memoryview(grants)])
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
        elif end:
            self.trailers = fields
        else:
            raise ProtocolError("trailers without an end")
        self.ended = self.ended or end

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
            head = self._exactly(9)
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
                self._send_all([memoryview(frame(PING, ACK, 0, payload))])
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
        self._send_all([memoryview(frame(SETTINGS, ACK, 0))])

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

    # --- bytes ---

    def _exactly(self, size: int) -> bytes:
        """Bytes of the connection, whatever they belong to."""
        if size <= self._end - self._at:
            piece = bytes(self._view[self._at : self._at + size])
            self._at += size
            return piece
        out = bytearray()
        while len(out) < size:
            if self._at == self._end:
                self._fill()
            most = min(size - len(out), self._end - self._at)
            out += self._view[self._at : self._at + most]
            self._at += most
        return bytes(out)

    def _discard(self, size: int) -> None:
        while size:
            if self._at == self._end:
                self._fill()
            most = min(size, self._end - self._at)
            self._at += most
            size -= most

    def _fill(self) -> None:
        self._at = self._end = 0
        self._end = self._receive(self._view, all_of_it=False)

    def _receive(self, target: memoryview, *, all_of_it: bool) -> int:
        """At least one byte from the socket; ``all_of_it``: as many as one system call can give."""
        while True:
            now = time.monotonic()
            self._wait_at_most(now)
            try:
                if self._tls:
                    size = self._sock.recv_into(target)
                else:
                    size = self._sock.recv_into(target, 0, socket.MSG_WAITALL if all_of_it else 0)
            except (BlockingIOError, TimeoutError, ssl.SSLWantReadError):
                self._on_silence()
                continue
            except (OSError, ValueError) as e:
                raise self._lost(str(e)) from None
            if size == 0:
                raise self._lost("it closed the connection")
            self._heard = time.monotonic()
            self._pinged = False
            return size

    def _wait_at_most(self, now: float) -> None:
        left = self._deadline - now
        if left <= 0:
            raise self._late()
        # Twice as long is as good: a tick is set again only when the end is near, or far again.
        wanted = _TICK if left >= _TICK else max(left, 0.001)
        if wanted == self._waits:
            return
        self._waits = wanted
        try:
            if self._tls:
                self._sock.settimeout(wanted)
            else:
                value = struct.pack("@ll", int(wanted), int(wanted % 1 * 1e6))
                self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, value)
                self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, value)
        except (OSError, ValueError) as e:
            raise self._lost(str(e)) from None

    def _on_silence(self) -> None:
        if self._aborted:
            raise CancelledError("the operation was given up")
        now = time.monotonic()
        if now >= self._deadline:
            raise self._late()
        silent = now - self._heard
        if not self._stall or silent < self._stall / 2:
            return
        if not self._pinged:
            self._pinged = True
            heard = self._heard
            self._send_all([memoryview(frame(PING, 0, 0, b"kvstore?"))])
            self._heard = heard
        elif silent >= self._stall:
            self._closed = True
            raise StalledError(f"{self.name} holds the connection and does not answer")

    def _late(self) -> KvError:
        late = DeadlineExceededError(f"{self.name} did not answer in time")
        late._local = True
        late._answered = self.headers is not None
        return late

    def _lost(self, why: str) -> KvError:
        self._closed = True
        if self._aborted:
            return CancelledError("the operation was given up")
        lost = ConnectionLostError(f"the connection to {self.name} broke: {why}")
        lost._answered = self.headers is not None
        return lost

    def _read_ready(self) -> None:
        """Reads the frames that are there, up to one with data for the call."""
        while not self._left and not self._closed:
            if self._at == self._end and not self._readable():
                return
            self._read_frame()

    def _readable(self) -> bool:
        if self._tls and isinstance(self._sock, ssl.SSLSocket) and self._sock.pending():
            return True
        try:
            poll = select.poll()
            poll.register(self._sock, select.POLLIN)
            return bool(poll.poll(0))
        except (OSError, ValueError) as e:
            raise self._lost(str(e)) from None

    def _send_all(self, pieces: list[memoryview]) -> None:
        at = 0
        while at < len(pieces):
            sent = self._send_some(pieces[at:] if at else pieces)
            while sent and at < len(pieces):
                size = pieces[at].nbytes
                if sent < size:
                    pieces[at] = pieces[at][sent:]
                    break
                sent -= size
                at += 1

    def _send_some(self, pieces: list[memoryview]) -> int:
        """As many bytes as the socket takes at once, at least one."""
        while True:
            self._wait_at_most(time.monotonic())
            try:
                sent = self._sock.send(pieces[0][:MAX_SENT_FRAME]) if self._tls else self._sock.sendmsg(pieces)
                self._heard = time.monotonic()  # what goes is taken
                return sent
            except (BlockingIOError, TimeoutError, ssl.SSLWantWriteError):
                self._on_full()
            except (OSError, ValueError) as e:
                raise self._lost(str(e)) from None

    def _on_full(self) -> None:
        """The server has taken nothing for a tick; a ping would not reach it."""
        if self._aborted:
            raise CancelledError("the operation was given up")
        now = time.monotonic()
        if now >= self._deadline:
            raise self._late()
        if self._stall and now - self._heard >= self._stall:
            self._closed = True
            raise StalledError(f"{self.name} holds the connection and takes nothing")


def frame_header(size: int, kind: int, flags: int, stream: int) -> bytes:
    """The first nine bytes of a frame."""
    return struct.pack(">BHBBI", size >> 16, size & 0xFFFF, kind, flags, stream)


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode("latin-1")
