"""The answer to a streaming read: parts of blocks, received into the caller's memory and verified on the way.

A part's fields are read one after the other from the connection. Its bytes go where they belong as soon as it is known
where that is; servers send ``index``, ``offset`` and ``head`` before ``bytes``, but any order is understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from kvstore_client import checksums, names, wire
from kvstore_client.errors import (
    DataLossError,
    FailedPreconditionError,
    InternalError,
    KvError,
    NotFoundError,
    OutOfRangeError,
)
from kvstore_client.wire import BYTES, FIXED32, FIXED64, VARINT, BlockHead, DecodeError

#: Largest buffer of a block, in bytes.
MAX_BUFFER_BYTES = 64 << 20

#: Longest message of the service, in bytes.
MAX_MESSAGE_BYTES = 65 << 20

_MAX_PART_BYTES = 4 << 20
_MAX_HEAD_BYTES = 256 * 1024
_MAX_STATUS_BYTES = 64 * 1024


class Body(Protocol):
    """The bytes of an answer: :class:`kvstore_client.http2.Connection`, or a test's."""

    consumed: int

    def byte(self) -> int:
        """The next one."""
        ...

    def take(self, size: int) -> bytes:
        """The next ones."""
        ...

    def into(self, target: memoryview) -> None:
        """The next ones, as many as the target has."""
        ...

    def skip(self, size: int) -> None:
        """Leaves some out."""
        ...


@dataclass(frozen=True)
class Part:
    """The fields of a ReadPart but for its bytes."""

    index: int = 0
    offset: int = 0
    last: bool = False
    status: KvError | None = None
    head: BlockHead | None = None


class Sink(Protocol):
    """Takes parts."""

    def place(self, part: Part, size: int) -> memoryview | None:
        """Memory for the bytes of a part, exactly ``size``; ``None`` if the part is to be handed over whole."""
        ...

    def placed(self, part: Part, target: memoryview) -> None:
        """The bytes of a part are at the place that was given."""
        ...

    def part(self, part: Part, data: bytes) -> None:
        """A part with its bytes."""
        ...


def _varint(body: Body) -> int:
    value = shift = 0
    while True:
        byte = body.byte()
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF
        shift += 7
        if shift > 63:
            raise DecodeError("a varint has more than 10 bytes")


def _skip(body: Body, kind: int, room: int) -> None:
    if kind == VARINT:
        _varint(body)
        return
    if kind == BYTES:
        start = body.consumed
        size = _varint(body)
        room -= body.consumed - start
    elif kind in (FIXED32, FIXED64):
        size = 4 if kind == FIXED32 else 8
    else:
        raise DecodeError(f"a field has the wire type {kind}")
    if size > room:
        raise DecodeError("a field is cut short")
    body.skip(size)


def read_message(body: Body, size: int, sink: Sink) -> None:
    """Reads a StreamingReadResponse of ``size`` bytes. Raises ``DecodeError`` if it is none."""
    end = body.consumed + size
    while body.consumed < end:
        key = _varint(body)
        if key == 1 << 3 | BYTES:
            length = _varint(body)
            if length > end - body.consumed:
                raise DecodeError("a part is cut short")
            _read_part(body, length, sink)
        else:
            _number(key)
            _skip(body, key & 7, end - body.consumed)
    if body.consumed != end:
        raise DecodeError("a message is cut short")


def _number(key: int) -> int:
    number = key >> 3 & 0x1FFFFFFF
    if number == 0:
        raise DecodeError("a field has the number 0")
    return number


def _read_part(body: Body, size: int, sink: Sink) -> None:
    end = body.consumed + size
    index = offset = last = 0
    status: KvError | None = None
    head: BlockHead | None = None
    data: bytes | None = None
    target: memoryview | None = None
    assumed: Part | None = None
    while body.consumed < end:
        key = _varint(body)
        number, kind = _number(key), key & 7
        if kind == BYTES and number in (4, 5, 6):
            length = _varint(body)
            if length > end - body.consumed:
                raise DecodeError("a field of a part is cut short")
            if number == 6:
                if length > _MAX_PART_BYTES:
                    raise DecodeError(f"a part has {length} bytes")
                assumed = Part(index, offset, bool(last), status, head)
                target = sink.place(assumed, length)
                if target is None:
                    data = body.take(length)
                else:
                    body.into(target)
            elif number == 4:
                status = wire.status(_bounded(body, length, _MAX_STATUS_BYTES))
            else:
                head = BlockHead.decode(_bounded(body, length, _MAX_HEAD_BYTES))
        elif kind == VARINT and number <= 3:
            value = _varint(body)
            if number == 1:
                index = value & 0xFFFFFFFF
            elif number == 2:
                offset = value
            else:
                last = value
        else:
            _skip(body, kind, end - body.consumed)
    if body.consumed != end:
        raise DecodeError("a part is cut short")
    part = Part(index, offset, bool(last), status, head)
    if target is None or assumed is None:
        sink.part(part, data or b"")
    elif (assumed.index, assumed.offset, assumed.head, assumed.status) == (index, offset, head, status):
        sink.placed(part, target)
    else:
        sink.part(part, bytes(target))  # its place is told after its bytes


def _bounded(body: Body, size: int, most: int) -> bytes:
    if size > most:
        raise DecodeError(f"a field has {size} bytes")
    return body.take(size)


@dataclass(frozen=True)
class BlockResult:
    """The outcome of one block of a read.

    ``index`` is its position in the list that was asked for. ``nbytes`` is how many bytes of its buffer were filled: 0
    if ``error`` says why there is no block, in which case the buffer's content is undefined. ``head`` has the block's
    tokens (packed, 4 bytes each), extra, name, parent and writer.
    """

    index: int
    location: bytes
    nbytes: int = 0
    error: KvError | None = None
    head: BlockHead | None = None

    @property
    def ok(self) -> bool:
        """Whether the block is here, whole and verified."""
        return self.error is None


