"""The blocks that every client of the benchmark reads and writes."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class WorkingSet:
    """Blocks of one length that are read in batches, each batch the blocks of one prompt."""

    block_bytes: int
    batches: int
    blocks_per_batch: int

    @property
    def batch_bytes(self) -> int:
        """Bytes of one batch."""
        return self.block_bytes * self.blocks_per_batch

    def content(self, batch: int, block: int) -> bytes:
        """The bytes of a block, which follow from its place."""
        return random.Random(f"{batch}:{block}").randbytes(self.block_bytes)
