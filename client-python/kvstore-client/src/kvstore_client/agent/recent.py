"""A bounded memory of blocks that are stored."""

from __future__ import annotations

from collections import OrderedDict

from kvstore_client.names import HASH_BYTES

#: Blocks that are remembered, some 20 MB.
MOST = 131_072

#: Bytes of a block's name that are kept.
KEPT = 16


class Recent:
    """Names of blocks, of which those used least recently are forgotten. For one thread at a time."""

    def __init__(self, most: int = MOST) -> None:
        """Remembers ``most`` blocks."""
        self._most = most
        self._names: OrderedDict[bytes, None] = OrderedDict()

    def add(self, hashes: bytes) -> None:
        """Blocks are stored; whole names, one after the other."""
        for at in range(0, len(hashes), HASH_BYTES):
            self.add_one(hashes[at : at + KEPT])

    def add_one(self, name: bytes) -> None:
        """A block is stored; the beginning of its name."""
        self._names[name] = None
        self._names.move_to_end(name)
        if len(self._names) > self._most:
            self._names.popitem(last=False)

    def discard(self, name: bytes) -> None:
        """A block is not stored; the beginning of its name."""
        self._names.pop(name, None)

    def prefix(self, hashes: bytes) -> int:
        """How many of these whole names, from the first one on, are remembered."""
        for at in range(0, len(hashes), HASH_BYTES):
            if hashes[at : at + KEPT] not in self._names:
                return at // HASH_BYTES
        return len(hashes) // HASH_BYTES
