"""One engine process, as the agent sees it."""

from __future__ import annotations

import asyncio
import logging
import os
import struct
import time
from collections.abc import Callable
from typing import Protocol, cast

from kvstore_client.agent import chains
from kvstore_client.agent.messages import Frames, MalformedError, Message, encode
from kvstore_client.agent.prefetches import Prefetch, Prefetches
from kvstore_client.agent.progress import NO_SLOT
from kvstore_client.agent.slots import Slots
from kvstore_client.agent.stats import Stats
from kvstore_client.agent.writes import Writes
from kvstore_client.client import MAX_BLOCKS, MAX_PARTITIONS

_log = logging.getLogger("kvstore.agent")

#: Prefetches that an engine may have at a time.
MAX_REQUESTS = 4096

#: Slots that an engine may be granted for blocks that it makes.
MAX_GRANTED = 256

#: Slots that an engine is granted before it asks for more.
_FIRST_GRANT = 16

#: Bytes that wait for an engine that does not read, before it is given up.
_MAX_UNREAD = 16 << 20

_PONG = encode("pong")
_MAX_NUMBER = (1 << 53) - 1
_MAX_SECONDS = 3600.0


def first_grant(slots: int) -> int:
    """How many of an agent's slots an engine is granted if it does not ask for more."""
    return min(_FIRST_GRANT, max(1, slots // 16))


class Books(Protocol):
    """What sessions share."""

    slots: Slots
    prefetches: Prefetches
    writes: Writes
    stats: Stats
    slot_bytes: int

    def soon(self) -> None:
        """Has grants topped up, work begun and reports sent, a little later."""
        ...


class Session(asyncio.Protocol):
    """A connection, and the slots that its process may touch: pinned by its prefetches, or granted to be filled.

    They stay so when the connection breaks, until the process has ended, or has said that it leaves them.
    """

    def __init__(self, books: Books, pid: int, pidfd: int, left: Callable[[Session], None]) -> None:
        """Takes ``pidfd`` over. ``left`` hears when the process has no slot any more."""
        self.pid = pid
        self.granted: set[int] = set()
        self.wanted = 0
        self._share = 0
        self._books = books
        self._left = left
        self._pidfd = pidfd
        self._frames = Frames()
        self._prefetches: dict[int, Prefetch] = {}
        self._reported: dict[int, int] = {}
        self._changed: dict[int, Prefetch] = {}
        self._transport: asyncio.Transport | None = None
        self._over = False
        asyncio.get_running_loop().add_reader(pidfd, self.end)

    # --- the connection ---

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Messages may follow."""
        self._transport = cast(asyncio.Transport, transport)
        self._books.soon()

    def data_received(self, data: bytes) -> None:
        """More of the engine's messages."""
        try:
            for message in self._frames.feed(data):
                self._take(message)
                if self._over:
                    return
        except MalformedError as e:
            _log.warning("the connection of process %d ends: %s", self.pid, e)
            self.send(encode("error", text=str(e)))
            if self._transport:
                self._transport.close()
        self._books.soon()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more is read for this engine; its slots stay until its process ends."""
        self._transport = None
        if not self._over:
            _log.info("process %d has no connection any more; its slots wait for its end", self.pid)
            for prefetch in self._prefetches.values():
                prefetch.report = lambda _: None
                self._books.prefetches.give_up(prefetch)
            self._changed.clear()
            self._books.soon()

    def end(self) -> None:
        """The process has ended, or leaves its slots: they may be used again."""
        if self._over:
            return
        self._over = True
        asyncio.get_running_loop().remove_reader(self._pidfd)
        os.close(self._pidfd)
        for prefetch in self._prefetches.values():
            self._books.prefetches.release(prefetch)
        self._prefetches.clear()
        for slot in self.granted:
            self._books.slots.give_back(slot)
        self.granted.clear()
        if self._transport:
            self._transport.abort()
        self._left(self)
        self._books.soon()

    @property
    def connected(self) -> bool:
        """Whether messages reach the engine."""
        return self._transport is not None and not self._over

    def send(self, message: bytes) -> None:
        """Sends, or ends the connection if the engine has not read for long."""
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.write(message)
        if self._transport.get_write_buffer_size() > _MAX_UNREAD:
            _log.warning("process %d does not read its messages; its connection ends", self.pid)
            self._transport.abort()

    def limit(self, share: int) -> None:
        """Tells an engine that holds more slots than its share: it gives the idle ones beyond the share back."""
        if share < self._share and len(self.granted) > share:
            self.send(encode("share", slots=share))
        self._share = share

    def grant(self, slots: list[int]) -> None:
        """Slots, taken, that the engine may fill."""
        self.granted.update(slots)
        self.send(encode("grant", slots=slots))

    def flush(self) -> None:
        """Tells of prefetches that changed."""
        changed, self._changed = self._changed, {}
        for number, prefetch in changed.items():
            self._report(number, prefetch)

    def _report(self, number: int, prefetch: Prefetch) -> None:
        before = self._reported[number]
        self._reported[number] = prefetch.ready
        slots = [lane.slots[at] for at in range(before, prefetch.ready) for lane in prefetch.lanes]
        new = [NO_SLOT if slot is None else slot for slot in slots]
        body = struct.pack(f"<{len(new)}I", *new)
        seconds = round(min(_MAX_SECONDS, time.monotonic() - prefetch.began), 6)
        self.send(encode("progress", body, id=number, found=prefetch.found, done=prefetch.done, seconds=seconds))

    # --- its messages ---

    def _take(self, message: Message) -> None:
        kinds: dict[str, Callable[[Message], None]] = {
            "prefetch": self._prefetch,
            "release": self._release,
            "store": self._store,
            "cancel": self._cancel,
            "want": self._want,
            "ping": lambda _: self.send(_PONG),
            "bye": lambda _: self.end(),
        }
        if message.kind not in kinds:
            raise MalformedError(f"{message.kind[:40]!r} is no message of an engine")
        kinds[message.kind](message)

    def _prefetch(self, message: Message) -> None:
        number = message.integer("id", 0, _MAX_NUMBER)
        seconds = message.number("deadline", _MAX_SECONDS)
        skip = message.integer("skip", 0, MAX_BLOCKS)
        wanted, expected, windows = chains.chains_of(message, MAX_PARTITIONS, MAX_BLOCKS, self._books.slot_bytes)
        if number in self._prefetches or len(self._prefetches) >= MAX_REQUESTS:
            raise MalformedError(f"prefetch: id must be new, and there may be at most {MAX_REQUESTS}")
        self._reported[number] = 0

        def report(prefetch: Prefetch) -> None:
            self._changed[number] = prefetch
            self._books.soon()

        self._prefetches[number] = self._books.prefetches.begin(wanted, expected, windows, skip, seconds, report)

    def _release(self, message: Message) -> None:
        number = message.integer("id", 0, _MAX_NUMBER)
        prefetch = self._prefetches.pop(number, None)
        if prefetch:
            self._books.prefetches.release(prefetch)
            del self._reported[number]
            self._changed.pop(number, None)

    def _store(self, message: Message) -> None:
        nbytes = message.integer("nbytes", 1, self._books.slot_bytes)
        slot = message.integer("slot", 0, _MAX_NUMBER)
        block = chains.block_of(message)
        self._ungrant(slot)
        self._books.writes.add(block, slot, nbytes)

    def _cancel(self, message: Message) -> None:
        for slot in message.integers("slots", _MAX_NUMBER, MAX_GRANTED):
            self._ungrant(slot)
            self._books.slots.give_back(slot)

    def _want(self, message: Message) -> None:
        self.wanted = message.integer("slots", 0, MAX_GRANTED)

    def _ungrant(self, slot: int) -> None:
        if slot not in self.granted:
            raise MalformedError(f"slot {slot} was not granted to this engine")
        self.granted.remove(slot)
