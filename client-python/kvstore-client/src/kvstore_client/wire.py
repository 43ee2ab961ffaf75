"""The messages of kvstore.v1 and kvstore.control.v1 that a client needs, in protobuf's encoding, without protobuf.

Only what this package sends is encoded and only what it uses is decoded; unknown fields are skipped. The fields of
``StreamingReadResponse`` are read as they arrive: see :mod:`kvstore_client.parts`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from kvstore_client.errors import FieldViolation, KvError, error

T = TypeVar("T")

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

_UINT32 = 0xFFFFFFFF
_UINT64 = 0xFFFFFFFFFFFFFFFF

#: A server's retry delay counts up to a day: more is as good as never.
_LONGEST_DELAY = 86_400.0


class DecodeError(Exception):
    """Bytes that are no message of this kind."""


# --- encoding ---


def varint(value: int) -> bytes:
    """An unsigned number, seven bits a byte."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _bytes(number: int, value: bytes) -> bytes:
    """A field of bytes, text or a message; empty ones are left out, as proto3 has it."""
    return varint(number << 3 | BYTES) + varint(len(value)) + value if value else b""


def _uint(number: int, value: int) -> bytes:
    return varint(number << 3 | VARINT) + varint(value) if value else b""


def _fixed32(number: int, value: int) -> bytes:
    return varint(number << 3 | FIXED32) + value.to_bytes(4, "little")


def _repeated(number: int, values: Iterable[bytes]) -> bytes:
    return b"".join(varint(number << 3 | BYTES) + varint(len(v)) + v for v in values)


def lookup_request(
    resource: str, partition: str, block_tokens: int, block_hashes: bytes, expected_bytes: int = 0
) -> bytes:
    """LookupRequest by hashes, which asks to leave locations out of the answer."""
    return (
        _bytes(1, resource.encode())
        + _bytes(2, partition.encode())
        + _uint(3, block_tokens)
        + _bytes(5, block_hashes)
        + _uint(7, 1)
        + _uint(8, expected_bytes)
    )


def lookup_all_request(resource: str, block_tokens: int, queries: Iterable[tuple[str, bytes, int]]) -> bytes:
    """LookupAllRequest by hashes: of each partition its name, hashes and expected bytes."""
    partitions = (
        _bytes(1, partition.encode()) + _bytes(2, hashes) + _uint(3, expected)
        for partition, hashes, expected in queries
    )
    return _bytes(1, resource.encode()) + _repeated(2, partitions) + _uint(3, block_tokens) + _uint(6, 1)


def streaming_read_request(
    resource: str,
    locations: Sequence[bytes],
    max_part_bytes: int,
    writers: Sequence[str] = (),
    expected_bytes: int = 0,
) -> bytes:
    """StreamingReadRequest."""
    return (
        _bytes(1, resource.encode())
        + _repeated(2, locations)
        + _uint(3, max_part_bytes)
        + _repeated(4, (writer.encode() for writer in writers))
        + _uint(5, expected_bytes)
    )


def write_request(
    resource: str,
    partition: str,
    block_tokens: int,
    *,
    tokens: bytes,
    extra: bytes,
    name: bytes,
    parent: bytes,
    crc32c: int,
    buffer_bytes: int,
) -> bytes:
    """WriteRequest up to its buffer, whose ``buffer_bytes`` bytes follow and end the message."""
    chunk = (
        _bytes(1, tokens)
        + _bytes(2, extra)
        + _bytes(4, name)
        + _bytes(5, parent)
        + _fixed32(6, crc32c)
        + varint(3 << 3 | BYTES)
        + varint(buffer_bytes)
    )
    head = _bytes(1, resource.encode()) + _bytes(2, partition.encode()) + _uint(4, block_tokens)
    return head + varint(3 << 3 | BYTES) + varint(len(chunk) + buffer_bytes) + chunk


def route_request(resource: str, region: str) -> bytes:
    """GetRouteRequest."""
    return _bytes(1, resource.encode()) + _bytes(2, region.encode())


