"""In whatever order answers come: a slot that an engine may touch holds the block that it was told of."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kvstore_client.agent.chains import OneBlock
from kvstore_client.agent.prefetches import Prefetch, Prefetches
from kvstore_client.agent.slots import Slots
from kvstore_client.agent.stats import Stats
from kvstore_client.agent.writes import Writes
from kvstore_client.client import CommonPrefix, WriteResult
from kvstore_client.errors import UnavailableError
from kvstore_client.names import BlockChain, Partition

BYTES, BLOCKS = 100, 4
PARTITION = Partition("test", 1)

#: Two prompts with the same two first blocks, and one of its own.
TOKENS = ([1, 2, 3, 4], [1, 2, 5, 6], [7, 8, 9, 10])
CHAINS = [BlockChain.of(PARTITION, tokens) for tokens in TOKENS]

#: The same prompts in a partition of which a window is needed only.
WINDOWED = [BlockChain.of(Partition("windowed", 1), tokens) for tokens in TOKENS]

KINDS = [
    "begin",
    "look",
    "find",
    "fail",
    "read",
    "arrive",
    "end",
    "break",
    "expire",
    "release",
    "save",
    "write",
    "stored",
    "refused",
]
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 99)), max_size=60)


class Timer:
    """An alarm of the loop."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """A loop whose alarms ring when the test says so."""

    def __init__(self) -> None:
        self.timers: list[Timer] = []

    def time(self) -> float:
        return 0.0

    def call_later(self, _: float, call: Callable[..., None], *arguments: Any) -> Timer:
        self.timers.append(Timer(lambda: call(*arguments)))
        return self.timers[-1]


class Read:
    """A call that reads blocks; each may arrive before the call ends, in any order."""

    def __init__(self, blocks: int, arrived: Callable[[int], None], then: Callable[..., None]) -> None:
        self.left = list(range(blocks))
        self.arrived = arrived
        self.then = then


class Books:
    """The agent's books, with a service that answers when the test says so."""

    def __init__(self, size: int) -> None:
        self.loop, self.slots = Loop(), Slots(size)
        self.size = size
        self.breaker = SimpleNamespace(open=False)
        self.lookups: list[Callable[..., None]] = []
        self.reads: list[Read] = []
        self.writing: list[Callable[..., None]] = []
        self.engines: list[tuple[Prefetch, list[BlockChain]]] = []
        self.told: dict[int, list[int | None]] = {}
        pool: Any = SimpleNamespace(view=lambda _: memoryview(bytearray(BYTES)))
        store: Any = self
        loop: Any = self.loop
        stats = Stats()
        self.prefetches = Prefetches(loop, self.slots, pool, store, stats, 2, lambda *_: None, lambda: None)
        self.writes = Writes(self.slots, pool, store, stats, 3 * BYTES, lambda *_: None, lambda: None)

    # --- the service ---

    def lookup(self, chains: Any, expected: Any, wanted: Any, timeout: float, then: Callable[..., None]) -> None:
        self.lookups.append(then)

    def read(
        self, chain: Any, first: int, targets: Any, expected: int, timeout: float, prompt: Any, arrived: Any, then: Any
    ) -> None:
        self.reads.append(Read(len(targets), arrived, then))

    def write(self, block: Any, index: int, data: Any, then: Callable[..., None]) -> None:
        self.writing.append(then)

    def note(self, flaw: Any, chain: Any) -> None:
        pass

    # --- steps ---

    def step(self, kind: str, choice: int) -> None:
        if kind == "begin":
            width = 1 + choice % 2
            chains = [some[choice % len(CHAINS)] for some in (CHAINS, WINDOWED)][:width]
            windows, skip = [0, 1 + choice // 6 % 2][:width], choice // 3 % 2
            begun = self.prefetches.begin(chains, [BYTES] * width, windows, skip, 1.0, lambda _: None)
            self.engines.append((begun, chains))
        elif kind in ("look", "find", "fail") and self.lookups:
            then = self.lookups.pop(choice % len(self.lookups))
            found = BLOCKS if kind == "find" else choice % (BLOCKS + 1)
            then(*((None, UnavailableError("away")) if kind == "fail" else (CommonPrefix(found, (found,)), None)))
        elif kind == "read" and len(self.reads) < 2:
            call = self.prefetches.turn()
            if call:
                call(lambda: None)
        elif kind == "arrive" and self.reads:
            read = self.reads[choice % len(self.reads)]
            if read.left:
                read.arrived(read.left.pop(choice % len(read.left)))
        elif kind in ("end", "break") and self.reads:
            read = self.reads.pop(choice % len(self.reads))
            while kind == "end" and read.left:
                read.arrived(read.left.pop())
            read.then(*(([], None) if kind == "end" else (None, UnavailableError("away"))))
        elif kind == "expire":
            ringing = [timer for timer in self.loop.timers if not timer.cancelled]
            if ringing:
                timer = ringing[choice % len(ringing)]
                self.loop.timers.remove(timer)
                timer.call()
        elif kind == "release" and self.engines:
            prefetch, _ = self.engines.pop(choice % len(self.engines))
            for lane in prefetch.lanes:
                self.told.pop(id(lane), None)
            self.prefetches.release(prefetch)
        elif kind == "save":
            self._save((CHAINS + WINDOWED)[choice % 6], choice // 6 % BLOCKS)
        elif kind == "write":
            turn = self.writes.turn()
            if turn:
                turn(lambda: None)
        elif kind in ("stored", "refused") and self.writing:
            then = self.writing.pop(choice % len(self.writing))
            then(*((WriteResult(b"", True, 0, 0, False), None) if kind == "stored" else (None, UnavailableError("no"))))

    def _save(self, chain: BlockChain, index: int) -> None:
        slot = self.slots.take()
        if slot is not None:
            block = OneBlock(chain.partition, index, chain.parent(index), chain.tokens(index), b"", chain)
            assert block.name == chain.hash(index)
            self.writes.add(block, slot, BYTES)

    # --- what holds after each ---

    def check(self) -> None:
        counts = self.slots.counts()
        assert sum(counts.values()) == self.size
        on_their_way = [fetch.slot for fetch in self.prefetches._fetches.values()]
        assert counts["taken"] == len(on_their_way) == len(set(on_their_way))
        assert not set(on_their_way) & set(self.slots._by_name.values())
        for prefetch, chains in self.engines:
            for lane, chain in zip(prefetch.lanes, chains, strict=True):
                ready = lane.slots[: prefetch.ready]
                before = self.told.get(id(lane), [])
                assert ready[: len(before)] == before, "what an engine was told stays until it releases it"
                self.told[id(lane)] = ready
                for at, slot in enumerate(ready):
                    if slot is None:
                        assert lane.window and at < prefetch.ready - lane.window, "a window is whole"
                        continue
                    assert self.slots.find(chain.hash(prefetch.skip + at)) == slot
                    assert self.slots._pins[slot], "it is not used for another block meanwhile"

    def settle(self) -> None:
        while self.lookups or self.reads or self.writing or self.writes.waiting:
            for kind in ("look", "end", "write", "stored"):
                self.step(kind, 0)
        while self.engines:
            self.step("release", 0)
        counts = self.slots.counts()
        assert counts["taken"] == counts["pinned"] == 0
        assert self.writes.idle


@settings(max_examples=500)
@given(st.integers(2, 7), STEPS)
def test_books_hold_in_whatever_order_answers_come(size: int, steps: list[tuple[str, int]]) -> None:
    books = Books(size)
    for kind, choice in steps:
        books.step(kind, choice)
        books.check()
    books.settle()
