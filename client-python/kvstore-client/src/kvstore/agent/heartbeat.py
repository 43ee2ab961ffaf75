"""Whether the agent's event loop answers, however slow the store is."""

from __future__ import annotations

import math

#: Seconds between two pings while requests wait.
EVERY = 0.25

#: Seconds after a ping at which an agent that has sent nothing counts as silent. Its event loop answers within
#: milliseconds, and within tens of them where other processes want its processor.
SILENT = 1.0


class Heartbeat:
    """An engine's pings and the agent's answers: any message is one. For one thread at a time.

    All times are of one clock, in seconds.
    """

    def __init__(self) -> None:
        """Nothing was asked."""
        self._waiting: float | None = None  # when the ping was sent that has no answer yet
        self._last = -math.inf

    def due(self, now: float) -> bool:
        """Whether it is time for a ping: one at a time, and not too many."""
        return self._waiting is None and now - self._last >= EVERY

    def asked(self, now: float) -> None:
        """A ping was sent; a ping that still waits for its answer is the one that counts."""
        self._last = now
        if self._waiting is None:
            self._waiting = now

    def heard(self) -> None:
        """A message came."""
        self._waiting = None

    def silent(self, now: float) -> bool:
        """Whether the answer to a ping is overdue."""
        return self._waiting is not None and now - self._waiting >= SILENT

    def unanswered(self, since: float) -> bool:
        """Whether nothing came since a time at which a ping was sent, or waited for its answer already."""
        return self._waiting is not None and self._waiting <= since
