"""What became of operations: counters, log lines, and a breaker that leaves a service alone that is away.

Lines name KV Store, since the logs of some engines do not have the names of loggers.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from kvstore_client.breaker import PROBE, Breaker
from kvstore_client.errors import CancelledError, DataLossError, KvError, NotFoundError

_log = logging.getLogger("kvstore.opaque")

#: An error of one kind is logged once in so many seconds.
_QUIET = 60.0


class Watch:
    """Thread-safe. The breaker opens after errors; then one operation in 5 s may try, and its success closes it."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """``clock`` is in seconds."""
        self._clock = clock
        self._breaker = Breaker()
        self._next_trial = 0.0
        self._told: dict[str, float] = {}
        self._counters: dict[str, float] = {}
        self._lock = threading.Lock()

    def allows(self) -> bool:
        """Whether an operation may be tried now."""
        with self._lock:
            if not self._breaker.open:
                return True
            now = self._clock()
            if now < self._next_trial:
                return False
            self._next_trial = now + PROBE
            return True

    def ended(self, failure: KvError | None, kind: str = "") -> None:
        """An operation that was allowed ended, with this error. ``kind``: what it does."""
        with self._lock:
            if failure is None:
                if self._breaker.open:
                    _log.warning("KV Store answers again")
                    self._breaker.close()
                self._breaker.succeeded(kind)
                return
            if isinstance(failure, CancelledError):
                return  # this store was closed
            now = self._clock()
            opened = self._breaker.failed(failure, now, kind)
            if opened:
                self._next_trial = now + PROBE
        self._note(failure)
        if opened:
            _log.warning("KV Store is left alone after errors; the last one: %s", failure)

    def block_failed(self, failure: KvError | None) -> None:
        """A block of an operation did not come."""
        if failure and not isinstance(failure, (NotFoundError, CancelledError)):
            self._note(failure)

    def flaw(self, what: str, cause: Exception) -> None:
        """Something here, or in what the engine gave, is wrong."""
        self.add("errors.flaw")
        if self._is_news(f"{what} {cause}"):
            _log.error("KV Store: %s failed: %s", what, cause, exc_info=cause)

    def add(self, name: str, value: float = 1) -> None:
        """Counts."""
        with self._lock:
            self._counters[name] = self._counters.get(name, 0) + value

    def counters(self) -> dict[str, float]:
        """A copy."""
        with self._lock:
            return {**self._counters, "breaker_open": float(self._breaker.open)}

    def _note(self, failure: KvError) -> None:
        code = failure.code.name.lower()
        self.add(f"errors.{code}")
        if isinstance(failure, DataLossError):
            self.add("damaged_blocks")
        if self._is_news(code):
            _log.warning("KV Store: %s", failure)

    def _is_news(self, what: str) -> bool:
        """Whether nothing was logged about this lately."""
        now = self._clock()
        with self._lock:
            self._told = {known: at for known, at in self._told.items() if now - at < _QUIET}
            if what in self._told or len(self._told) >= 32:
                return False
            self._told[what] = now
            return True
