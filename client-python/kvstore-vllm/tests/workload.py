"""An engine and a store in virtual time: clients that each send one prompt after the other, through a cost model."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field

from kvstore_vllm.cost import CostModel, Fetch, Verdict

BLOCK, STEP = 128, 2048


@dataclass(eq=False)
class Prompt:
    """One request of a client."""

    arrived: float
    fetch: Fetch | None = None
    began: float = 0.0  # its fetch
    waits: bool = False  # for its blocks
    sent: float = 0.0  # tokens that the store has sent
    left: int = 0  # tokens that are to be computed


@dataclass
class Workload:
    """``clients`` that send prompts of ``tokens``, all of which are stored.

    ``store`` and ``engine`` are tokens a second of all requests together, which requests of the store share equally and
    those of the engine get in turn. The store's answer begins after ``latency`` seconds. ``ahead``: the engine begins a
    step while the one before runs, as with asynchronous scheduling. Beside each prompt, the engine decodes for
    ``decoding`` seconds, in steps of a token.
    """

    clients: int
    store: float
    engine: float
    tokens: int
    latency: float = 0.0
    deadline: float = 1000.0
    ahead: bool = False
    decoding: float = 0.0
    model: CostModel = field(default_factory=CostModel)

    def __post_init__(self) -> None:
        self.now = 0.0
        self.verdicts: list[Verdict] = []
        self.waits: list[float] = []  # seconds that a request waited for its blocks in vain
        self._fetching: list[Prompt] = []
        self._queue: deque[Prompt] = deque()
        self._idle = self.clients
        self._steps: deque[tuple[int, float, list[Prompt]]] = deque()  # number, seconds, prompts that it completes
        self._ends = math.inf
        self._decodes = 0.0

    def run(self, requests: int) -> None:
        """So many requests more begin, and all of them end."""
        self.verdicts.clear()
        self.waits.clear()
        while requests or self._idle < self.clients:
            while requests and self._idle:
                self._arrives()
                requests -= 1
            self._schedule()
            self._advance(min(self._ends, self._next_of_store()))

    def _arrives(self) -> None:
        self._idle -= 1
        verdict = self.model.admits(self.now)
        self.verdicts.append(verdict)
        prompt = Prompt(self.now, left=self.tokens)
        if verdict is not Verdict.SKIP:
            self._fetch(prompt, verdict)
        prompt.waits = verdict is Verdict.FETCH
        if not prompt.waits:
            self._queue.append(prompt)
        if verdict is Verdict.PROBE:
            for other in self._queue:
                if other.fetch is None and other.left == self.tokens and self.model.admits(self.now) is verdict:
                    self._fetch(other, verdict)

    def _fetch(self, prompt: Prompt, verdict: Verdict) -> None:
        prompt.began = self.now
        prompt.fetch = self.model.begins(verdict, self.tokens, self.now)
        self._fetching.append(prompt)

    # --- the store ---

    def _sending(self) -> list[Prompt]:
        return [one for one in self._fetching if self.now >= one.began + self.latency - 1e-9]

    def _next_of_store(self) -> float:
        sending = self._sending()
        times = [one.began + self.deadline for one in self._fetching]
        times += [one.began + self.latency for one in self._fetching if one not in sending]
        times += [self.now + (self.tokens - one.sent) * len(sending) / self.store for one in sending]
        return min(times, default=math.inf)

    def _advance(self, until: float) -> None:
        sending = self._sending()
        for one in sending:
            one.sent += (until - self.now) * self.store / len(sending)
        self.now = until
        for one in list(self._fetching):
            self._look(one)
        self.model.judge(self.now)
        if self.now >= self._ends:
            self._output()

    def _look(self, one: Prompt) -> None:
        assert one.fetch is not None
        whole = self.tokens // BLOCK * BLOCK
        done, late = one.sent >= self.tokens - 1e-6, self.now >= one.began + self.deadline
        here = whole if done else min(whole, int(one.sent) // BLOCK * BLOCK)
        self.model.arrived(one.fetch, here, self.now, found=one in self._sending())
        if not done and not late:
            return
        self._fetching.remove(one)
        self.model.ends(one.fetch, self.now, late=not done)
        if one.waits:
            if not here:
                self.waits.append(self.now - one.began)
            one.left = self.tokens - here
            self._queue.append(one)

    # --- the engine ---

    def _schedule(self) -> None:
        most = 2 if self.ahead else 1
        while len(self._steps) < most and (self._queue or self._decodes > 0):
            room, taken, completed = STEP, 0, []
            while self._queue and room:
                one = self._queue[0]
                some = min(room, max(1, one.left))
                room, taken, one.left = room - some, taken + some, one.left - some
                if one.left <= 0:
                    completed.append(self._queue.popleft())
            seconds = max(taken / self.engine, 0.001)
            self._decodes = max(0.0, self._decodes - seconds) + self.decoding * len(completed)
            self._steps.append((self.model.step_begins(taken, self.now), seconds, completed))
            if len(self._steps) == 1:
                self._ends = self.now + seconds

    def _output(self) -> None:
        number, _, completed = self._steps.popleft()
        self._idle += len(completed)
        self._ends = self.now + self._steps[0][1] if self._steps else math.inf
        if self.ahead:  # the next step is scheduled before this one's output is handled
            self._schedule()
        self.model.step_ends(number, self.now)
