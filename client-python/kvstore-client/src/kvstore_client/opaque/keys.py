"""Names of blocks for keys whose meaning only the engine knows, such as its own hash of a prompt."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from kvstore_client.names import HASH_BYTES, MAX_PARTITION_BYTES, BlockChain, Partition, block_hash, location
from kvstore_client.parts import MAX_BUFFER_BYTES

#: So many groups of keys, each of which goes to one data plane, in one call.
GROUPS = 8

#: Room for what :class:`ObjectKind` puts behind a partition's name.
_SUFFIX_BYTES = 32


@dataclass(frozen=True)
class Piece:
    """Bytes ``start`` to ``end`` of run ``run`` of an object: one block, in a partition of its own."""

    partition: Partition
    run: int
    start: int
    end: int

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self.end - self.start


@dataclass(frozen=True)
class ObjectKind:
    """Objects of an engine that have equal lengths and may be used for each other if their keys are equal.

    ``name`` says what must be equal beside the key: model, rank, types, layout. ``key_bytes`` is the length of every
    key, 1 to 32,768. ``runs`` are the lengths in bytes of the runs of memory that an object consists of; a run of more
    than 64 MiB is stored in equal pieces. Kinds with an equal ``affinity`` keep objects of one key at one data plane.

    A key is the tokens of a first block: zeros fill it up to whole tokens of 4 bytes, and its length is in the
    partition's name. A prompt's keys have no parents, so they must say what comes before them, as a chain of hashes
    does. Raises ``ValueError`` for a name, a length of keys or runs that break their rules.
    """

    name: str
    key_bytes: int
    runs: tuple[int, ...]
    affinity: str

    def __post_init__(self) -> None:
        if not self.runs or any(size < 1 for size in self.runs):
            raise ValueError(f"runs: must be lengths of 1 byte or more, not {self.runs}")
        _ = self.pieces

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The blocks of an object, in order."""
        cuts = [(run, start, end) for run, size in enumerate(self.runs) for start, end in _cut(size)]
        tokens = -(-self.key_bytes // 4)
        return tuple(
            Piece(Partition(f"{self.name}/k{self.key_bytes}/{i}of{len(cuts)}", tokens), *cut)
            for i, cut in enumerate(cuts)
        )

    def packed(self, key: bytes) -> bytes:
        """A key as tokens. Raises ``ValueError`` if it has another length than this kind's keys."""
        if len(key) != self.key_bytes:
            raise ValueError(f"key: has {len(key)} bytes; keys of {self.name} have {self.key_bytes}")
        return key + bytes(-len(key) % 4)

    def location(self, piece: Piece, key: bytes) -> bytes:
        """Where a piece of an object is."""
        root = piece.partition.root
        return location(root, block_hash(root, self.packed(key)))

    def block(self, piece: Piece, key: bytes) -> BlockChain:
        """A piece of an object as a chain of one block, to write it."""
        return BlockChain.of(piece.partition, self.packed(key))

    def prompt(self, piece: Piece, keys: Sequence[bytes]) -> BlockChain:
        """The blocks of a prompt's keys, in order, for a lookup."""
        root = piece.partition.root
        hashes = b"".join(block_hash(root, self.packed(key)) for key in keys)
        return BlockChain(piece.partition, hashes, len(hashes) // HASH_BYTES, b"", ())

    def group(self, key: bytes) -> str:
        """The group that a key belongs to: whatever reads or writes it goes to the same data plane."""
        return f"{self.affinity}#{zlib.crc32(key) % GROUPS}"


def partition_name(*parts: str) -> str:
    """Parts with slashes between them. A name that is too long, or not printable, is cut and ends in its SHA-256."""
    name = "/".join(parts)
    plain = "".join(c if c.isprintable() else "?" for c in name)
    encoded = plain.encode("utf-8", "replace")
    most = MAX_PARTITION_BYTES - _SUFFIX_BYTES
    if plain == name and len(encoded) <= most:
        return name
    end = "~" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return encoded[: most - len(end)].decode("utf-8", "ignore") + end


def _cut(size: int) -> list[tuple[int, int]]:
    count = -(-size // MAX_BUFFER_BYTES)
    lengths = [size // count + (i < size % count) for i in range(count)]
    ends = list(accumulate(lengths))
    return list(zip([0, *ends[:-1]], ends, strict=True))
