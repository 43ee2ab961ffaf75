"""Mooncake Store over TCP: ``batch_get_into`` and ``batch_put_from``, in C++. The blocks lie in another process."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

from mooncake.store import MooncakeDistributedStore

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.memory import Memory


def open_store(host: str, segment: int, buffer: int, master: str) -> Any:
    """A member of the store that brings ``segment`` bytes of memory. Raises ``RuntimeError`` if it cannot join."""
    store = MooncakeDistributedStore()
    code = store.setup(host, "P2PHANDSHAKE", segment, buffer, "tcp", "", master)
    if code:
        raise RuntimeError(f"Mooncake's setup failed with {code}")
    return store


class MooncakePeer(Memory):
    """A member of the store that brings no memory of its own."""

    def __init__(self, blocks: WorkingSet, master: str) -> None:
        super().__init__(blocks)
        self._blocks = blocks
        self._store = open_store("127.0.0.1", 0, 64 << 20, master)
        self._sizes = [blocks.block_bytes] * blocks.blocks_per_batch
        self._targets = [self._registered(block.obj, i) for i, block in enumerate(self.into)]
        self._sources = [self._registered(block, 0) for block in self.source]
        self._new = itertools.count()
        self._written: list[str] = []

    def stock(self) -> None:
        """Puts them."""
        for batch in range(self._blocks.batches):
            for block in range(self._blocks.blocks_per_batch):
                self._store.put(self._key(batch, block), self._blocks.content(batch, block))

    def read(self, batch: int) -> None:
        """Gets a batch."""
        keys = [self._key(batch, block) for block in range(len(self.into))]
        got = self._store.batch_get_into(keys, self._targets, self._sizes)
        if got != self._sizes:
            raise RuntimeError(f"batch_get_into: {got}")

    def write(self) -> None:
        """Puts a batch under new names."""
        number = next(self._new)
        keys = [f"written:{number}:{block}" for block in range(len(self.source))]
        self._written += keys
        put = self._store.batch_put_from(keys, self._sources, self._sizes)
        if any(put):
            raise RuntimeError(f"batch_put_from: {put}")

    def clear(self) -> None:
        """Removes what was written: the store makes room only after a while."""
        for key in self._written:
            code = self._store.remove(key)
            if code:
                raise RuntimeError(f"remove {key}: {code}")
        self._written.clear()

    def _registered(self, memory: Any, index: int) -> int:
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory)) + index * self._blocks.block_bytes
        if index == 0 and self._store.register_buffer(address, len(memory)):
            raise RuntimeError("register_buffer failed")
        return address

    @staticmethod
    def _key(batch: int, block: int) -> str:
        return f"block:{batch}:{block}"


open_peer = MooncakePeer
