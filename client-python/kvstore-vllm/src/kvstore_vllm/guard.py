"""Between vLLM and the connector: nothing that goes wrong in a method of the connector's reaches the engine."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

log = logging.getLogger("vllm.kvstore")

Answer = TypeVar("Answer")

#: Places of which failures are logged; a place is logged once.
_MOST_PLACES = 100


class Guard:
    """Runs steps of the connector. A step that fails is counted, logged once, and answered by its fallback.

    ``failed`` counts: it is called with the name of the step. For one thread.
    """

    def __init__(self, failed: Callable[[str], None]) -> None:
        self._failed = failed
        self._told: set[str] = set()

    def run(self, step: str, fallback: Answer, work: Callable[[], Answer]) -> Answer:
        """What ``work`` returns, or ``fallback`` if it raises."""
        try:
            return work()
        except Exception as e:  # an engine must not end because of its cache
            self._note(step, e)
            return fallback

    def _note(self, step: str, failure: Exception) -> None:
        self._failed(step)
        if step in self._told or len(self._told) >= _MOST_PLACES:
            return
        self._told.add(step)
        log.warning(
            "KV Store: %s failed: %s: %s. The engine goes on without the store where this happens. Further failures"
            ' are counted in vllm:kvstore_errors{code="internal"} and not logged.',
            step,
            type(failure).__name__,
            failure,
            exc_info=failure,
        )
