"""Leaves a service out of prefetches that answers, and always after their deadline."""

from __future__ import annotations

#: So many prefetches in a row that brought nothing before their deadline; then one is tried every so many seconds.
LATE, PROBE = 3, 5.0


class Lateness:
    """What became of prefetches that waited for the service. For one thread; time is passed in, in seconds."""

    def __init__(self) -> None:
        """Nothing was late."""
        self.paused = False
        self._in_a_row = 0
        self._next = 0.0

    def ended(self, *, brought: bool, now: float) -> None:
        """A prefetch ended; whether the service answered it before its deadline."""
        self._in_a_row = 0 if brought else self._in_a_row + 1
        if brought:
            self.paused = False
        elif not self.paused and self._in_a_row >= LATE:
            self.paused, self._next = True, now + PROBE

    def probes(self, now: float) -> bool:
        """Whether the next prefetch is to ask the service all the same, without its request waiting for it."""
        if not self.paused or now < self._next:
            return False
        self._next = now + PROBE
        return True
