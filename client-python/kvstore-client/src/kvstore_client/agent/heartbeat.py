"""Whether the agent's event loop answers, however slow the store is."""

from __future__ import annotations

import math
from collections.abc import Callable

#: Seconds between two pings while requests wait.
EVERY = 0.25

#: Seconds after a ping at which an agent that has sent nothing counts as silent. Its event loop answers within
#: milliseconds once it has a processor.
SILENT = 1.0

#: So often an agent that waits for a processor is given as long again. More often, and it computes without end.
LONGER = 5


class Heartbeat:
    """An engine's pings and the agent's answers: any message is one. For one thread at a time.

    All times are of one clock, in seconds.
    """

    def __init__(self) -> None:
        """Nothing was asked."""
        self._waiting: float | None = None  # when the ping was sent that has no answer yet
        self._last = -math.inf
        self._until = math.inf
        self._longer = 0

    def due(self, now: float) -> bool:
        """Whether it is time for a ping: one at a time, and not too many."""
        return self._waiting is None and now - self._last >= EVERY

    def asked(self, now: float) -> None:
        """A ping was sent; a ping that still waits for its answer is the one that counts."""
        self._last = now
        if self._waiting is None:
            self._waiting = now
            self._until = now + SILENT
            self._longer = LONGER

    def heard(self) -> None:
        """A message came."""
        self._waiting = None

    def overdue(self, now: float) -> bool:
        """Whether a ping should have been answered by now."""
        return self._waiting is not None and now >= self._until

    def silent(self, now: float, starved: Callable[[], bool]) -> bool:
        """Whether the agent stands still. ``starved`` tells whether it would run, and has no processor for that."""
        if not self.overdue(now):
            return False
        if self._longer and starved():
            self._longer -= 1
            self._until = now + SILENT
            return False
        self._longer = 0  # it is left alone until it answers
        return True

    def unanswered(self, since: float) -> bool:
        """Whether nothing came since a time at which a ping was sent, or waited for its answer already."""
        return self._waiting is not None and self._waiting <= since
