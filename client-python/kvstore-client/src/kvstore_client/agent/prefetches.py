"""Prefetches: which blocks of which prompts are read next, into which slots, and how far each prompt is."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kvstore_client.agent.lateness import Lateness
from kvstore_client.agent.memory import SlotPool
from kvstore_client.agent.slots import Slots
from kvstore_client.agent.stats import Stats
from kvstore_client.agent.store import Store
from kvstore_client.client import CommonPrefix
from kvstore_client.errors import KvError
from kvstore_client.names import BlockChain
from kvstore_client.parts import BlockResult

_log = logging.getLogger("kvstore.agent")

#: Bytes that one call reads, at least and at most: enough that its start, and threads that hand each other the
#: interpreter's lock, cost little; little enough that threads share a long prompt, and that prompts take turns.
_LEAST_BYTES, _MOST_BYTES = 16 << 20, 64 << 20

#: Seconds for which a block in memory is believed to be stored since the service had it: a purge takes so much longer.
TRUST = 60.0


class Lane:
    """The blocks of one chain of a prefetch."""

    def __init__(self, chain: BlockChain, expected: int, skip: int, window: int) -> None:
        """Blocks from ``skip`` on are wanted, or ``window`` of them before the end; each has ``expected`` bytes."""
        self.chain = chain
        self.expected = expected
        self.window = window
        self.first = skip  # the first block that is wanted
        self.cursor = skip  # the next block that is neither here nor on its way
        self.slots: list[int | None] = []  # of blocks from ``skip`` on
        self.front = skip  # blocks from the first one up to this one are here
        self._skip = skip

    def aim(self, end: int) -> None:
        """The prefix has so many blocks; it never gets longer."""
        if self.window:
            self.first = self.cursor = self.front = max(self._skip, end - self.window)


class Prefetch:
    """What one request of an engine wants."""

    def __init__(
        self, lanes: list[Lane], skip: int, deadline: float, report: Callable[[Prefetch], None], *, probe: bool = False
    ) -> None:
        """``deadline`` is the loop's time. ``report`` hears of changes. No request waits for a ``probe``."""
        self.lanes = lanes
        self.blocks = min(len(lane.chain) for lane in lanes)
        self.windowed = any(lane.window for lane in lanes)
        self.skip = skip
        self.deadline = deadline
        self.report = report
        self.probe = probe
        self.answered = False  # by the service
        self.began = time.monotonic()
        self.found = 0
        self.limit = 0  # the prompt's blocks from here on will not come
        self.ready = 0
        self.came = 0  # blocks that were read for it
        self.done = False
        self.timer: asyncio.TimerHandle | None = None


@dataclass
class Fetch:
    """A block on its way into a slot, and the prefetches that wait for it."""

    slot: int
    waiters: list[tuple[Prefetch, Lane, int]]