class _FlawError(Exception):
    """A block that arrives is not what it says it is."""


class BlockReceiver:
    """Makes blocks of parts. What is not exactly right becomes DATA_LOSS of that block and touches no other.

    ``memory(index, head)`` gives the buffer for a block, writable bytes, or ``None`` if there is none large enough.
    ``done(result)`` hears of each block, in order.
    """

    def __init__(
        self,
        locations: Sequence[bytes],
        first: int,
        memory: Callable[[int, BlockHead], memoryview | None],
        done: Callable[[BlockResult], None],
        writers: Sequence[str] = (),
        expected_bytes: int = 0,
    ) -> None:
        """``first`` is the index of the first location; ``writers`` are the ids of the keys whose blocks are wanted.

        ``expected_bytes`` is the only length that is accepted, or 0.
        """
        self._locations = locations
        self._first = first
        self._memory = memory
        self._done = done
        self._writers = writers
        self._expected = expected_bytes
        self.position = 0
        self._head: BlockHead | None = None
        self._target: memoryview | None = None
        self._received = 0
        self._crc = 0

    def place(self, part: Part, size: int) -> memoryview | None:
        """Where the bytes go if this is the next part of a block that has a buffer."""
        if part.index != self.position or self.position >= len(self._locations) or part.status:
            return None
        try:
            self._open(part)
        except _FlawError:
            return None  # told once the part is whole
        head = self._head
        if head is None or self._target is None or part.offset != self._received:
            return None
        end = self._received + size
        return self._target[self._received : end] if end <= head.buffer_bytes else None

    def placed(self, part: Part, target: memoryview) -> None:
        """The part is in its place."""
        self._crc = checksums.crc32c(target, self._crc)
        self._received += target.nbytes
        self._finish(part)

    def part(self, part: Part, data: bytes) -> None:
        """A part that has no place, or came in another order. Raises ``InternalError`` if nothing asked for it."""
        if part.index >= len(self._locations):
            raise InternalError(f"the server sent block {part.index} of {len(self._locations)}")
        if part.index < self.position:
            return  # the rest of a block that is lost already
        while self.position < part.index:
            self._lose("its last part is missing")
        if part.status:
            self._emit(part.status)
            return
        try:
            self._open(part)
            self._add(part, data)
        except _FlawError as e:
            self._lose(str(e))
            return
        self._finish(part)

    def end(self) -> None:
        """The stream ended in good order: what has not come will not."""
        while self.position < len(self._locations):
            self._lose("the server ended the stream without it")

    def _open(self, part: Part) -> None:
        if self._head is not None:
            return
        head = part.head
        if head is None:
            raise _FlawError("its first part is missing")
        wanted = names.hash_of(self._locations[self.position])
        if len(head.parent) != names.HASH_BYTES:
            raise _FlawError("its parent_hash is not 32 bytes long")
        if head.crc32c is None:
            raise _FlawError("its head has no crc32c")
        if not 1 <= head.buffer_bytes <= MAX_BUFFER_BYTES:
            raise _FlawError("buffer_bytes is out of range")
        if head.hash != wanted:
            raise _FlawError(f"another block came: {head.hash.hex()}")
        if names.block_hash(head.parent, head.tokens, head.extra) != wanted:
            raise _FlawError("its tokens and parent do not have its hash")
        self._head = head
        self._received = self._crc = 0
        fits = self._expected in (0, head.buffer_bytes)
        target = self._memory(self._first + self.position, head) if fits else None
        self._target = target[: head.buffer_bytes] if target is not None else None

    def _add(self, part: Part, data: bytes) -> None:
        head = self._head
        if head is None or part.offset != self._received:
            raise _FlawError(f"a part is at {part.offset} instead of {self._received}")
        end = self._received + len(data)
        if end > head.buffer_bytes:
            raise _FlawError(f"its parts have more than its {head.buffer_bytes} bytes")
        if self._target is not None:
            self._target[self._received : end] = data
        self._crc = checksums.crc32c(memoryview(data), self._crc)
        self._received = end

    def _finish(self, part: Part) -> None:
        head = self._head
        if not part.last or head is None:
            return
        if self._received != head.buffer_bytes:
            self._lose(f"it ended after {self._received} bytes")
        elif self._crc != head.crc32c:
            self._lose("its bytes do not have its checksum")
        elif self._writers and head.writer not in self._writers:
            # A server that does not know of writers yet sends blocks of others, too.
            self._emit(NotFoundError("no block of these writers"))
        elif self._expected not in (0, head.buffer_bytes):
            # So does one that does not know of lengths yet.
            stored = f"expected_bytes: the block is stored with {head.buffer_bytes} bytes, and {self._expected} are"
            self._emit(FailedPreconditionError(f"{stored} expected; caches of another layout need another partition"))
        elif self._target is None:
            self._emit(OutOfRangeError(f"the block has {head.buffer_bytes} bytes, more than its buffer"))
        else:
            self._emit(None, head)

    def _lose(self, flaw: str) -> None:
        name = names.hash_of(self._locations[self.position]).hex()
        self._emit(DataLossError(f"block {name}: {flaw}"))

    def _emit(self, failure: KvError | None, head: BlockHead | None = None) -> None:
        index, address = self._first + self.position, self._locations[self.position]
        self.position += 1
        self._head = self._target = None
        self._received = self._crc = 0
        nbytes = head.buffer_bytes if head and failure is None else 0
        self._done(BlockResult(index, bytes(address), nbytes, failure, head))
