"""Tokens a second, of one work at a time and of several that share what does the work."""

from __future__ import annotations

import math

#: Seconds of work after which a measurement weighs e times less than a new one.
_MEMORY = 4.0


class Rate:
    """Tokens of all work by the seconds of all work, of which later work weighs more: large work counts as such."""

    def __init__(self) -> None:
        self.count = 0
        self._tokens = 0.0
        self._seconds = 0.0

    @property
    def value(self) -> float:
        """Tokens a second; 0 if nothing was measured."""
        return self._tokens / self._seconds if self._seconds > 0 else 0.0

    def add(self, tokens: float, seconds: float) -> None:
        """Work went on for so many seconds and made so many tokens."""
        kept = math.exp(-seconds / _MEMORY)
        self._tokens = self._tokens * kept + tokens
        self._seconds = self._seconds * kept + seconds


class SharedRate(Rate):
    """Tokens a second of all transfers together, over the time in which at least one is under way."""

    def __init__(self) -> None:
        super().__init__()
        self._under_way = 0
        self._until = -math.inf  # the time up to which seconds were added

    def begins(self, at: float) -> None:
        """A transfer began."""
        if self._under_way:
            self._advance(at)
        self._until = max(self._until, at)
        self._under_way += 1

    def arrived(self, tokens: float, at: float) -> None:
        """A transfer that is under way brought tokens."""
        self._advance(at)
        self.add(tokens, 0.0)

    def ends(self, at: float) -> None:
        """A transfer ended."""
        self._advance(at)
        self._under_way -= 1
        self.count += 1

    def forget(self) -> None:
        """What was measured counts no more. Transfers under way count from now on."""
        self._tokens = self._seconds = 0.0
        self.count = 0

    def _advance(self, at: float) -> None:
        if self._under_way and at > self._until:
            self.add(0.0, at - self._until)
            self._until = at
