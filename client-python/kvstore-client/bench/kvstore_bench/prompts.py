"""Prompts whose blocks are the batches of the benchmark, in KV Store."""

from __future__ import annotations

import array
import itertools
import os

from kvstore_bench.blocks import WorkingSet
from kvstore_client import BlockChain, Partition

#: Each round of reading reads the blocks of READ. Each round of writing writes and deletes the blocks of WRITTEN.
READ, WRITTEN = Partition("python"), Partition("python/written")

_TOKENS = 128


class Prompts:
    """The prompts of a working set, and prompts that no process has had before."""

    def __init__(self, blocks: WorkingSet) -> None:
        self._blocks = blocks
        self._new = itertools.count()
        self._seed = int.from_bytes(os.urandom(4), "little") >> 1
        self.read = [self._chain(READ, 0, batch) for batch in range(blocks.batches)]

    def new(self) -> BlockChain:
        """A prompt for a batch to be written."""
        return self._chain(WRITTEN, self._seed, next(self._new))

    def _chain(self, partition: Partition, seed: int, number: int) -> BlockChain:
        tokens = array.array("i", range(self._blocks.blocks_per_batch * _TOKENS))
        tokens[0], tokens[1] = seed, number
        return BlockChain.of(partition, tokens)