class Prefetches:
    """All prefetches of all engines. For the loop's thread.

    A block that several prompts want is read once. Prompts take turns, one call each. Blocks that arrive after the
    deadline of their prefetch stay for later ones.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        slots: Slots,
        pool: SlotPool,
        store: Store,
        stats: Stats,
        threads: int,
        seen: Callable[[BlockChain, int], None],
        freed: Callable[[], None],
    ) -> None:
        """``seen`` hears how many blocks of a chain are stored, ``freed`` that slots or work may be there now."""
        self._loop = loop
        self._slots = slots
        self._pool = pool
        self._store = store
        self._stats = stats
        self._threads = threads
        self._seen = seen
        self._freed = freed
        self._lateness = Lateness()
        self._turns: deque[Prefetch] = deque()
        self._fetches: dict[bytes, Fetch] = {}

    # --- a prefetch's life ---

    def begin(
        self,
        chains: Sequence[BlockChain],
        expected: Sequence[int],
        windows: Sequence[int],
        skip: int,
        seconds: float,
        report: Callable[[Prefetch], None],
    ) -> Prefetch:
        """Looks the prompt up, then reads it. The prefetch is done after so many seconds at the latest.

        Memory alone answers, at once, if it has the whole prompt, and while the service is away or always late.
        """

        def made(report: Callable[[Prefetch], None], *, probe: bool = False) -> Prefetch:
            lanes = [
                Lane(chain, size, skip, window) for chain, size, window in zip(chains, expected, windows, strict=True)
            ]
            return Prefetch(lanes, skip, self._loop.time() + seconds, report, probe=probe)

        prefetch = made(report)
        if self._store.breaker.open or self._here(prefetch, 0, prefetch.began - TRUST) == prefetch.blocks:
            self._found(prefetch, 0)
        elif self._lateness.paused:
            self._found(prefetch, 0)
            if self._lateness.probes(self._loop.time()):
                self._look_up(made(lambda _: None, probe=True), seconds)
        else:
            self._look_up(prefetch, seconds)
        return prefetch

    def _look_up(self, prefetch: Prefetch, seconds: float) -> None:
        lanes = [lane for lane in prefetch.lanes if not lane.window] or prefetch.lanes
        prefetch.timer = self._loop.call_later(seconds, self._expired, prefetch)

        def then(found: CommonPrefix | None, failure: KvError | None) -> None:
            for lane, blocks in zip(lanes, found.each if found else (), strict=False):
                self._seen(lane.chain, blocks)
            if not prefetch.done:
                if failure:
                    _log.info("a lookup failed: %s", failure)
                prefetch.answered = found is not None
                if found:
                    self._found(prefetch, found.cached_blocks, prefetch.began - TRUST)
                    self._confirm(lanes, found.cached_blocks, prefetch.began)
                else:
                    self._found(prefetch, 0)

        chains, expected = [lane.chain for lane in lanes], [lane.expected for lane in lanes]
        self._store.lookup(chains, expected, lambda: not prefetch.done, seconds, then)

    def release(self, prefetch: Prefetch) -> None:
        """Its slots may be used for other blocks."""
        self._end(prefetch)
        self._unpin(prefetch, 0)
        self._freed()

    def give_up(self, prefetch: Prefetch) -> None:
        """Reads no more for it. Its slots stay pinned."""
        self._end(prefetch)

    def _expired(self, prefetch: Prefetch) -> None:
        wanted = sum(max(0, prefetch.limit - lane.first) for lane in prefetch.lanes)
        self._stats.add("late_blocks", max(0, wanted - prefetch.ready * len(prefetch.lanes)))
        if not prefetch.came:
            self._stats.add("late_prefetches")
        self._note(brought=prefetch.came > 0)
        self._finish(prefetch)

    def _finish(self, prefetch: Prefetch) -> None:
        self._end(prefetch)
        self._unpin(prefetch, 0 if prefetch.probe else prefetch.ready)
        prefetch.report(prefetch)
        self._freed()

    def _note(self, *, brought: bool) -> None:
        before = self._lateness.paused
        self._lateness.ended(brought=brought, now=self._loop.time())
        now = self._lateness.paused
        if now != before:
            self._stats.set("service_late", float(now))
            _log.warning("the service answers %s", "too late: prefetches use memory only" if now else "in time again")

    def _end(self, prefetch: Prefetch) -> None:
        prefetch.done = True
        if prefetch.timer:
            prefetch.timer.cancel()

    def _unpin(self, prefetch: Prefetch, first: int) -> None:
        # The last blocks first, so that they make room first: without its start, the rest of a prompt is of no use.
        for lane in prefetch.lanes:
            for at in range(len(lane.slots) - 1, first - 1, -1):
                slot, lane.slots[at] = lane.slots[at], None
                if slot is not None:
                    self._slots.unpin(slot)

    def _found(self, prefetch: Prefetch, stored_blocks: int, since: float = -math.inf) -> None:
        found = self._here(prefetch, stored_blocks, since)
        prefetch.found = prefetch.limit = found
        for lane in prefetch.lanes:
            lane.slots = [None] * max(0, found - prefetch.skip)
            lane.aim(found)
        self._stats.add("found_blocks", found * len(prefetch.lanes))
        for lane in prefetch.lanes:
            self._advance(prefetch, lane)
        self._update(prefetch)
        if not prefetch.done:
            self._queue(prefetch)

    def _here(self, prefetch: Prefetch, found: int, since: float) -> int:
        """The prefix, with blocks behind it that are in memory and that the service had at time ``since`` or later.

        A data plane that is asked may not know yet what another one has stored.
        """

        def here(lane: Lane, at: int) -> bool:
            slot = self._slots.find(lane.chain.hash(at))
            return slot is not None and self._slots.is_known(slot, since)

        best, runs = found, [0] * len(prefetch.lanes)
        for at in range(found, prefetch.blocks):
            runs = [run + 1 if here(lane, at) else 0 for lane, run in zip(prefetch.lanes, runs, strict=True)]
            behind = at + 1 - found
            if any(run < behind for lane, run in zip(prefetch.lanes, runs, strict=True) if not lane.window):
                break
            if all(run >= min(lane.window or behind, behind) for lane, run in zip(prefetch.lanes, runs, strict=True)):
                best = at + 1
        return best

    def _confirm(self, lanes: Sequence[Lane], blocks: int, began: float) -> None:
        """The service has so many blocks of these chains."""
        for lane in lanes:
            for at in range(blocks):
                slot = self._slots.find(lane.chain.hash(at))
                if slot is not None and not self._slots.is_unwritten(slot):
                    self._slots.known(slot, began)

    # --- reading ---

    def turn(self) -> Callable[[Callable[[], None]], None] | None:
        """The next call to make; ``None`` if there is none. The call hears when its thread is free again."""
        while self._turns:
            prefetch = self._turns.popleft()
            if prefetch.done:
                continue
            for lane in prefetch.lanes:
                self._advance(prefetch, lane)
            self._update(prefetch)
            lanes = [lane for lane in prefetch.lanes if lane.cursor < prefetch.limit]
            if prefetch.done or not lanes:
                continue  # the rest is on its way
            lane = min(lanes, key=lambda one: (not one.window, one.cursor))
            fetches = self._take(prefetch, lane)
            if not fetches:
                self._stats.add("no_slot")
                self._cut(prefetch, lane.cursor)
            self._queue(prefetch)
            if fetches:
                return self._call(prefetch, lane, fetches)
        return None

    def _advance(self, prefetch: Prefetch, lane: Lane) -> None:
        """Passes over blocks that are here or on their way."""
        while lane.cursor < prefetch.limit:
            if lane.slots[lane.cursor - prefetch.skip] is not None:  # from before the prefix became shorter
                lane.cursor += 1
                continue
            name = lane.chain.hash(lane.cursor)
            slot, fetch = self._slots.find(name), self._fetches.get(name)
            if slot is not None and self._slots.length(slot) != lane.expected:
                self._cut(prefetch, lane.cursor)
                return
            if slot is not None:
                self._pin(prefetch, lane, lane.cursor, slot)
                self._stats.add("hit_blocks")
            elif fetch:
                fetch.waiters.append((prefetch, lane, lane.cursor))
                self._stats.add("joined_blocks")
            else:
                return
            lane.cursor += 1

    def _take(self, prefetch: Prefetch, lane: Lane) -> list[tuple[bytes, Fetch]]:
        """Slots for the lane's next blocks that are nowhere."""
        missing = (prefetch.limit - lane.cursor) * len(prefetch.lanes)
        calls = min(self._threads, max(1, missing * lane.expected // _LEAST_BYTES))
        most = max(1, min(-(-missing // calls), _MOST_BYTES // lane.expected))
        fetches: list[tuple[bytes, Fetch]] = []
        while len(fetches) < most and lane.cursor < prefetch.limit:
            name = lane.chain.hash(lane.cursor)
            if self._slots.find(name) is not None or name in self._fetches:
                break
            slot = self._slots.take()
            if slot is None:
                break
            fetch = self._fetches[name] = Fetch(slot, [(prefetch, lane, lane.cursor)])
            fetches.append((name, fetch))
            lane.cursor += 1
        return fetches

    def _call(
        self, prefetch: Prefetch, lane: Lane, fetches: list[tuple[bytes, Fetch]]
    ) -> Callable[[Callable[[], None]], None]:
        targets = [self._pool.view(fetch.slot)[: lane.expected] for _, fetch in fetches]
        first = lane.cursor - len(fetches)
        left = list(fetches)

        def arrived(index: int) -> None:
            name, fetch = fetches[index]
            left.remove(fetches[index])
            self._arrived(name, fetch, lane.expected)

        def run(free: Callable[[], None]) -> None:
            def then(results: list[BlockResult] | None, failure: KvError | None) -> None:
                for name, fetch in left:  # only now does nobody write into their slots any more
                    self._lost(name, fetch)
                flaws = [result.error for result in results or () if result.error]
                if flaws:
                    self._store.note(flaws[-1], lane.chain)
                if flaws or failure:
                    _log.info("blocks were not read: %s", flaws[0] if flaws else failure)
                free()

            seconds = prefetch.deadline - self._loop.time()
            prompt = prefetch.lanes[0].chain  # by which the lookup was sent to a data plane
            self._store.read(lane.chain, first, targets, lane.expected, seconds, prompt, arrived, then)

        return run

    def _arrived(self, name: bytes, fetch: Fetch, nbytes: int) -> None:
        del self._fetches[name]
        self._stats.add("fetched_bytes", nbytes)
        self._stats.add("fetched_blocks")
        slot = self._slots.find(name)
        if slot is None:
            slot = fetch.slot
            self._slots.fill(slot, name, nbytes, known=time.monotonic())
        else:  # an engine made the same block meanwhile
            self._slots.give_back(fetch.slot)
        for prefetch, lane, at in fetch.waiters:
            if not prefetch.done and at < prefetch.limit:
                if lane.expected != self._slots.length(slot):
                    self._cut(prefetch, at)
                else:
                    self._pin(prefetch, lane, at, slot)
                    prefetch.came += 1
                self._update(prefetch)

    def _lost(self, name: bytes, fetch: Fetch) -> None:
        del self._fetches[name]
        self._slots.give_back(fetch.slot)
        for prefetch, _, at in fetch.waiters:
            if not prefetch.done:
                self._cut(prefetch, at)
                self._update(prefetch)

    def _pin(self, prefetch: Prefetch, lane: Lane, at: int, slot: int) -> None:
        if lane.slots[at - prefetch.skip] is None:
            self._slots.pin(slot)
            lane.slots[at - prefetch.skip] = slot

    def _cut(self, prefetch: Prefetch, at: int) -> None:
        """The prefix ends before a block that will not come, and needs windows before that."""
        if at >= prefetch.limit:
            return
        prefetch.limit = at
        for lane in prefetch.lanes:
            lane.aim(at)
        if prefetch.windowed:
            self._queue(prefetch)

    def _queue(self, prefetch: Prefetch) -> None:
        if prefetch not in self._turns:
            self._turns.append(prefetch)
            self._freed()

    def _update(self, prefetch: Prefetch) -> None:
        """Tells the engine of blocks that are ready; ends a prefetch that has all it can have."""
        end = max(0, prefetch.limit - prefetch.skip)
        for lane in prefetch.lanes:
            while lane.front < prefetch.limit and lane.slots[lane.front - prefetch.skip] is not None:
                lane.front += 1
        ready = min(end, *(lane.front - prefetch.skip for lane in prefetch.lanes))
        if prefetch.windowed and ready < end:
            ready = 0
        changed, prefetch.ready = ready != prefetch.ready, ready
        if ready == end and not prefetch.done:
            if prefetch.answered:
                self._note(brought=True)
            self._finish(prefetch)
        elif changed:
            prefetch.report(prefetch)
