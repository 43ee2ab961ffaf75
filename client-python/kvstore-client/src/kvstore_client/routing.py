"""Which data plane an operation goes to: the policy of the Java SDK, without sockets and threads of its own.

Equal keys go to one data plane while it is well and carries no more than 1.25 times its share of what is under way.
Otherwise they go to their next choice in the level, then to the levels after it, then to those before it. Times are
seconds of one clock. Callers hold one lock around everything here; see :mod:`kvstore_client.endpoints`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from kvstore_client.health import Health, State
from kvstore_client.rendezvous import score, seed, unit
from kvstore_client.wire import RouteLevel, Target

# The constants of the Java SDK's RoutingRules, which has the reason for each.
LOAD_FACTOR = 1.25
LEAST_BOUND = 8
LEAST_USED = 0.5
RETURN = 30.0

_COMEBACK = seed("comeback")


class Candidate(Protocol):
    """A data plane as the policy sees it."""

    @property
    def seed(self) -> int:
        """Of its name, which is equal over its restarts."""
        ...

    @property
    def in_flight(self) -> int:
        """Operations of this client that are under way there."""
        ...

    @property
    def health(self) -> Health:
        """Its health, as far as operations have shown it."""
        ...


class Comeback:
    """How keys come back to a level that was away: over 30 s, each at a moment of its own."""

    def __init__(self, since: float | None = None) -> None:
        """A level that is there; or that returns since a time."""
        self._away = False
        self._since = since

    def copy(self) -> Comeback:
        """Another one in the same state."""
        made = Comeback(self._since)
        made._away = self._away
        return made

    def most_keys_first(self) -> tuple[bool, float]:
        """Sorts levels: first levels with all of their keys, then those with a part, then those without keys."""
        return self._away, -math.inf if self._since is None else self._since

    def observe(self, whole: bool, now: float) -> None:
        """Takes note of whether any data plane of the level is whole."""
        if not whole:
            self._away, self._since = True, None
        elif self._away:
            self._away, self._since = False, now
        elif self._since is not None and now - self._since >= RETURN:
            self._since = None

    def holds_back(self, key: int, now: float) -> bool:
        """Whether a key is to stay elsewhere for a while yet."""
        return self._since is not None and now - self._since < unit(key ^ _COMEBACK) * RETURN


def bound(under_way: int, weight: int, weights: int) -> int:
    """Most operations that a data plane may carry once one more begins."""
    return max(LEAST_BOUND, math.ceil(LOAD_FACTOR * (under_way + 1) * weight / weights))


class Level:
    """Data planes as near as each other, and the choice among them."""

    def __init__(
        self,
        index: int,
        region: str,
        name: str,
        share: int,
        members: Sequence[tuple[Candidate, int]],
        comeback: Comeback,
    ) -> None:
        """``members`` are data planes and their weights, 1 or more. ``name`` is no other level's."""
        self.index = index
        self.region = region
        self.comeback = comeback
        self._seed = seed(name)
        self._share = share
        self._members = tuple(members)

    def has_any(self, members: Iterable[tuple[Candidate, int]]) -> bool:
        """Whether any of these data planes is one of this level."""
        others = {other for other, _ in members}
        return any(member in others for member, _ in self._members)

    def score(self, key: int) -> float:
        """Levels win keys by their shares, as data planes do by their weights."""
        return score(key, self._seed, self._share) if self._share else 0.0

    def has_beyond(self, tried: Iterable[Candidate], now: float) -> bool:
        """Whether any data plane is whole that is not among these."""
        tried = set(tried)
        return any(m not in tried and m.health.state(now) is State.WHOLE for m, _ in self._members)

    def holds_back(self, key: int, now: float) -> bool:
        """Whether the level is coming back and this key waits."""
        self.comeback.observe(self.has_beyond((), now), now)
        return self.comeback.holds_back(key, now)

    def choose(self, key: int, tried: set[Candidate], now: float, *, alone: bool) -> tuple[Candidate, bool] | None:
        """The best data plane for a key, and whether it is on trial. ``alone``: no other level could take the work."""
        forced = self._least_bad(now) if alone else set()
        usable = {m for m, _ in self._members if m in forced or m.health.state(now) is State.WHOLE}
        under_way = sum(m.in_flight for m in usable)
        weights = sum(weight for m, weight in self._members if m in usable)
        scored = sorted(
            ((score(key, m.seed, weight), m, weight) for m, weight in self._members if m not in tried),
            key=lambda entry: -entry[0],
        )
        whole = [entry for entry in scored if entry[1] in usable]
        trial = next((e for e in scored if e[1] not in usable and e[1].health.state(now) is State.ON_TRIAL), None)
        if trial and (not whole or trial[0] > whole[0][0]) and trial[1].health.begin_trial():
            return trial[1], True
        for _, member, weight in whole:
            if member.in_flight < bound(under_way, weight, weights):
                return member, False
        return (whole[0][1], False) if whole else None

    def last_resort(self, key: int, tried: set[Candidate]) -> Candidate | None:
        """The least bad of those not tried, by the key among equals."""
        left = [(m.health.ejections, -score(key, m.seed, weight), m) for m, weight in self._members if m not in tried]
        return min(left, key=lambda entry: entry[:2])[2] if left else None

    def _least_bad(self, now: float) -> set[Candidate]:
        """Data planes that answered late or with UNAVAILABLE, as many as fill up half of the level."""
        whole = sum(m.health.state(now) is State.WHOLE for m, _ in self._members)
        missing = math.ceil(len(self._members) * LEAST_USED) - whole
        bad = [m for m, _ in self._members if m.health.state(now) is State.EJECTED and not m.health.unreachable]
        return set(sorted(bad, key=lambda m: m.health.ejections)[: max(0, missing)])


