"""Names of blocks: partitions, hash chains and locations, as protocol/README.md of KV Store defines them."""

from __future__ import annotations

import hashlib
import struct
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

HASH_BYTES = 32
LOCATION_BYTES = 65
MAX_EXTRA_BYTES = 65_536
MAX_BLOCK_TOKENS = 8192
MAX_PARTITION_BYTES = 512

_VERSION = b"\x01"
_ROOT = b"kvstore.root.v1"
_BLOCK = b"kvstore.block.v1"

#: Token ids: a sequence of int32, an array of 32 or 64 bit integers, or ``bytes`` of int32 in little-endian order.
#: (Any object with the buffer protocol will do; Python has no type for these before 3.12.)
Tokens = Any


def pack_tokens(tokens: Tokens) -> bytes:
    """Token ids as int32 in little-endian order, 4 bytes each.

    Raises ``ValueError`` for an id that is no int32, and for a buffer of another shape or type.
    """
    try:
        view = memoryview(tokens)
    except TypeError:
        return _pack(tokens.tolist() if hasattr(tokens, "tolist") else list(tokens))
    with view:
        if view.itemsize == 1:
            if view.nbytes % 4:
                raise ValueError(f"tokens: {view.nbytes} bytes are not int32s of 4 bytes each")
            return view.tobytes()
        if view.ndim != 1 or view.format.lstrip("@=<") not in ("i", "I", "l", "L", "q", "Q"):
            raise ValueError(f"tokens: give one dimension of integers, not {view.ndim} of format {view.format!r}")
        if view.itemsize == 4 and view.format.lstrip("@=<") in ("i", "l") and sys.byteorder == "little":
            return view.tobytes()
        return _pack(view.tolist())


def _pack(ids: Sequence[int]) -> bytes:
    try:
        return struct.pack(f"<{len(ids)}i", *ids)
    except struct.error as e:
        raise ValueError(f"tokens: {e}") from None


def _flaw(name: str) -> str | None:
    if not name:
        return "must not be empty"
    try:
        encoded = name.encode()
    except UnicodeEncodeError:
        return "must be valid Unicode"
    if len(encoded) > MAX_PARTITION_BYTES:
        return f"must be at most {MAX_PARTITION_BYTES} bytes of UTF-8"
    if any(unicodedata.category(c) == "Cc" for c in name):
        return "must not contain control characters"
    return None


@dataclass(frozen=True)
class Partition:
    """A tenant's own namespace for blocks that may meet: model, revision, dtype, parallel rank.

    Equal tokens in two partitions never meet. ``name`` is 1 to 512 bytes of UTF-8 without control characters,
    ``block_tokens`` 1 to 8192. ``root`` is the parent of the first blocks. Raises ``ValueError`` otherwise.
    """

    name: str
    block_tokens: int = 128
    root: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        flaw = _flaw(self.name)
        if flaw:
            raise ValueError(f"partition: {flaw}")
        if not 1 <= self.block_tokens <= MAX_BLOCK_TOKENS:
            raise ValueError(f"block_tokens: must be 1 to {MAX_BLOCK_TOKENS}, not {self.block_tokens}")
        name = self.name.encode()
        root = hashlib.sha256(_ROOT + struct.pack("<II", self.block_tokens, len(name)) + name).digest()
        object.__setattr__(self, "root", root)


def block_hash(parent: bytes, tokens: bytes | memoryview, extra: bytes = b"") -> bytes:
    """The name of a block: 32 bytes. ``tokens`` are packed as :func:`pack_tokens` does it."""
    digest = hashlib.sha256(_BLOCK + parent + struct.pack("<I", len(extra)) + extra)
    digest.update(tokens)
    return digest.digest()


def location(root: bytes, name: bytes) -> bytes:
    """The address of a block on the wire: 65 bytes."""
    return _VERSION + root + name


def hash_of(address: bytes) -> bytes:
    """The name of the block at a location.

    Raises ``ValueError`` if it is no location of version 1.
    """
    if len(address) != LOCATION_BYTES or address[:1] != _VERSION:
        raise ValueError(f"a location has {LOCATION_BYTES} bytes, the first of which is 1")
    return bytes(address[1 + HASH_BYTES :])


