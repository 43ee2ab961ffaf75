"""Copies of a CUDA device."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from kvstore_vllm.arrivals import Arrivals
from kvstore_vllm.layout import Layout
from kvstore_vllm.moves import as_tensor

#: Slots whose copies out of the device may be under way; a save beyond waits for a later step.
_PENDING = 64

#: Bytes of the device's memory that one gathering takes, if a block is not longer: vLLM does not know of it.
_STAGING = 256 << 20

T = TypeVar("T")

_Load = tuple[memoryview, int, Sequence[int]]


@dataclass(frozen=True)
class _Save:
    slot: memoryview
    blocks: Sequence[int]
    then: Callable[[bool], None]


class DeviceMoves:
    """Saves are gathered on the compute stream, so that they read the blocks as they are.

    Loads go over a stream of their own, behind the work that is under way: it may still use or clear the blocks. A
    thread waits for saves to arrive in host memory.
    """

    def __init__(self, layout: Layout, per_slot: int) -> None:
        import torch

        self._torch = torch
        self._runs = wide(layout.runs)
        self._per_slot = per_slot
        self._device = layout.runs[0].device
        self._bytes = layout.block_bytes * per_slot
        self._most = max(1, _STAGING // self._bytes)
        self._in = torch.cuda.Stream(self._device)
        self._out = torch.cuda.Stream(self._device)
        self._loads: list[_Load] = []
        self._saves: list[_Save] = []
        self._arrivals = Arrivals()

    def load(self, slot: memoryview, first: int, blocks: Sequence[int]) -> None:
        """As :class:`Moves` says."""
        self._loads.append((slot, first, blocks))

    def loaded(self) -> Callable[[], bool]:
        """As :class:`Moves` says."""
        torch = self._torch
        loads, self._loads = self._loads, []
        try:
            self._in.wait_stream(torch.cuda.current_stream(self._device))
            with torch.cuda.stream(self._in):
                for some in _parts(loads, self._most):
                    self._copy_in(some)
                event = torch.cuda.Event()
                event.record(self._in)
        except RuntimeError:
            self._settle(self._in)  # before the blocks are used for other tokens
            raise
        return lambda: bool(event.query())

    def _copy_in(self, loads: Sequence[_Load]) -> None:
        torch = self._torch
        staging = torch.empty((len(loads), self._bytes), dtype=torch.uint8, device=self._device)
        for row, (slot, _, _) in zip(staging, loads, strict=True):
            row.copy_(as_tensor(slot[: self._bytes]), non_blocking=True)
        ids = self._ids([block for _, _, blocks in loads for block in blocks])
        rows = [i * self._per_slot + first + j for i, (_, first, some) in enumerate(loads) for j in range(len(some))]
        scatter(self._runs, self._per_slot, ids, staging, self._ids(rows))

    def save(self, slot: memoryview, blocks: Sequence[int], then: Callable[[bool], None]) -> bool:
        """As :class:`Moves` says."""
        if len(self._saves) + self._arrivals.waiting >= _PENDING:
            return False
        self._saves.append(_Save(slot, blocks, then))
        return True

    def saved(self) -> None:
        """As :class:`Moves` says."""
        saves, self._saves = self._saves, []
        for some in _parts(saves, self._most):
            thens = [one.then for one in some]
            try:
                event, staging = self._copy_out(some)
            except RuntimeError as e:  # such as no memory for the gathering
                self._settle(self._out)  # before the slots are used for other blocks
                self._arrivals.failed(thens, e)
            else:
                self._arrivals.expect(event.synchronize, staging, thens)

    def close(self) -> None:
        """As :class:`Moves` says."""
        self._arrivals.close()

    def _copy_out(self, saves: Sequence[_Save]) -> tuple[Any, Any]:
        torch = self._torch
        staging = torch.empty((len(saves), self._bytes), dtype=torch.uint8, device=self._device)
        gather(self._runs, self._ids([block for one in saves for block in one.blocks]), staging)
        self._out.wait_stream(torch.cuda.current_stream(self._device))
        staging.record_stream(self._out)
        with torch.cuda.stream(self._out):
            for row, one in zip(staging, saves, strict=True):
                as_tensor(one.slot[: self._bytes]).copy_(row, non_blocking=True)
            event = torch.cuda.Event()
            event.record(self._out)
        return event, staging

    def _settle(self, stream: Any) -> None:
        with contextlib.suppress(RuntimeError):  # a device that is broken copies nothing any more
            stream.synchronize()

    def _ids(self, numbers: Sequence[int]) -> Any:
        return self._torch.tensor(numbers, dtype=self._torch.long).to(self._device, non_blocking=True)


def gather(runs: Sequence[Any], ids: Any, staging: Any) -> None:
    """Copies engine blocks ``ids`` into the rows of ``staging``, which are slots: two kernels a run, not two a slot."""
    at = 0
    for run in runs:
        rows = run.index_select(0, ids)
        length = rows.numel() * rows.element_size() // len(staging)
        staging[:, at : at + length].view(rows.dtype).copy_(rows.view(len(staging), -1))
        at += length


def scatter(runs: Sequence[Any], per_slot: int, ids: Any, staging: Any, rows: Any) -> None:
    """Copies engine blocks ``rows`` of the slots in ``staging``, counted through all slots, into blocks ``ids``."""
    at = 0
    for run in runs:
        length = per_slot * run.shape[1] * run.element_size()
        part = staging[:, at : at + length].reshape(-1, length // per_slot).view(run.dtype)
        run.index_copy_(0, ids, part.index_select(0, rows))
        at += length


def wide(runs: Sequence[Any]) -> list[Any]:
    """The runs as numbers of 8 bytes, of which a kernel copies eight times as many bytes a thread, if all can be."""
    import torch

    try:
        return [run.view(torch.int64) for run in runs]
    except RuntimeError:  # lengths or places that are no multiples of 8
        return list(runs)


def _parts(items: list[T], most: int) -> Iterator[list[T]]:
    for at in range(0, len(items), most):
        yield items[at : at + most]