class Picker:
    """Decides which data plane an operation goes to."""

    def __init__(self) -> None:
        """Without any data plane."""
        self._levels: list[Level] = []

    def follow(self, levels: Sequence[RouteLevel], member: Callable[[Target], Candidate], now: float) -> None:
        """From now on these are the data planes. Levels without any are left out.

        Levels of new data planes are filled over 30 s.
        """
        members = [[(member(target), target.weight) for target in level.targets] for level in levels]
        staying = [before for before in self._levels if any(before.has_any(each) for each in members)]
        names: set[str] = set()
        fresh: list[Level] = []
        for index, (level, own) in enumerate(zip(levels, members, strict=True)):
            if not own:
                continue
            name = level.region
            while name in names:
                name += "+"  # a region may have several levels
            names.add(name)
            comeback = self._comeback(level.region, own, staying, now)
            fresh.append(Level(index, level.region, name, level.share, own, comeback))
        self._levels = fresh

    def _comeback(
        self, region: str, members: Sequence[tuple[Candidate, int]], staying: Sequence[Level], now: float
    ) -> Comeback:
        """A level goes on from the one that had its data planes: it is known by these, and not by its place.

        If all of a cluster is lost, the next level of its region moves up, and its data planes have served all the
        while. A level of new data planes alone goes on from a level of its region that went away.
        """
        before = [level.comeback for level in staying if level.has_any(members)]
        gone = [level.comeback for level in self._levels if level.region == region and level not in staying]
        if before:
            return min(before, key=Comeback.most_keys_first).copy()
        if gone:
            return gone[0].copy()
        return Comeback(now) if self._levels else Comeback()

    def pick(self, key: int, tried: set[Candidate], now: float) -> tuple[Candidate, bool] | None:
        """Where an operation goes, and whether that is a trial; ``None`` if there is no data plane."""
        levels = self._order(key)
        for level in levels:
            held_back = level.holds_back(key, now)
            alone = not any(other is not level and other.has_beyond((), now) for other in levels)
            if held_back and not alone:
                continue
            choice = level.choose(key, tried, now, alone=alone)
            if choice:
                return choice
        for level in levels:
            choice = level.choose(key, tried, now, alone=True)
            if choice:
                return choice
        for left_out in (tried, set()):
            found = [m for m in (level.last_resort(key, left_out) for level in levels) if m is not None]
            if found:
                return min(found, key=lambda m: m.health.ejections), False
        return None

    def has_beyond(self, tried: Iterable[Candidate], now: float) -> bool:
        """Whether a data plane that is whole, and not one of these, could take an operation."""
        return any(level.has_beyond(tried, now) for level in self._levels)

    def _order(self, key: int) -> list[Level]:
        """The level of a key, the ones after it, the ones before it."""
        if len(self._levels) < 2:
            return self._levels
        scores = [level.score(key) for level in self._levels]
        home = scores.index(max(scores))
        return self._levels[home:] + self._levels[:home]
