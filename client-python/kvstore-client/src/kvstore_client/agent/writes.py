"""Blocks that engines made, on their way to the service."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass

from kvstore_client.agent.chains import OneBlock
from kvstore_client.agent.memory import SlotPool
from kvstore_client.agent.slots import Slots
from kvstore_client.agent.stats import Stats
from kvstore_client.agent.store import Store
from kvstore_client.client import WriteResult
from kvstore_client.errors import KvError
from kvstore_client.names import BlockChain

_log = logging.getLogger("kvstore.agent")

#: Blocks that are remembered as not stored, so that those behind them in their prompts are not stored either.
_MOST_BROKEN = 65_536

#: Partitions that are warned of, once each: where one block differs, most do.
_MOST_WARNINGS = 100


@dataclass(frozen=True)
class Write:
    """A block in a pinned slot."""

    block: OneBlock
    slot: int
    nbytes: int


class Writes:
    """A queue with a bound in bytes. For the loop's thread.

    Blocks are begun in the order in which they came, several at a time. Behind a block that was not stored, no other of
    its prompt is: the service could not find it.
    """

    def __init__(
        self,
        slots: Slots,
        pool: SlotPool,
        store: Store,
        stats: Stats,
        most_bytes: int,
        told: Callable[[bytes, bool], None],
        freed: Callable[[], None],
    ) -> None:
        """``told`` hears of each block whether it is stored now; ``freed`` that slots or work may be there now."""
        self._slots = slots
        self._pool = pool
        self._store = store
        self._stats = stats
        self._most = most_bytes
        self._told = told
        self._freed = freed
        self._queue: deque[Write] = deque()
        self._names: set[bytes] = set()
        self._bytes = 0
        self._broken: OrderedDict[bytes, None] = OrderedDict()
        self._differing: set[str] = set()
        self.running = 0

    @property
    def idle(self) -> bool:
        """Whether nothing waits or runs."""
        return not self._names

    def add(self, block: OneBlock, slot: int, nbytes: int) -> None:
        """Takes over a taken slot that holds a block."""
        name = block.name
        there = self._slots.find(name)
        if there is not None:
            self._slots.give_back(slot)
            self._stats.add("repeated_saves")
            if name in self._names:
                return
            if not self._slots.is_unwritten(there):
                self._told(name, True)
                return
            slot, nbytes = there, self._slots.length(there)
        else:
            self._slots.fill(slot, name, nbytes)
        if block.parent(block.index) in self._broken:
            self._drop(name, "parent")
        elif self._bytes + nbytes > self._most:
            self._drop(name, "queue_full")
        else:
            self._broken.pop(name, None)
            self._slots.pin(slot)
            self._queue.append(Write(block, slot, nbytes))
            self._names.add(name)
            self._bytes += nbytes
            self._stats.set("write_queue_bytes", self._bytes)

    def seen(self, chain: BlockChain, blocks: int) -> None:
        """So many blocks of a chain are stored, whoever wrote them."""
        for i in range(blocks if self._broken else 0):
            self._broken.pop(chain.hash(i), None)

    def turn(self) -> Callable[[Callable[[], None]], None] | None:
        """The next call to make; ``None`` if there is none. The call hears when its thread is free again."""
        while self._queue and not self._store.breaker.open:
            write = self._queue.popleft()
            if write.block.parent(write.block.index) in self._broken:
                self._drop(write.block.name, "parent")
                self._end(write)
            else:
                return lambda free, one=write: self._run(one, free)  # type: ignore[misc]
        return None

    @property
    def waiting(self) -> bool:
        """Whether a turn is wanted."""
        return bool(self._queue) and not self._store.breaker.open

    def _run(self, write: Write, free: Callable[[], None]) -> None:
        self.running += 1
        data = self._pool.view(write.slot)[: write.nbytes]

        def then(result: WriteResult | None, failure: KvError | None) -> None:
            self.running -= 1
            if result:
                self._stored(write, result)
            elif failure:
                _log.info("a block was not stored: %s", failure)
                self._drop(write.block.name, failure.code.name.lower())
            self._end(write)
            free()

        self._store.write(write.block, write.block.index, data, then)

    def _stored(self, write: Write, result: WriteResult) -> None:
        self._slots.known(write.slot, time.monotonic())
        if result.stored:
            self._stats.add("stored_bytes", write.nbytes)
            self._stats.add("stored_blocks")
        else:
            self._stats.add(f"already_present.{'differs' if result.differs else 'same'}")
        if result.differs:
            self._warn(write.block)
        self._told(write.block.name, True)

    def _warn(self, block: OneBlock) -> None:
        name = block.partition.name
        if name not in self._differing and len(self._differing) < _MOST_WARNINGS:
            self._differing.add(name)
            _log.warning(
                "block %s of %s is stored with other bytes than an engine here computed; others like it are counted in "
                "already_present.differs",
                block.name.hex(),
                name,
            )

    def _drop(self, name: bytes, reason: str) -> None:
        self._stats.add(f"dropped_saves.{reason}")
        self._broken[name] = None
        if len(self._broken) > _MOST_BROKEN:
            self._broken.popitem(last=False)
        self._told(name, False)

    def _end(self, write: Write) -> None:
        self._names.discard(write.block.name)
        self._bytes -= write.nbytes
        self._slots.unpin(write.slot)
        self._stats.set("write_queue_bytes", self._bytes)
        self._freed()
