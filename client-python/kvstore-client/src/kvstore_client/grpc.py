"""gRPC over :mod:`kvstore_client.http2`: a call's headers, its messages, and how its end becomes an error."""

from __future__ import annotations

import base64
import binascii
import contextlib
import math
import re
import time
import urllib.parse
from collections.abc import Callable, Iterator, Sequence

from kvstore_client import wire
from kvstore_client._version import __version__
from kvstore_client.errors import InternalError, KvError, error
from kvstore_client.frames import CutShortError, Headers, encode_headers
from kvstore_client.http2 import Connection

SERVICE = "/kvstore.v1.KVStoreService/"
ROUTES = "/kvstore.control.v1.RouteService/"

_MOST_TIMEOUT = 99_999_999

_KIND = re.compile(r"application/grpc(\+[^;]*)?(;.*)?", re.IGNORECASE | re.DOTALL)

#: By HTTP status, of answers that do not come from gRPC.
_HTTP_CODES = {400: 13, 431: 13, 401: 16, 403: 7, 404: 12, 429: 14, 502: 14, 503: 14, 504: 14}


def bearer(key: str) -> bytes:
    """The value of ``authorization`` for an API key. Raises ``ValueError`` unless it is visible ASCII.

    Spaces and line ends around the key are none of it.
    """
    key = key.strip()
    if not key or not all(" " < c <= "~" for c in key):
        raise ValueError("key: must be visible ASCII characters without spaces")
    return b"Bearer " + key.encode()


def timeout(seconds: float) -> bytes:
    """A time as ``grpc-timeout`` has it: at most eight digits and a unit, never less."""
    nanos = max(1, math.ceil(seconds * 1e9))
    for unit, size in ((b"n", 1), (b"u", 1_000), (b"m", 1_000_000)):
        if -(-nanos // size) <= _MOST_TIMEOUT:
            return b"%d%s" % (-(-nanos // size), unit)
    return b"%dS" % min(_MOST_TIMEOUT, -(-nanos // 1_000_000_000))


def request_headers(path: str, authority: str, *, tls: bool, authorization: bytes, left: float | None) -> bytes:
    """The header block of a call. ``left`` is the time until its deadline in seconds; ``None`` for none."""
    headers = [
        (b":method", b"POST"),
        (b":scheme", b"https" if tls else b"http"),
        (b":path", path.encode()),
        (b":authority", authority.encode()),
        (b"te", b"trailers"),
        (b"content-type", b"application/grpc"),
        (b"user-agent", b"kvstore-python/" + __version__.encode()),
        (b"grpc-accept-encoding", b"identity"),
    ]
    if left is not None:
        headers.append((b"grpc-timeout", timeout(left)))
    headers.append((b"authorization", authorization))
    return encode_headers(headers)


def begin(
    connection: Connection,
    path: str,
    authority: str,
    message: Sequence[memoryview],
    *,
    tls: bool,
    authorization: bytes,
    deadline: float,
    tell_deadline: bool = True,
) -> None:
    """Sends a call with one message, which is given in pieces.

    Until the call is over, whatever reads the connection raises an error for an answer that is not gRPC's.
    """
    left = deadline - time.monotonic() if tell_deadline else None
    headers = request_headers(path, authority, tls=tls, authorization=authorization, left=left)
    connection.begin(headers, deadline, require_grpc)
    size = sum(piece.nbytes for piece in message)
    prefix = memoryview(b"\x00" + size.to_bytes(4, "big"))
    connection.send([prefix, *message])


def next_message(connection: Connection, most: int) -> int | None:
    """The length of the answer's next message, which is then read from the connection; ``None`` at the end.

    Raises the call's error if it did not succeed.
    """
    connection.wait_headers()
    if not connection.more():
        finish(connection)
        return None
    flag = connection.byte()
    size = int.from_bytes(connection.take(4), "big")
    if flag:
        raise InternalError("the server sent a compressed message, though none was asked for")
    if size > most:
        raise InternalError(f"the server sent a message of {size} bytes")
    return size


def unary(connection: Connection, most: int, decode: Callable[[bytes], wire.T]) -> wire.T:
    """The one message of an answer."""
    with explained(connection):
        size = next_message(connection, most)
        if size is None:
            raise InternalError("the server sent no answer")
        data = connection.take(size)
        finish(connection)
    try:
        return decode(data)
    except wire.DecodeError as e:
        raise InternalError(f"the server sent an answer that cannot be read: {e}") from None


@contextlib.contextmanager
def explained(connection: Connection) -> Iterator[None]:
    """Where an answer is cut short, raises the error that its trailers tell of, if they do."""
    try:
        yield
    except CutShortError as e:
        failure = outcome(connection.trailers) if connection.trailers else None
        raise failure or e from None


def finish(connection: Connection) -> None:
    """Waits for the end of a call. Raises its error if it did not succeed."""
    failure = outcome(connection.wait_end())
    if failure:
        raise failure


def require_grpc(headers: Headers) -> None:
    """Raises an error if an answer that begins so is not gRPC's, or is compressed."""
    first = dict(reversed(headers))
    status, kind = first.get(":status", ""), first.get("content-type", "")
    if status != "200" or not _KIND.fullmatch(kind):
        code = _HTTP_CODES.get(int(status), 2) if status.isascii() and status.isdigit() else 13
        hint = "; a proxy on the way refuses requests of this length" if status == "413" else ""
        raise error(code, f"the answer is not gRPC: HTTP {status}, content-type {kind or 'missing'}{hint}")
    if first.get("grpc-encoding", "identity") != "identity":
        raise InternalError("the server compresses, though that was not asked for")


def outcome(trailers: Headers) -> KvError | None:
    """The error that trailers tell of; ``None`` if the call succeeded."""
    first = dict(reversed(trailers))
    said = first.get("grpc-status")
    if said is None:
        return error(2, "the server's trailers have no grpc-status")
    code = int(said) if said.isascii() and said.isdigit() and len(said) < 10 else 2
    if code == 0:
        return None
    message = urllib.parse.unquote(first.get("grpc-message", "no description"))
    if code == 1:
        # Nothing reads the end of a call that was given up here: the server dropped it, and another may have it.
        return error(14, f"the server dropped the call: {message}")
    details = first.get("grpc-status-details-bin")
    if details:
        try:
            found = wire.status(base64.b64decode(details + "=" * (-len(details) % 4), validate=True))
        except (wire.DecodeError, binascii.Error):
            return error(code, message)
        if found.code == code:
            return error(code, message, found.violations, found.retry_delay)
    return error(code, message)
