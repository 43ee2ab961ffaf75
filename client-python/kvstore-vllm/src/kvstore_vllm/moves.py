"""Copies between vLLM's cache and the agent's slots."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kvstore_vllm.layout import Layout

#: Slots whose copies out of a device may be under way; a save beyond waits for a later step.
_PENDING = 64


class Moves(Protocol):
    """How a device copies. A slot is a memoryview of a block's bytes; ``blocks`` are its engine blocks."""

    def load(self, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        """Fills ``blocks`` from a slot, whose engine block ``first`` is the first of them."""

    def loaded(self) -> Callable[[], bool]:
        """Ends the loads of a request: the function tells when they are done."""

    def save(self, slot: memoryview, blocks: Sequence[int], then: Callable[[], None]) -> bool:
        """Copies ``blocks`` into a slot. What later happens to ``blocks`` does not change it.

        ``then`` is called when the slot is full, on any thread. False if too many copies are under way: none was begun.
        """

    def close(self) -> None:
        """Ends it; copies under way are finished first."""


def of(layout: Layout, per_slot: int) -> Moves:
    """The copies of the device that holds the cache. ``per_slot`` is engine blocks of a stored block."""
    return HostMoves(layout, per_slot) if layout.runs[0].device.type == "cpu" else DeviceMoves(layout, per_slot)


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

    def save(self, slot: memoryview, blocks: Sequence[int], then: Callable[[], None]) -> bool:
        """As :class:`Moves` says."""
        for run, part in zip(self._runs, self._parts(slot), strict=True):
            for row, block in enumerate(blocks):
                part[row] = run[block]
        then()
        return True

    def close(self) -> None:
        """As :class:`Moves` says."""

    def _parts(self, slot: memoryview) -> list[Any]:
        """A slot as arrays of shape (engine blocks, bytes of a run), one for each run."""
        whole, at, parts = _tensor(slot).numpy(), 0, []
        for length in self._lengths:
            parts.append(whole[at : at + length].reshape(self._per_slot, -1))
            at += length
        return parts


class DeviceMoves:
    """Copies of a CUDA device. Saves are gathered on the compute stream, so that they read the blocks as they are.

    Loads go over a stream of their own, behind the work that is under way: it may still use or clear the blocks. A
    thread waits for saves to arrive in host memory.
    """

    def __init__(self, layout: Layout, per_slot: int) -> None:
        import torch

        self._torch = torch
        self._runs = layout.runs
        self._per_slot = per_slot
        self._device = layout.runs[0].device
        self._bytes = layout.block_bytes * per_slot
        self._in = torch.cuda.Stream(self._device)
        self._out = torch.cuda.Stream(self._device)
        self._pending: queue.Queue[tuple[Any, Any, Callable[[], None]] | None] = queue.Queue(_PENDING)
        self._thread = threading.Thread(target=self._wait, name="kvstore-saves", daemon=True)
        self._thread.start()

    def load(self, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        """As :class:`Moves` says."""
        torch = self._torch
        self._in.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(self._in):
            ids = torch.tensor(blocks, dtype=torch.long).to(self._device, non_blocking=True)
            whole = _tensor(slot[: self._bytes]).to(self._device, non_blocking=True)
            for run, part in zip(self._runs, _split(whole, self._runs, self._per_slot), strict=True):
                run.index_copy_(0, ids, part[first : first + len(blocks)])

    def loaded(self) -> Callable[[], bool]:
        """As :class:`Moves` says."""
        event = self._torch.cuda.Event()
        event.record(self._in)
        return lambda: bool(event.query())

    def save(self, slot: memoryview, blocks: Sequence[int], then: Callable[[], None]) -> bool:
        """As :class:`Moves` says."""
        torch = self._torch
        if self._pending.full():
            return False
        ids = torch.tensor(blocks, dtype=torch.long).to(self._device, non_blocking=True)
        snapshot = torch.empty(self._bytes, dtype=torch.uint8, device=self._device)
        for run, part in zip(self._runs, _split(snapshot, self._runs, self._per_slot), strict=True):
            torch.index_select(run, 0, ids, out=part)
        self._out.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(self._out):
            _tensor(slot[: self._bytes]).copy_(snapshot, non_blocking=True)
            event = torch.cuda.Event()
            event.record(self._out)
        snapshot.record_stream(self._out)
        self._pending.put((event, snapshot, then))
        return True

    def close(self) -> None:
        """As :class:`Moves` says."""
        self._pending.put(None)
        self._thread.join()

    def _wait(self) -> None:
        while (entry := self._pending.get()) is not None:
            event, snapshot, then = entry
            event.synchronize()
            del snapshot
            then()


def _split(whole: Any, runs: Sequence[Any], per_slot: int) -> list[Any]:
    """A slot as tensors of shape (engine blocks, bytes of a run), one for each run."""
    parts, at = [], 0
    for run in runs:
        length = per_slot * run.shape[1]
        parts.append(whole[at : at + length].view(per_slot, run.shape[1]))
        at += length
    return parts


def _tensor(memory: memoryview) -> Any:
    import torch

    return torch.frombuffer(memory, dtype=torch.uint8)


def pin(device: Any, pool: Any) -> None:
    """Lets a device copy from and to the agent's slots directly. Where that is refused, copies are slower."""
    if device.type != "cuda":
        return
    import torch

    torch.cuda.cudart().cudaHostRegister(pool.address, pool.size, 0)


def unpin(device: Any, pool: Any) -> None:
    """Undoes :func:`pin`, before the pool is given up."""
    if device.type != "cuda":
        return
    import torch

    torch.cuda.cudart().cudaHostUnregister(pool.address)
