"""The engine's side of the agent."""

from __future__ import annotations

import logging
import math
import os
import struct
import threading
import time
from collections.abc import Callable, Sequence

from kvstore_client import checksums
from kvstore_client.agent import chains as messages
from kvstore_client.agent.heartbeat import Heartbeat
from kvstore_client.agent.link import Link
from kvstore_client.agent.memory import SlotPool
from kvstore_client.agent.messages import MalformedError, Message, encode
from kvstore_client.agent.progress import Progress, Request, ReservedSlot
from kvstore_client.agent.recent import KEPT, Recent
from kvstore_client.agent.session import MAX_GRANTED, MAX_REQUESTS, first_grant
from kvstore_client.agent.settings import AgentSettings
from kvstore_client.client import MAX_BLOCKS, MAX_PARTITIONS
from kvstore_client.names import BlockChain

_log = logging.getLogger("kvstore.agent")

_MAX_SECONDS = 3600.0
_FIRST_WANT = 32

#: Seconds without a save after which half of the slots is given back that were granted since saves found none.
_IDLE = 30.0


class Agent:
    """Access to the agent from one process of an engine. Thread-safe.

    No method but :meth:`wait` waits for I/O or gives the interpreter's lock up, and none raises because the agent or
    the store is away: then nothing is found, and blocks to store are dropped and counted. The agent is started in the
    background if none answers, and again, after a pause, when it ends. An agent that stands still is left alone until
    it answers a ping. After ``fork``, a child makes an ``Agent`` of its own; the parent's acts in it as if the agent
    were away.
    """

    def __init__(
        self,
        settings: AgentSettings,
        *,
        burst: int = 0,
        met: Callable[[SlotPool], None] = lambda _: None,
        lost: Callable[[], None] = lambda: None,
    ) -> None:
        """Connects in the background. Raises ``OSError`` on a system other than Linux.

        ``burst`` is how many slots this process may :meth:`reserve` at once, as in one step of an engine. The agent
        grants so many beforehand, up to 256 and this engine's share of a quarter of all; by default a few, and more
        when they did not do.

        ``met`` hears of the slots of each agent before they are used, and ``lost`` of its end, on a thread of this
        object. Slots stay mapped as long as something refers to their pool; when an agent ends, this object does not.
        """
        if not hasattr(os, "memfd_create") or not hasattr(os, "pidfd_open"):
            raise OSError("the agent needs Linux 5.3 or newer, and a Python that was built for it")
        checksums.warn_if_slow()  # the agent is slow where this process would be
        self._settings = settings
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._met_first = threading.Event()
        self._pool: SlotPool | None = None
        self._connected = False
        self._heartbeat = Heartbeat()
        self._silent = False
        self._number = 0
        self._requests: dict[str, Request] = {}
        self._by_number: dict[int, Request] = {}
        self._granted: list[int] = []
        self._reserved: set[ReservedSlot] = set()
        self._burst = min(burst, MAX_GRANTED)
        self._want = 0
        self._share = MAX_GRANTED
        self._used = 0.0  # when a slot was asked for, or given back because none was
        self._recent = Recent()
        self._unsure: set[bytes] = set()
        self._stats: dict[str, float] = {}
        self._own: dict[str, float] = {}
        self._on_met, self._on_lost = met, lost
        self._link = Link(settings, self._met, self._look, self._lost)
        self._link.start()

    def wait(self, seconds: float) -> bool:
        """Waits until this process was connected to an agent for the first time; whether it was."""
        return os.getpid() == self._pid and self._met_first.wait(seconds)

    # --- scheduler half ---

    def prefetch(
        self,
        request: str,
        chains: Sequence[BlockChain],
        *,
        expected_bytes: Sequence[int],
        deadline: float | None = None,
        skip: int = 0,
        windows: Sequence[int] = (),
    ) -> None:
        """Looks a prompt up and reads its stored blocks into slots, which are pinned until :meth:`release`.

        ``chains`` has the prompt's chain in each partition, as one for each tensor-parallel rank, and
        ``expected_bytes`` the length of each chain's blocks. Blocks from ``skip`` on are read, all chains of a block
        before the next one. ``deadline`` is in seconds from now; by default that of the settings. A request that is
        known already is released first. Raises ``ValueError`` for arguments that break their rules.

        ``windows`` has for each chain how many blocks before the prefix's end are wanted, or 0 for all from ``skip``
        on. Only chains without a window are looked up, unless there is none: a prefix in whose window a block is
        missing is made shorter, until it has a whole one.
        """
        seconds = self._settings.deadline if deadline is None else deadline
        windows = windows or [0] * len(chains)
        self._check(chains, expected_bytes, windows, seconds, skip)
        if os.getpid() != self._pid:
            return
        self.release(request)
        with self._lock:
            now = time.monotonic()
            if not self._answers(now) or len(self._requests) >= MAX_REQUESTS:
                self._count("prefetches_refused")
                return
            self._number += 1
            made = Request(self._number, chains, windows, now, seconds)
            self._requests[request] = self._by_number[made.number] = made
            self._link.send(messages.prefetch(made.number, chains, expected_bytes, windows, seconds, skip))
            self._ping(now)

    def progress(self, request: str) -> Progress:
        """How far a prefetch is; of an unknown request, or if the agent is away: done, with nothing found.

        A prefetch is done at its deadline at the latest, and when the agent stands still.
        """
        if os.getpid() != self._pid:
            return Progress(True, 0, 0, (), 0)
        with self._lock:
            pool = self._pool
            generation = pool.generation if pool else 0
            made = self._requests.get(request)
            if made is None:
                return Progress(True, 0, 0, (), generation, pool)
            if made.told is None or not made.told.done:
                self._take()
            if made.told is None or not made.told.done:
                # What was called done does not change any more.
                now = time.monotonic()
                answers, late = self._answers(now), now >= made.deadline
                broken = not made.done and (not answers or (late and self._heartbeat.unanswered(made.began)))
                done = made.done or late or broken
                if made.told is None or done:
                    slots = tuple(made.slots)
                    seconds = made.deadline - made.began if late and not made.done else made.seconds
                    made.told = Progress(done, made.found, len(slots), slots, generation, pool, broken, seconds)
                if not done and self._heartbeat.due(now):
                    self._ping(now)
            return made.told

    def release(self, request: str) -> None:
        """Gives up a prefetch, or the slots that it filled. For any request, as often as you like."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            made = self._requests.pop(request, None)
            if made:
                del self._by_number[made.number]
                self._link.send(encode("release", id=made.number))

    # --- worker half ---

    @property
    def pool(self) -> SlotPool | None:
        """The slots of the agent that runs now; another object after the agent was started again.

        ``None`` while there is no connection to an agent.
        """
        return self._pool if os.getpid() == self._pid else None

    def reserve(self) -> ReservedSlot | None:
        """A free slot to fill with a block that is to be stored; ``None`` if there is none now."""
        if os.getpid() != self._pid:
            return None
        with self._lock:
            self._used = time.monotonic()
            if not self._granted:
                self._take()
            answers = self._answers(self._used)
            if answers and self._granted and self._pool:
                slot = ReservedSlot(self._granted.pop(), self._pool)
                self._reserved.add(slot)
                return slot
            self._count(f"dropped_saves.{'no_slot' if answers else 'silent' if self._connected else 'away'}")
            if answers and self._want < MAX_GRANTED:
                self._want = min(MAX_GRANTED, max(_FIRST_WANT, 2 * self._want))
                self._link.send(encode("want", slots=self._want))
            return None

    def store(
        self, slot: ReservedSlot, nbytes: int, chain: BlockChain, index: int, *, prompt: BlockChain | None = None
    ) -> None:
        """Hands a filled slot of :meth:`reserve` over: the agent writes it as block ``index`` of the chain.

        The block stays in the agent's memory for later prefetches. ``nbytes`` is its length, 1 to ``slot_bytes``. Hand
        a prompt's blocks over in order. ``prompt`` is the first of the chains that :meth:`prefetch` gets, or its first
        blocks, so that the blocks of all ranks go to the data plane that is asked; by default ``chain``. The slot of an
        agent that has ended is dropped and counted, and so is a slot that was handed over or given back before. Raises
        ``ValueError`` for arguments that break their rules.
        """
        if not 1 <= nbytes <= self._settings.slot_bytes:
            raise ValueError(f"nbytes: must be 1 to {self._settings.slot_bytes}, not {nbytes}")
        if not 0 <= index < len(chain):
            raise ValueError(f"index: block {index} of {len(chain)}")
        if os.getpid() != self._pid:
            return
        with self._lock:
            if slot not in self._reserved:
                self._count("dropped_saves.away")
                return
            self._reserved.remove(slot)
            name = chain.hash(index)[:KEPT]
            self._recent.add_one(name)
            self._unsure.add(name)
            self._link.send(messages.store(slot.number, nbytes, chain, index, prompt or chain))

    def unwritten(self) -> int:
        """How many blocks that were handed to :meth:`store` the agent has not told to be stored, or dropped, yet."""
        if os.getpid() != self._pid:
            return 0
        with self._lock:
            self._take()
            return len(self._unsure)

    def cancel(self, slot: ReservedSlot) -> None:
        """Gives a slot of :meth:`reserve` back unfilled."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            if slot in self._reserved:
                self._reserved.remove(slot)
                self._granted.append(slot.number)
                self._keep(self._share)

    def known(self, chain: BlockChain) -> int:
        """How many blocks of a chain, from its start, were lately seen stored or handed to :meth:`store`.

        From a bounded memory of this process: fewer than are stored. Do not store these again.
        """
        if os.getpid() != self._pid:
            return 0
        with self._lock:
            self._take()
            return self._recent.prefix(chain.hashes)

    def stats(self) -> dict[str, float]:
        """Counters of the agent, at most a second old or from its last run, and of this process; a copy."""
        if os.getpid() != self._pid:
            return {}
        with self._lock:
            self._take()
            together = dict(self._stats)
            for name, value in self._own.items():
                together[name] = together.get(name, 0) + value
            together["connected"] = float(self._connected)
            together["silent"] = float(self._silent)
            return together

    def close(self) -> None:
        """Leaves the agent, which ends after ``linger`` if this was the last engine. Slots are not to be touched."""
        if os.getpid() == self._pid:
            self._link.close(encode("bye"))

    def __enter__(self) -> Agent:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes it."""
        self.close()

    # --- on the link's thread ---

    def _met(self, pool: SlotPool) -> None:
        self._on_met(pool)
        with self._lock:
            self._pool = pool
            self._connected = True
            self._want = self._burst
            self._share = MAX_GRANTED
            if self._want:
                self._link.send(encode("want", slots=self._want))
        self._met_first.set()

    def _lost(self) -> None:
        with self._lock:
            self._connected = self._silent = False
            self._pool = None
            self._heartbeat = Heartbeat()
            self._requests.clear()
            self._by_number.clear()
            self._granted.clear()
            self._reserved.clear()
            self._want = 0
            for name in self._unsure:  # whether these were written is not known
                self._recent.discard(name)
            self._unsure.clear()
            self._count("agent_lost")
        self._on_lost()

    def _look(self) -> None:
        with self._lock:
            self._take()
            self._shrink()
            now = time.monotonic()
            if self._answers(now) and self._heartbeat.due(now):
                self._ping(now)

    def _shrink(self) -> None:
        now = time.monotonic()
        least = max(self._burst, first_grant(self._slots()))
        if not self._connected or self._want <= least or now - self._used < _IDLE:
            return
        self._used = now
        self._want = max(least, self._want // 2)
        self._link.send(encode("want", slots=self._want))
        self._keep(self._want)

    def _keep(self, slots: int) -> None:
        """Gives idle slots back until this process holds at most ``slots``. Slots that are being filled count, too."""
        kept = max(0, slots - len(self._reserved))
        idle, self._granted = self._granted[kept:], self._granted[:kept]
        if idle:
            self._link.send(encode("cancel", slots=idle))

    # --- both ---

    def _ping(self, now: float) -> None:
        self._heartbeat.asked(now)
        self._link.send(encode("ping"))

    def _answers(self, now: float) -> bool:
        """Whether there is an agent whose event loop answers. Its callers have the lock."""
        if self._heartbeat.overdue(now):
            self._take()  # its answer may be here already
        silent = self._connected and self._heartbeat.silent(now, self._link.starved)
        if silent and not self._silent:
            self._count("agent_silent")
            _log.warning("the agent stands still; the engine goes on without it until it answers")
        elif self._silent and not silent and self._connected:
            _log.warning("the agent answers again")
        self._silent = silent
        return self._connected and not silent

    def _take(self) -> None:
        """Handles the messages that came. Its callers have the lock.

        Messages of a new agent wait until its pool is this object's: they name slots by numbers.
        """
        if not self._connected:
            return
        for message in self._link.messages():
            self._heartbeat.heard()
            try:
                self._heard(message)
            except MalformedError as e:
                self._link.give_up(e)
                return

    def _heard(self, message: Message) -> None:
        if message.kind == "progress":
            self._progressed(message)
        elif message.kind == "grant":
            self._granted += message.integers("slots", self._slots() - 1, MAX_GRANTED)
        elif message.kind == "share":
            self._share = message.integer("slots", 0, MAX_GRANTED)
            self._keep(self._share)
        elif message.kind == "known":
            self._unsure.discard(message.body)
            self._recent.add_one(message.body)
        elif message.kind == "forget":
            self._unsure.discard(message.body)
            self._recent.discard(message.body)
        elif message.kind == "stats":
            self._stats = {name: float(value) for name, value in message.mapping("values").items()}

    def _progressed(self, message: Message) -> None:
        made = self._by_number.get(message.integer("id", 0, self._number))
        if made is None:
            return  # was released meanwhile
        found = message.integer("found", 0, MAX_BLOCKS)
        if found > made.found:
            for names in made.names:
                self._recent.add(names[: 32 * found])
        made.found = found
        made.done = message.true("done")
        made.seconds = message.number("seconds", 2 * _MAX_SECONDS)
        width = made.width
        if len(message.body) % (4 * width):
            raise MalformedError(f"progress: {len(message.body)} bytes for {width} chains")
        new = struct.unpack(f"<{len(message.body) // 4}I", message.body)
        made.slots += [new[at : at + width] for at in range(0, len(new), width)]
        if made.told is None or not made.told.done:
            made.told = None

    def _slots(self) -> int:
        return self._pool.slots if self._pool else 0

    def _count(self, name: str) -> None:
        self._own[name] = self._own.get(name, 0) + 1

    def _check(
        self,
        chains: Sequence[BlockChain],
        expected: Sequence[int],
        windows: Sequence[int],
        seconds: float,
        skip: int,
    ) -> None:
        most = self._settings.slot_bytes
        _require(1 <= len(chains) <= MAX_PARTITIONS, "chains", f"must be 1 to {MAX_PARTITIONS}")
        alike = len({chain.partition.block_tokens for chain in chains}) == 1
        _require(alike, "chains", "must be of partitions with equal tokens per block")
        _require(sum(map(len, chains)) <= MAX_BLOCKS, "chains", f"must have at most {MAX_BLOCKS} blocks in all")
        _require(len(expected) == len(chains), "expected_bytes", f"has {len(expected)} for {len(chains)} chains")
        _require(all(1 <= size <= most for size in expected), "expected_bytes", f"must be 1 to {most}")
        _require(len(windows) == len(chains), "windows", f"has {len(windows)} for {len(chains)} chains")
        _require(all(0 <= window <= MAX_BLOCKS for window in windows), "windows", f"must be 0 to {MAX_BLOCKS}")
        _require(math.isfinite(seconds) and 0 < seconds <= _MAX_SECONDS, "deadline", "must be more than 0 s, up to 1 h")
        _require(0 <= skip <= MAX_BLOCKS, "skip", f"must be 0 to {MAX_BLOCKS}")


def _require(holds: bool, option: str, rule: str) -> None:
    if not holds:
        raise ValueError(f"{option}: {rule}")
