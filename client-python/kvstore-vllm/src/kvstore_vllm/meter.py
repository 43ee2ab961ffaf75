"""Fetches under way, as the cost model hears of them: once a step, of all of them at the same time."""

from __future__ import annotations

from kvstore_client.agent import Agent, Progress

from kvstore_vllm.cost import CostModel, Fetch, Verdict

#: A fetch that took so much of its deadline was ended by it: the agent's clock and the engine's differ by moments.
_LATE = 0.98


class FetchMeter:
    """Measures fetches by the times that the agent tells. For the scheduler's thread."""

    def __init__(self, cost: CostModel, agent: Agent, block: int, deadline: float) -> None:
        """A block has ``block`` tokens; fetches take ``deadline`` seconds at most."""
        self._cost = cost
        self._agent = agent
        self._block = block
        self._deadline = deadline
        self._under_way: dict[str, tuple[Fetch, int]] = {}

    def begins(self, name: str, verdict: Verdict, blocks: int, skip: int, now: float) -> None:
        """A request's blocks from ``skip`` on are fetched, at most ``blocks`` in all."""
        self._under_way[name] = self._cost.begins(verdict, (blocks - skip) * self._block, now), skip

    def ends(self, name: str, progress: Progress, now: float) -> None:
        """A fetch ended; what its request waits for no more is dropped."""
        if name in self._under_way:
            self._arrived(name, progress)
            self._end(name, progress, now)

    def drops(self, name: str, now: float) -> None:
        """A request waits no more for its fetch, if there is one that has not ended."""
        if name in self._under_way:
            self._cost.drops(self._under_way.pop(name)[0], now)

    def look(self, now: float) -> list[str]:
        """Asks how far all fetches are, and has the model judge; the probes that ended."""
        told = {name: self._agent.progress(name) for name in self._under_way}
        for name, progress in told.items():
            self._arrived(name, progress)
        probes = []
        for name, progress in told.items():
            if progress.done:
                probes += [name] if self._under_way[name][0].probe else []
                self._end(name, progress, now)
        self._cost.judge(now)
        return probes

    def _arrived(self, name: str, progress: Progress) -> None:
        fetch, skip = self._under_way[name]
        tokens, at = progress.ready * self._block, fetch.began + progress.seconds
        self._cost.arrived(fetch, tokens, at, found=progress.found > skip)

    def _end(self, name: str, progress: Progress, now: float) -> None:
        fetch, _ = self._under_way.pop(name)
        if progress.broken or not progress.done:
            self._cost.drops(fetch, now)
        else:
            late = progress.seconds >= _LATE * self._deadline
            self._cost.ends(fetch, fetch.began + progress.seconds, late=late)
