"""Saves on their way from a device into host memory, and the thread that waits for them."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

log = logging.getLogger("vllm.kvstore")

Thens = Sequence[Callable[[bool], None]]


class Arrivals:
    """Tells each save when it has arrived, in order. Whatever fails drops the saves concerned and nothing else."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[tuple[Callable[[], None], Any, Thens] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._told = False
        self.waiting = 0
        self._thread = threading.Thread(target=self._run, name="kvstore-saves", daemon=True)
        self._thread.start()

    def expect(self, wait: Callable[[], None], keep: Any, thens: Thens) -> None:
        """``wait`` returns when the saves have arrived; ``keep`` is memory that they are copied from."""
        with self._lock:
            self.waiting += len(thens)
        self._queue.put((wait, keep, thens))

    def failed(self, thens: Thens, why: Exception) -> None:
        """These saves have not arrived, and will not."""
        if not self._told:  # it may happen at each step
            self._told = True
            log.warning("KV Store: blocks were not copied and are not stored (%s: %s)", type(why).__name__, why)
        self._tell(thens, False)

    def close(self) -> None:
        """Waits for the saves that are expected."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (entry := self._queue.get()) is not None:
            wait, keep, thens = entry
            try:
                wait()
            except Exception as e:
                self.failed(thens, e)
            else:
                self._tell(thens, True)
            finally:
                with self._lock:
                    self.waiting -= len(thens)
                del entry, wait, keep, thens  # or the memory of an agent that ended stays until the next save

    def _tell(self, thens: Thens, arrived: bool) -> None:
        for then in thens:
            try:
                then(arrived)
            except Exception:
                log.exception("KV Store: a block was not handed over")
