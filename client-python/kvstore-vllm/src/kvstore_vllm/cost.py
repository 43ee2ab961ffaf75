"""Whether fetching pays: what requests wait with the store, beside what they wait without it.

Requests share the store's rate, and they share the engine's. So both are measured over all requests, in tokens a second
of the time in which there is something to fetch, or a prompt to compute: what one of them would wait, they all would.
"""

from __future__ import annotations

import enum
from collections import deque
from dataclasses import dataclass

from kvstore_vllm.rates import Rate, SharedRate

#: Fetches and steps that are measured before a rate is believed; and fetches in a row that brought nothing.
_LEAST = 3

#: Fetching pauses below so much of the engine's rate, and goes on above so much of it.
_SLOWER, _FASTER = 0.9, 1.1

#: While it is paused, one request of so many is fetched all the same, and one after so many seconds at the latest.
_PROBE, _PROBE_SECONDS = 32, 30.0

#: Requests that a probe fetches at a time, so that the store is measured under the load that it will have.
_MOST_PROBES = 16

#: Steps with fewer tokens say nothing about the rate of prefill, nor steps with less than this part of the largest one.
_PREFILL, _PART = 64, 0.25

#: Steps that may be under way; of older ones no output is expected.
_MOST_STEPS = 64


class Verdict(enum.Enum):
    """What is done with a new request."""

    FETCH = "it waits for its blocks"
    PROBE = "its blocks are fetched to measure how long that takes, and it does not wait for them"
    SKIP = "it is not looked up"


@dataclass(eq=False)
class Fetch:
    """A fetch that is measured. ``wanted`` and ``tokens``: that were asked for, and that arrived."""

    began: float
    wanted: int
    probe: bool
    tokens: int = 0
    counts: bool = False


class CostModel:
    """Pauses fetching while computing is faster. For one thread. Time is passed in, in seconds of any clock.

    A store that has nothing for a request is not slow, unless the request had been computed before the answer came.
    """

    def __init__(self, enabled: bool = True) -> None:
        self.paused = False
        self._enabled = enabled
        self._fetching, self._prefill = SharedRate(), Rate()
        self._fetches: set[Fetch] = set()
        self._nothing = 0  # fetches in a row that brought nothing
        self._skipped = 0
        self._next_probe = 0.0
        self._probes = 0
        self._steps: deque[tuple[int, float, int]] = deque(maxlen=_MOST_STEPS)
        self._number = 0
        self._last_output = 0.0
        self._largest = 0.0

    # --- fetches ---

    def admits(self, now: float) -> Verdict:
        """What is done with a new request."""
        if not self.paused:
            return Verdict.FETCH
        if self._probes:
            return Verdict.PROBE if self._probes < _MOST_PROBES else Verdict.SKIP
        self._skipped += 1
        due = self._skipped >= _PROBE or now >= self._next_probe
        return Verdict.PROBE if due and not self._fetches else Verdict.SKIP

    def begins(self, verdict: Verdict, tokens: int, now: float) -> Fetch:
        """A request that was admitted is looked up, and fetched: so many tokens, if all are stored."""
        fetch = Fetch(now, tokens, verdict is Verdict.PROBE)
        if fetch.probe:
            if not self._probes:
                self._fetching.forget()
                self._skipped, self._next_probe = 0, now + _PROBE_SECONDS
            self._probes += 1
        self._fetches.add(fetch)
        return fetch

    def arrived(self, fetch: Fetch, tokens: int, at: float, *, found: bool) -> None:
        """So many of its tokens are here by now. ``found``: whether the store has some."""
        if fetch not in self._fetches:
            return
        if found:
            self._count(fetch)
        if tokens > fetch.tokens:
            self._count(fetch)
            self._fetching.arrived(tokens - fetch.tokens, at)
            fetch.tokens = tokens

    def ends(self, fetch: Fetch, at: float, *, late: bool) -> None:
        """Nothing more comes for it. ``late``: the deadline ended it."""
        if fetch not in self._fetches:
            return
        if late or (self._prefill.count >= _LEAST and (at - fetch.began) * self._prefill.value > fetch.wanted):
            self._count(fetch)
        if fetch.counts:
            self._fetching.ends(at)
            self._nothing = 0 if fetch.tokens else self._nothing + 1
        self._fetches.remove(fetch)

    def drops(self, fetch: Fetch, now: float) -> None:
        """A fetch whose end says nothing about the store: its request ended, or the agent did not keep its deadline."""
        if fetch in self._fetches:
            if fetch.counts:
                self._fetching.ends(now)
            self._fetches.remove(fetch)

    def _count(self, fetch: Fetch) -> None:
        if not fetch.counts:
            fetch.counts = True
            self._fetching.begins(fetch.began)

    def judge(self, now: float) -> None:
        """Pauses fetching, or goes on, by what was measured: when all fetches told how far they are by now."""
        if not self.paused:
            self._pause(now)
        elif self._probes and not any(one.probe for one in self._fetches):
            self._probes = 0
            self._go_on()

    def _pause(self, now: float) -> None:
        if not self._enabled or self._fetching.count < _LEAST:
            return
        known = self._prefill.count >= _LEAST
        slower = known and self._fetching.value < _SLOWER * self._prefill.value
        if slower or self._nothing >= _LEAST:
            self.paused = True
            self._skipped, self._next_probe = 0, now + _PROBE_SECONDS

    def _go_on(self) -> None:
        rate = self._fetching.value
        if rate > 0 and rate >= _FASTER * self._prefill.value:
            self.paused = False
            self._nothing = 0

    # --- steps ---

    def step_begins(self, tokens: int, now: float) -> int:
        """The engine begins a step of so many tokens of prompts, while steps before it may be under way.

        The number of the step, by which :meth:`step_ends` knows it; 0 if it is not measured.
        """
        if tokens < _PREFILL:
            return 0
        self._number += 1
        self._steps.append((self._number, now, tokens))
        return self._number

    def step_ends(self, number: int, now: float) -> None:
        """The output of a step came; 0 for one that is not measured. Steps end in the order in which they begin."""
        found, begun, tokens = 0, now, 0
        while self._steps and self._steps[0][0] <= number:
            found, begun, tokens = self._steps.popleft()
        seconds = now - max(begun, self._last_output)  # until its output came, the engine computed the step before
        self._last_output = now
        if not number or found != number or seconds <= 0:
            return
        self._largest = max(float(tokens), 0.99 * self._largest)
        if tokens >= _PART * self._largest:
            self._prefill.add(tokens, seconds)
            self._prefill.count += 1

    def rates(self) -> tuple[float, float]:
        """Tokens a second that were fetched and computed, 0 if not measured."""
        return self._fetching.value, self._prefill.value
