"""Whether fetching pays: tokens a second that the store brings, beside tokens a second that the engine computes."""

from __future__ import annotations

import math

#: Weight of the newest measurement in a mean.
_WEIGHT = 0.2

#: Measurements before a mean is believed.
_LEAST = 3

#: While fetching does not pay, one request of so many is fetched all the same, to measure anew.
_PROBE = 32

#: Steps with fewer tokens say nothing about the speed of prefill.
_PREFILL = 64


class Mean:
    """An exponential mean of a rate."""

    def __init__(self) -> None:
        self.value = 0.0
        self.count = 0

    def add(self, rate: float) -> None:
        """Adds a measurement; what is no positive number is left out."""
        if not (0 < rate < math.inf):
            return
        self.value = rate if not self.count else self.value + _WEIGHT * (rate - self.value)
        self.count += 1

    @property
    def known(self) -> bool:
        """Whether there were enough measurements."""
        return self.count >= _LEAST


class CostModel:
    """Pauses fetching while computing is faster. For one thread. Time is passed in, in seconds of any clock."""

    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled
        self._fetch, self._prefill = Mean(), Mean()
        self._begun: tuple[float, int] | None = None
        self._skipped = 0

    @property
    def paused(self) -> bool:
        """Whether fetching is slower than computing, as far as it was measured."""
        both = self._fetch.known and self._prefill.known
        return self._enabled and both and self._fetch.value < self._prefill.value

    def admits(self) -> bool:
        """Whether a new request is to be fetched."""
        if not self.paused:
            self._skipped = 0
            return True
        self._skipped += 1
        if self._skipped < _PROBE:
            return False
        self._skipped = 0
        return True

    def fetched(self, tokens: int, seconds: float) -> None:
        """A fetch brought so many tokens, from its lookup to its last block."""
        if tokens and seconds > 0:
            self._fetch.add(tokens / seconds)

    def step_begins(self, now: float, tokens: int) -> None:
        """The engine begins a step of so many tokens. Steps that overlap are measured from end to end."""
        self._begun = (now, tokens)

    def step_ends(self, now: float) -> None:
        """The engine ends the step that began last."""
        if self._begun is None:
            return
        (begun, tokens), self._begun = self._begun, None
        if tokens >= _PREFILL and now > begun:
            self._prefill.add(tokens / (now - begun))

    def rates(self) -> tuple[float, float]:
        """Tokens a second that were fetched and computed, 0 if not measured."""
        return self._fetch.value, self._prefill.value
