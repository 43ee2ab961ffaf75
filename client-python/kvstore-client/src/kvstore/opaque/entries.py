"""Objects with their memory, and results that several threads bring together."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from kvstore import buffers
from kvstore.opaque.keys import ObjectKind


@dataclass(frozen=True)
class Entry:
    """An object: its kind, its key, and the memory of each of its runs, of exactly the length of the run."""

    kind: ObjectKind
    key: bytes
    runs: tuple[Any, ...]

    @property
    def size(self) -> int:
        """Length in bytes."""
        return sum(self.kind.runs)

    def views(self) -> list[memoryview]:
        """The memory of each piece. Raises ``ValueError`` if a run has another length than its kind says."""
        runs = [buffers.view(run) for run in self.runs]
        lengths = tuple(run.nbytes for run in runs)
        if lengths != self.kind.runs:
            raise ValueError(f"runs: have {lengths} bytes, not {self.kind.runs}")
        return [runs[piece.run][piece.start : piece.end] for piece in self.kind.pieces]


class Call:
    """Results that come from several threads; the future has them once all are there."""

    def __init__(self, size: int, parts: int) -> None:
        """``size`` results, of which ``parts`` threads tell."""
        self.results = [False] * size
        self.failed = False
        self.future: Future[list[bool]] = Future()
        self._left = parts
        self._lock = threading.Lock()
        if not parts:
            self.future.set_result(self.results)

    def ended(self) -> None:
        """One of the parts is done with."""
        with self._lock:
            self._left -= 1
            last = self._left == 0
        if last:
            self.future.set_result(self.results)


def groups(entries: Sequence[Entry]) -> list[tuple[str, list[tuple[int, int]]]]:
    """What goes to one data plane in one call: its name, and (index of an entry, index of its piece) in order.

    The pieces of a group have one length.
    """
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for index, entry in enumerate(entries):
        name = entry.kind.group(entry.key)
        for at, piece in enumerate(entry.kind.pieces):
            found.setdefault((name, piece.size), []).append((index, at))
    return [(name, parts) for (name, _), parts in found.items()]
