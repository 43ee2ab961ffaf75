"""Objects with their memory, and results that several threads bring together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from kvstore_client import buffers
from kvstore_client.opaque.keys import ObjectKind


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
        """The memory of each piece. Raises ``ValueError`` if key or runs have other lengths than the kind says."""
        self.kind.packed(self.key)
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


@dataclass(frozen=True)
class Part:
    """A piece of the entry with this index: where it is stored, and its memory."""

    index: int
    location: bytes
    memory: memoryview


def groups(entries: Sequence[Entry], flaw: Callable[[Exception], None]) -> list[tuple[str, list[Part]]]:
    """What goes to one data plane in one call, with the group's name. Parts of a call have one length.

    ``flaw`` hears of entries that break their rules, which are left out.
    """
    found: dict[tuple[str, int], list[Part]] = {}
    for index, entry in enumerate(entries):
        try:
            views = entry.views()
        except (TypeError, ValueError) as e:
            flaw(e)
            continue
        name = entry.kind.group(entry.key)
        for piece, memory in zip(entry.kind.pieces, views, strict=True):
            part = Part(index, entry.kind.location(piece, entry.key), memory)
            found.setdefault((name, piece.size), []).append(part)
    return [(name, parts) for (name, _), parts in found.items()]
