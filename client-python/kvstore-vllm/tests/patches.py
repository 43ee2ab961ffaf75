"""Damage that a test does to an engine on purpose, in the engine's process."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from typing import Any


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


def replace_agent_before_load() -> None:
    """Kills the agent when a request was admitted, before its blocks are copied, and waits for the next agent."""
    from kvstore_vllm.worker import WorkerHalf

    load = WorkerHalf._load
    killed: list[int] = []

    def replaced(self: WorkerHalf, one: Any, orders: Any) -> bool:
        agent = self._agent
        assert agent is not None
        if not killed:
            pid = agent.stats().get("pid", 0.0)
            while not pid:  # an agent tells its counters once a second
                time.sleep(0.01)
                pid = agent.stats().get("pid", 0.0)
            killed.append(int(pid))
            os.kill(killed[0], signal.SIGKILL)
            while agent.pool is None or agent.pool.generation == one.generation:
                time.sleep(0.01)
        return load(self, one, orders)

    WorkerHalf._load = replaced  # type: ignore[method-assign]