# --- decoding ---


def fields(data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
    """The fields of a message: number, wire type, value. A varint is its 64 bits, what is fixed an unsigned number.

    Raises ``DecodeError`` where the bytes are no message.
    """
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        number, kind = key >> 3 & 0x1FFFFFFF, key & 7
        if number == 0:
            raise DecodeError("a field has the number 0")
        if kind == VARINT:
            value, at = _varint(data, at)
            yield number, kind, value
            continue
        if kind == BYTES:
            size, at = _varint(data, at)
        elif kind == FIXED32:
            size = 4
        elif kind == FIXED64:
            size = 8
        else:
            raise DecodeError(f"field {number} has the wire type {kind}")
        if size > end - at:
            raise DecodeError(f"field {number} is cut short")
        piece = data[at : at + size]
        at += size
        yield number, kind, piece if kind == BYTES else int.from_bytes(piece, "little")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & _UINT64, at
        shift += 7
        if shift > 63:
            raise DecodeError("a varint has more than 10 bytes")
    raise DecodeError("a varint is cut short")


def text(value: bytes) -> str:
    """A string field; raises ``DecodeError`` if it is no UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise DecodeError("a string is no UTF-8") from None


def signed(value: int, bits: int) -> int:
    """A number of two's complement in the lowest bits of a varint."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


@dataclass
class LookupResponse:
    """The answer to a lookup, without locations."""

    cached_blocks: int = 0
    last_hash: bytes = b""

    @classmethod
    def decode(cls, data: bytes) -> LookupResponse:
        """From the wire."""
        found = cls()
        for number, kind, value in fields(data):
            if number == 1 and isinstance(value, int) and kind == VARINT:
                found.cached_blocks = value & _UINT32
            elif number == 3 and isinstance(value, bytes):
                found.last_hash = value
        return found


@dataclass
class LookupAllResponse:
    """The answer to a lookup of several partitions; that of each has the fields of a ``LookupResponse``."""

    partitions: list[LookupResponse] = field(default_factory=list)

    @classmethod
    def decode(cls, data: bytes) -> LookupAllResponse:
        """From the wire."""
        found = cls()
        for number, _, value in fields(data):
            if number == 2 and isinstance(value, bytes):
                found.partitions.append(LookupResponse.decode(value))
        return found


@dataclass
class WriteResponse:
    """The answer to a write; ``outcome`` is 1 for stored, 2 for already present."""

    location: bytes = b""
    outcome: int = 0
    stored_crc32c: int = 0
    stored_bytes: int = 0

    @classmethod
    def decode(cls, data: bytes) -> WriteResponse:
        """From the wire."""
        found = cls()
        for number, kind, value in fields(data):
            if isinstance(value, bytes):
                if number == 1:
                    found.location = value
            elif number == 2 and kind == VARINT:
                found.outcome = signed(value, 32)
            elif number == 3 and kind == FIXED32:
                found.stored_crc32c = value
            elif number == 4 and kind == VARINT:
                found.stored_bytes = value
        return found


@dataclass
class BlockHead:
    """A block without its buffer. ``tokens`` are packed, ``crc32c`` is ``None`` if it is not given."""

    tokens: bytes = b""
    extra: bytes = b""
    hash: bytes = b""
    parent: bytes = b""
    buffer_bytes: int = 0
    crc32c: int | None = None
    writer: str = ""

    @classmethod
    def decode(cls, data: bytes) -> BlockHead:
        """From the wire."""
        head = cls()
        tokens: list[bytes] = []
        for number, kind, value in fields(data):
            if isinstance(value, bytes):
                if number == 1:
                    tokens.append(value)
                elif number == 2:
                    head.extra = value
                elif number == 3:
                    head.hash = value
                elif number == 4:
                    head.parent = value
                elif number == 7:
                    head.writer = text(value)
            elif number == 1 and kind == FIXED32:
                tokens.append(value.to_bytes(4, "little"))
            elif number == 5 and kind == VARINT:
                head.buffer_bytes = value
            elif number == 6 and kind == FIXED32:
                head.crc32c = value
        head.tokens = b"".join(tokens)
        if len(head.tokens) % 4:
            raise DecodeError("tokens are not of 4 bytes each")
        return head


def status(data: bytes) -> KvError:
    """The error of a google.rpc.Status with its BadRequest and RetryInfo."""
    code, message = 2, ""
    violations: list[FieldViolation] = []
    delay: float | None = None
    for number, kind, value in fields(data):
        if number == 1 and isinstance(value, int) and kind == VARINT:
            code = signed(value, 32)
        elif number == 2 and isinstance(value, bytes):
            message = text(value)
        elif number == 3 and isinstance(value, bytes):
            url, detail = _any(value)
            if url.endswith("/google.rpc.BadRequest"):
                violations += _violations(detail)
            elif url.endswith("/google.rpc.RetryInfo"):
                delay = _retry_delay(detail)
    return error(code, message, violations, delay)


def _any(data: bytes) -> tuple[str, bytes]:
    url, value = "", b""
    for number, _, item in fields(data):
        if isinstance(item, bytes):
            if number == 1:
                url = text(item)
            elif number == 2:
                value = item
    return url, value


def _violations(data: bytes) -> Iterator[FieldViolation]:
    for number, _, item in fields(data):
        if number == 1 and isinstance(item, bytes):
            parts = {n: text(v) for n, _, v in fields(item) if n in (1, 2) and isinstance(v, bytes)}
            yield FieldViolation(parts.get(1, ""), parts.get(2, ""))


def _retry_delay(data: bytes) -> float:
    delay = 0.0
    for number, _, item in fields(data):
        if number == 1 and isinstance(item, bytes):
            delay = duration(item)
    return min(max(delay, 0.0), _LONGEST_DELAY)


def duration(data: bytes) -> float:
    """Seconds of a google.protobuf.Duration."""
    seconds = nanos = 0
    for number, kind, value in fields(data):
        if isinstance(value, int) and kind == VARINT:
            if number == 1:
                seconds = signed(value, 64)
            elif number == 2:
                nanos = signed(value, 32)
    return seconds + nanos / 1e9


@dataclass(frozen=True)
class Target:
    """A data plane: equal over its restarts by ``name``, changing with each by ``instance``; ``host:port``."""

    name: str
    instance: str
    address: str
    weight: int


@dataclass(frozen=True)
class RouteLevel:
    """Data planes as near as each other, and their share of all conversations."""

    region: str
    share: int
    targets: tuple[Target, ...]


@dataclass
class Route:
    """Which data planes serve an account, in the order of preference."""

    version: str = ""
    levels: list[RouteLevel] = field(default_factory=list)
    region: str = ""  # the region that the control plane assumes for the client

    @classmethod
    def decode(cls, data: bytes) -> Route:
        """From the wire."""
        route = cls()
        for number, _, value in fields(data):
            if isinstance(value, bytes):
                if number == 1:
                    route.version = text(value)
                elif number == 2:
                    route.region = text(value)
                elif number == 3:
                    route.levels.append(_level(value))
        return route


def _level(data: bytes) -> RouteLevel:
    region, share = "", 0
    targets: list[Target] = []
    for number, kind, value in fields(data):
        if isinstance(value, bytes):
            if number == 1:
                region = text(value)
            elif number == 4:
                targets.append(_target(value))
        elif number == 3 and kind == VARINT:
            share = value & _UINT32
    return RouteLevel(region, share, tuple(targets))


def _target(data: bytes) -> Target:
    names = {1: "", 2: "", 3: "", 4: ""}
    weight = 0
    for number, kind, value in fields(data):
        if isinstance(value, bytes):
            if number in names:
                names[number] = text(value)
        elif number == 5 and kind == VARINT:
            weight = value & _UINT32
    return Target(f"{names[1]}/{names[2]}", names[3], names[4], max(1, weight))
