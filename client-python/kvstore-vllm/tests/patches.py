"""Damage that a test does to an engine on purpose, in the engine's process."""

from __future__ import annotations

from collections.abc import Sequence


def flip_after_check() -> None:
    """Changes bytes of each block after its checksum was compared, before it is copied into the engine's cache."""
    from kvstore_vllm.moves import HostMoves

    load = HostMoves.load

    def damaged(self: HostMoves, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        # The highest bits of float32's exponent and fraction, in the middle of the block.
        for at in range(len(slot) // 2 + 2, len(slot) // 2 + 40_002, 4):
            slot[at] ^= 0x40
        load(self, slot, first, blocks)

    HostMoves.load = damaged  # type: ignore[method-assign]
