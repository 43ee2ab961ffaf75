"""The bytes of one connection: a socket, its deadline, and a server that may be silent."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import struct
import time
from collections.abc import Callable

from kvstore_client.errors import CancelledError, DeadlineExceededError, KvError
from kvstore_client.frames import MAX_SENT_FRAME, PING, ConnectionLostError, Headers, StalledError, frame

_BUFFER = 16 * 1024

#: Bytes of frames that wait until a piece of a body is out; those of a server that asks for more stay without a reply.
_MOST_REPLIES = 64 * 1024

#: How long one system call waits before the deadline and the server's silence are looked at, in seconds.
TICK = 0.5

#: Pings of one call are so far apart, in seconds: gRPC servers close connections that are pinged more often than they
#: permit, which is half of a data plane's keepalive, 5 s. The first of a call is always permitted.
PING_APART = 10.0


class Transport:
    """Reads and sends bytes. For one thread at a time, but for :meth:`abort` and :meth:`close`."""

    def __init__(self, sock: socket.socket, name: str, stall: float) -> None:
        """Takes the socket over. ``name`` is the server's; ``stall``: seconds of silence that are borne, 0 for any."""
        self.name = name
        self.headers: Headers | None = None
        self._sock = sock
        self._tls = isinstance(sock, ssl.SSLSocket)
        self._stall = stall
        self._waits = 0.0
        self._closed = False
        self._aborted = False
        self._deadline = 0.0
        self._heard = 0.0
        self._pinged = False
        self._ping_at = -PING_APART
        self._spoke = False
        self._body_goes_out = False
        self._replies = bytearray()
        # Bytes that were read and not used yet: headers of frames, and the bytes that came with them.
        self._buffer = bytearray(_BUFFER)
        self._view = memoryview(self._buffer)
        self._at = 0
        self._end = 0

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

    def _receive(self, target: memoryview, *, all_of_it: bool, behind: int = 0) -> int:
        """At least one byte from the socket; ``all_of_it``: as many as one system call can give.

        ``behind`` bytes behind the target come for certain: they are read into the buffer, which is empty, with the
        same system call. So a thread that wants the interpreter's lock has fewer chances to take it.
        """
        while True:
            now = time.monotonic()
            self._wait_at_most(now)
            try:
                if self._tls:
                    size = self._sock.recv_into(target)
                elif behind:
                    size = self._sock.recvmsg_into([target, self._view[:behind]], 0, socket.MSG_WAITALL)[0]
                    self._at, self._end = 0, max(0, size - target.nbytes)
                    size = min(size, target.nbytes)
                else:
                    size = self._sock.recv_into(target, 0, socket.MSG_WAITALL if all_of_it else 0)
            except (BlockingIOError, TimeoutError, ssl.SSLWantReadError):
                self._on_silence()
                continue
            except (OSError, ValueError) as e:
                raise self._lost(str(e)) from None
            if size == 0:
                hint = "" if self._tls or self._spoke else "; if the port speaks TLS, use tls=Tls(...)"
                raise self._lost("it closed the connection" + hint)
            self._heard = time.monotonic()
            self._spoke = True
            self._pinged = False
            return size

    def _wait_at_most(self, now: float) -> None:
        left = self._deadline - now
        if left <= 0:
            raise self._late()
        # Twice as long is as good: a tick is set again only when the end is near, or far again.
        wanted = TICK if left >= TICK else max(left, 0.001)
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
            if now - self._ping_at >= PING_APART:
                self._pinged = True
                self._ping_at = now
                self._reply(frame(PING, 0, 0, b"kvstore?"))
        elif now - self._ping_at >= self._stall / 2:
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

    def _readable(self) -> bool:
        if self._tls and isinstance(self._sock, ssl.SSLSocket) and self._sock.pending():
            return True
        try:
            poll = select.poll()
            poll.register(self._sock, select.POLLIN)
            return bool(poll.poll(0))
        except (OSError, ValueError) as e:
            raise self._lost(str(e)) from None

    def _reply(self, frames: bytes) -> None:
        """Sends frames that a call has no part in; behind the pieces of a body that are on their way.

        Where the connection is broken, the frames that came before are still read; then reading tells that it is.
        """
        if not self._body_goes_out:
            with contextlib.suppress(ConnectionLostError):
                self._send_all([memoryview(frames)])
        elif len(self._replies) < _MOST_REPLIES:
            self._replies += frames

    def _send_body(self, pieces: list[memoryview], answered: Callable[[], bool]) -> bool:
        """Sends all, unless the server takes nothing and has ``answered``; whether all went."""
        self._body_goes_out = True
        if not self._send_all(pieces, answered):
            return False  # in the middle of a frame: nothing goes out on this connection any more
        self._body_goes_out = False
        if self._replies:
            frames, self._replies = bytes(self._replies), bytearray()
            self._reply(frames)
        return True

    def _send_all(self, pieces: list[memoryview], answered: Callable[[], bool] | None = None) -> bool:
        if self._tls and len(pieces) > 1:
            pieces = [memoryview(b"".join(pieces))]  # otherwise each would be a record of its own
        at = 0
        while at < len(pieces):
            sent = self._send_some(pieces[at:] if at else pieces, answered)
            if not sent:
                return False
            while sent and at < len(pieces):
                size = pieces[at].nbytes
                if sent < size:
                    pieces[at] = pieces[at][sent:]
                    break
                sent -= size
                at += 1
        return True

    def _send_some(self, pieces: list[memoryview], answered: Callable[[], bool] | None) -> int:
        """As many bytes as the socket takes at once, at least one; none if the server has ``answered`` instead."""
        while True:
            self._wait_at_most(time.monotonic())
            try:
                sent = self._sock.send(pieces[0][:MAX_SENT_FRAME]) if self._tls else self._sock.sendmsg(pieces)
                self._heard = time.monotonic()  # what goes is taken
                return sent
            except (BlockingIOError, TimeoutError, ssl.SSLWantWriteError):
                if answered and answered():
                    return 0
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
