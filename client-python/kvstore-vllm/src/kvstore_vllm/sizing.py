"""How much host memory the agent gets by default, what that holds, and whether the blocks of a step fit."""

from __future__ import annotations

import logging
import math
import os
from dataclasses import dataclass

from kvstore_client.agent.session import MAX_GRANTED, first_grant
from kvstore_client.agent.shares import granted_slots, shares

#: Tokens that memory holds by default: two prompts of 131,072.
_HELD = 1 << 18

#: Bytes of memory by default, at least; and the part of the machine's memory that is taken at most.
_LEAST, _PART = 8 << 30, 4

#: Slots that an engine's scheduler is granted, at most, though it stores nothing.
_FIRST = first_grant(1 << 40)

_MIB = 1 << 20


@dataclass(frozen=True)
class Sizing:
    """What an engine keeps. ``block_bytes`` is the length of a rank's block, of ``block_tokens`` tokens.

    ``partitions`` are ranks with key-value heads of their own, one of which writes for all that share them. ``engines``
    are those of data parallelism on this machine: they share an agent. A step has at most ``step_tokens`` tokens and
    ``sequences`` requests. ``groups`` are cache groups, each of which has such blocks of its own.
    """

    block_bytes: int
    block_tokens: int
    partitions: int
    step_tokens: int
    sequences: int
    engines: int = 1
    groups: int = 1

    @property
    def step_blocks(self) -> int:
        """Blocks of a rank that a step with a long prompt completes."""
        return self.groups * -(-self.step_tokens // self.block_tokens)

    @property
    def burst(self) -> int:
        """Slots that a rank asks for: twice a step's blocks, since those of the step before may not be replaced yet."""
        return 2 * self.groups * (self.step_tokens // self.block_tokens + self.sequences)

    def memory(self, machine: int) -> int:
        """Bytes of memory by default, on a machine with so many: whole MiB, but for very little memory.

        Enough for 262,144 tokens and for the blocks of two steps of all ranks, and at least 8 GiB; yet at most a
        quarter of the machine's.
        """
        held = -(-_HELD // self.block_tokens) * self.partitions * self.groups
        wanted = max(_LEAST, self._stride * max(held, self._slots_for(min(MAX_GRANTED, 2 * self.step_blocks))))
        return max(2 * self.block_bytes, min(wanted, machine // _PART) // _MIB * _MIB)

    def held_tokens(self, memory: int) -> int:
        """Tokens of prompts that so much memory holds."""
        return memory // self._stride // (self.partitions * self.groups) * self.block_tokens

    def granted(self, memory: int) -> int:
        """Slots that a rank may fill at a time, in so much memory."""
        slots = memory // self._stride
        writers = self.partitions * self.engines
        wanted = [first_grant(slots)] * self.engines + [min(MAX_GRANTED, self.burst)] * writers
        return min(shares(granted_slots(slots), wanted)[self.engines :])

    def least_memory(self) -> int:
        """Bytes of memory in which a rank may fill all blocks of a step at a time, or 256 of them; whole MiB."""
        return -(-self._stride * self._slots_for(min(MAX_GRANTED, self.step_blocks)) // _MIB) * _MIB

    def tell(self, log: logging.Logger, memory: int, *, writes: bool) -> None:
        """Says what so much memory is good for, and warns if the blocks of a step do not fit."""
        held, granted, needed = self.held_tokens(memory), self.granted(memory), min(MAX_GRANTED, self.step_blocks)
        log.info(
            "KV Store: host memory of %.1f GiB holds %s tokens; a step of %s tokens completes %d blocks of each rank, "
            "which may fill %d at a time",
            memory / (1 << 30),
            f"{held:,}",
            f"{self.step_tokens:,}",
            self.step_blocks,
            granted,
        )
        if writes and granted < needed:
            log.warning(
                "KV Store: of the %d blocks that a step of %s tokens completes, a rank can store %d at once. Others "
                "wait for later steps, and are lost if their request ends before. Set host_memory to %.1f GiB or more.",
                self.step_blocks,
                f"{self.step_tokens:,}",
                granted,
                math.ceil(10 * self.least_memory() / (1 << 30)) / 10,
            )

    def _slots_for(self, each: int) -> int:
        """Slots of an agent that grants so many to each rank."""
        return 4 * self.engines * (self.partitions * each + _FIRST)

    @property
    def _stride(self) -> int:
        """Bytes from one slot to the next in the agent's memory."""
        return -(-self.block_bytes // 4096) * 4096


def machine_memory(root: str = "/") -> int:
    """Bytes of memory that this process may use: the machine's, or the least limit of its control groups."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for line in _lines(os.path.join(root, "proc/self/cgroup")):
        _, kinds, path = line.split(":", 2)
        if kinds == "":
            folder, file = os.path.join(root, "sys/fs/cgroup"), "memory.max"
        elif "memory" in kinds.split(","):
            folder, file = os.path.join(root, "sys/fs/cgroup/memory"), "memory.limit_in_bytes"
        else:
            continue
        parts = [part for part in path.split("/") if part not in ("", "..")]
        for depth in range(len(parts) + 1):  # in a container, only the first of these folders may be there
            for limit in _lines(os.path.join(folder, *parts[:depth], file)):
                limits += [int(limit)] if limit.isdigit() else []
    return min(limits)


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="ascii") as file:
            return file.read().splitlines()
    except (OSError, ValueError):
        return []
