"""Frames of HTTP/2 (RFC 9113), header blocks (RFC 7541) as this client sends them, and how connections fail."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from kvstore_client.errors import InternalError, UnavailableError

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)

END_STREAM = ACK = 0x1
END_HEADERS = 0x4
PADDED = 0x8
PRIORITY_FLAG = 0x20

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
MOST_WINDOW = 2**31 - 1
DEFAULT_WINDOW = 65_535
DEFAULT_FRAME = 16_384

#: Bytes of a frame's header.
FRAME_HEADER = 9

#: The largest frame that this client takes: fewer system calls for a block.
MAX_FRAME = 2**24 - 1

#: The largest frame that this client sends, however much the server takes.
MAX_SENT_FRAME = 1 << 20

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


def frame_header(size: int, kind: int, flags: int, stream: int) -> bytes:
    """The first nine bytes of a frame."""
    return struct.pack(">BHBBI", size >> 16, size & 0xFFFF, kind, flags, stream)
