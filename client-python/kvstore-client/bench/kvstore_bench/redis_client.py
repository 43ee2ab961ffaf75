"""Redis through redis-py, whose answers hiredis parses: MGET, and MSET."""

from __future__ import annotations

from typing import Any

import redis

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.memory import Memory


class RedisPeer(Memory):
    """One connection. Written blocks take the place of the ones written before."""

    def __init__(self, blocks: WorkingSet, port: int) -> None:
        super().__init__(blocks)
        if "hiredis" not in str(redis.connection.DefaultParser).lower():
            raise ImportError("redis-py does not use hiredis")
        self._blocks = blocks
        self._redis: Any = redis.Redis("127.0.0.1", port)

    def stock(self) -> None:
        """Sets them."""
        for batch in range(self._blocks.batches):
            for block in range(self._blocks.blocks_per_batch):
                self._redis.set(self._key(batch, block), self._blocks.content(batch, block))

    def read(self, batch: int) -> None:
        """Values are ``bytes`` of their own, which are copied to where they belong."""
        values = self._redis.mget([self._key(batch, block) for block in range(len(self.into))])
        for target, value in zip(self.into, values, strict=True):
            target[:] = value

    def write(self) -> None:
        """Values have to be ``bytes``."""
        self._redis.mset({f"written:{i}": bytes(block) for i, block in enumerate(self.source)})

    @staticmethod
    def _key(batch: int, block: int) -> str:
        return f"block:{batch}:{block}"


open_peer = RedisPeer
