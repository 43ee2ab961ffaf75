"""Copies between vLLM's cache and the agent's slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kvstore_vllm.layout import Layout


class Moves(Protocol):
    """How a device copies. A slot is a memoryview of a block's bytes; ``blocks`` are its engine blocks.

    Loads and saves of a step are gathered: they begin with :meth:`loaded` and :meth:`saved`.
    """

    def load(self, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        """Fills ``blocks`` from a slot, whose engine block ``first`` is the first of them."""

    def loaded(self) -> Callable[[], bool]:
        """Begins the loads that were asked for since the last call; the function tells when they are done.

        Raises ``RuntimeError`` if the device refuses them; nothing is copied any more then.
        """

    def save(self, slot: memoryview, blocks: Sequence[int], then: Callable[[bool], None]) -> bool:
        """Copies all ``blocks`` of a slot into it.

        ``then`` is called when the slot is full, or with ``False`` when the copy failed, on any thread. The result is
        false if too many copies are under way: none was begun.
        """

    def saved(self) -> None:
        """Begins the saves that were asked for since the last call: later changes of their blocks do not matter."""

    def close(self) -> None:
        """Ends it; copies under way are finished first."""


def of(layout: Layout, per_slot: int) -> Moves:
    """The copies of the device that holds the cache. ``per_slot`` is engine blocks of a stored block."""
    if layout.runs[0].device.type == "cpu":
        return HostMoves(layout, per_slot)
    from kvstore_vllm.device_moves import DeviceMoves

    return DeviceMoves(layout, per_slot)


class HostMoves:
    """Copies at once, on the caller's thread: the cache is in host memory.

    Rows are copied by NumPy, which is one ``memcpy`` each. PyTorch would divide a row among its threads, and wait for
    all of them: that takes ten times as long, and longer where other processes use the cores.
    """

    def __init__(self, layout: Layout, per_slot: int) -> None:
        self._runs = [run.numpy() for run in layout.runs]
        self._lengths = [per_slot * run.shape[1] for run in self._runs]
        self._per_slot = per_slot

    def load(self, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        """As :class:`Moves` says."""
        for run, part in zip(self._runs, self._parts(slot), strict=True):
            for row, block in enumerate(blocks, first):
                run[block] = part[row]

    def loaded(self) -> Callable[[], bool]:
        """As :class:`Moves` says."""
        return lambda: True

    def save(self, slot: memoryview, blocks: Sequence[int], then: Callable[[bool], None]) -> bool:
        """As :class:`Moves` says."""
        for run, part in zip(self._runs, self._parts(slot), strict=True):
            for row, block in enumerate(blocks):
                part[row] = run[block]
        then(True)
        return True

    def saved(self) -> None:
        """As :class:`Moves` says."""

    def close(self) -> None:
        """As :class:`Moves` says."""

    def _parts(self, slot: memoryview) -> list[Any]:
        """A slot as arrays of shape (engine blocks, bytes of a run), one for each run."""
        whole, at, parts = as_tensor(slot).numpy(), 0, []
        for length in self._lengths:
            parts.append(whole[at : at + length].reshape(self._per_slot, -1))
            at += length
        return parts


def as_tensor(memory: memoryview) -> Any:
    """Memory as a tensor of bytes, without a copy."""
    import torch

    return torch.frombuffer(memory, dtype=torch.uint8)