class BlockChain:
    """The names of a prompt's whole blocks, first block first. Immutable.

    It keeps the prompt's tokens too (4 bytes each), so that a block to write needs nothing but its bytes.
    """

    __slots__ = ("_extras", "_hashes", "_size", "_tokens", "partition")

    def __init__(self, partition: Partition, hashes: bytes, size: int, tokens: bytes, extras: tuple[bytes, ...]):
        """For :meth:`of`, which computes the names."""
        self.partition = partition
        self._hashes = hashes
        self._size = size
        self._tokens = tokens
        self._extras = extras

    @classmethod
    def of(cls, partition: Partition, tokens: Tokens, extras: Sequence[bytes] = ()) -> BlockChain:
        """The chain of a prompt; tokens behind the last whole block are kept for :meth:`extend`.

        ``extras`` is empty, or has one entry of 0 to 65,536 bytes for each whole block: what its tokens do not say.
        Raises ``ValueError`` otherwise.
        """
        return cls(partition, b"", 0, b"", ()).extend(tokens, extras)

    def extend(self, tokens: Tokens, extras: Sequence[bytes] = ()) -> BlockChain:
        """The chain of this prompt and more tokens behind it. ``extras`` are those of the blocks that are added."""
        if self._size * HASH_BYTES != len(self._hashes):
            raise ValueError("a prefix of a chain cannot be extended: its end is known already")
        packed = self._tokens + pack_tokens(tokens)
        step = 4 * self.partition.block_tokens
        blocks = len(packed) // step
        added = blocks - self._size
        if extras and len(extras) != added:
            raise ValueError(f"extras: {len(extras)} entries for {added} whole blocks; give one per block or none")
        if any(len(extra) > MAX_EXTRA_BYTES for extra in extras):
            raise ValueError(f"extras: each has at most {MAX_EXTRA_BYTES} bytes")
        new = tuple(bytes(extra) for extra in extras) if extras else (b"",) * added
        parent = self.parent(self._size)
        names = [self._hashes]
        view = memoryview(packed)
        for i in range(self._size, blocks):
            parent = block_hash(parent, view[i * step : (i + 1) * step], new[i - self._size])
            names.append(parent)
        return BlockChain(self.partition, b"".join(names), blocks, packed, self._extras + new)

    def __len__(self) -> int:
        """Number of whole blocks."""
        return self._size

    @property
    def hashes(self) -> bytes:
        """32 bytes per block, first block first."""
        return self._hashes[: self._size * HASH_BYTES]

    def hash(self, index: int) -> bytes:
        """The name of block ``index``, 0 to len - 1: 32 bytes."""
        if not 0 <= index < self._size:
            raise IndexError(f"block {index} of {self._size}")
        return self._hashes[index * HASH_BYTES : (index + 1) * HASH_BYTES]

    def parent(self, index: int) -> bytes:
        """The name of the block before block ``index``, 0 to len; before the first one: the partition's root."""
        return self.hash(index - 1) if index else self.partition.root

    def location(self, index: int) -> bytes:
        """Where block ``index`` is: 65 bytes."""
        return location(self.partition.root, self.hash(index))

    def locations(self) -> list[bytes]:
        """Where all blocks are, first block first."""
        return [self.location(i) for i in range(self._size)]

    def tokens(self, index: int) -> bytes:
        """The tokens of block ``index``, packed: 4 bytes each."""
        step = 4 * self.partition.block_tokens
        self.hash(index)
        return self._tokens[index * step : (index + 1) * step]

    def extra(self, index: int) -> bytes:
        """The extra of block ``index``."""
        self.hash(index)
        return self._extras[index]

    def prefix(self, blocks: int) -> BlockChain:
        """The first ``blocks`` blocks, 0 to len."""
        if not 0 <= blocks <= self._size:
            raise IndexError(f"{blocks} of {self._size} blocks")
        return BlockChain(self.partition, self._hashes, blocks, self._tokens, self._extras)

    def whole(self) -> BlockChain:
        """The chain that this is a prefix of; itself if it was not cut."""
        blocks = len(self._hashes) // HASH_BYTES
        return BlockChain(self.partition, self._hashes, blocks, self._tokens, self._extras)

    def __repr__(self) -> str:
        """For people."""
        return f"BlockChain({self.partition.name!r}, {self._size} blocks)"
