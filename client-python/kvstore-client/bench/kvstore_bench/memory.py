"""Memory of a peer: where blocks arrive, and blocks to be written."""

from __future__ import annotations

from kvstore_bench.blocks import WorkingSet


class Memory:
    """Room for one batch, and one batch of other blocks to write; all of it was touched before it is measured."""

    def __init__(self, blocks: WorkingSet) -> None:
        self._bytes = bytearray(blocks.batch_bytes)
        whole = memoryview(self._bytes)
        size = blocks.block_bytes
        self.into = [whole[at : at + size] for at in range(0, blocks.batch_bytes, size)]
        self.source = [bytearray(blocks.content(0, i)) for i in range(blocks.blocks_per_batch)]

    def block(self, index: int) -> memoryview:
        """Where a block of a batch arrives."""
        return self.into[index]

    def spoil(self) -> None:
        """Forgets the blocks that were read, so that they do not pass for those of the next read."""
        self._bytes[:] = bytes(len(self._bytes))

    def clear(self) -> None:
        """Nothing has to be taken away."""

    def cpu_seconds(self) -> float:
        """No helper process."""
        return 0.0
