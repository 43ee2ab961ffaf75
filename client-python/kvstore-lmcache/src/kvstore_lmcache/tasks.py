"""Tasks of LMCache: numbers that stand for work under way, and results that are taken once."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
S = TypeVar("S")


class Notifier(Protocol):
    """What wakes LMCache's thread: an event notifier of LMCache."""

    def notify(self) -> None:
        """Wakes it."""

    def fileno(self) -> int:
        """What it waits for."""

    def close(self) -> None:
        """It waits no more."""


class Tasks(Generic[T]):
    """Tasks of one sort. Thread-safe."""

    _ids = itertools.count()

    def __init__(self, notifier: Notifier) -> None:
        """``notifier`` is closed with this object."""
        self._notifier = notifier
        self._results: dict[int, T] = {}
        self._lock = threading.Lock()
        self._closed = False

    @property
    def fd(self) -> int:
        """The file descriptor that becomes readable when a task is done."""
        return self._notifier.fileno()

    def follow(self, work: Future[T]) -> int:
        """The number of a task that is done with ``work``."""
        task = next(self._ids)
        work.add_done_callback(lambda done: self._done(task, done))
        return task

    def take(self, task: int) -> T | None:
        """The result of a task; ``None`` if there is none yet, or it was taken."""
        with self._lock:
            return self._results.pop(task, None)

    def take_all(self) -> dict[int, T]:
        """All results that are there."""
        with self._lock:
            taken, self._results = self._results, {}
        return taken

    def close(self) -> None:
        """Nobody waits any more."""
        with self._lock:
            self._closed = True
            self._notifier.close()

    def _done(self, task: int, work: Future[Any]) -> None:
        result = work.result()
        with self._lock:
            if self._closed:
                return
            self._results[task] = result
            self._notifier.notify()


def mapped(work: Future[S], change: Callable[[S], T]) -> Future[T]:
    """A future of what ``change`` makes of a result. Neither may raise."""
    made: Future[T] = Future()
    work.add_done_callback(lambda done: made.set_result(change(done.result())))
    return made


def at_once(result: T) -> Future[T]:
    """A future that is done."""
    made: Future[T] = Future()
    made.set_result(result)
    return made
