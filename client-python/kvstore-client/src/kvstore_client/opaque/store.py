"""Objects under opaque keys: looked up, read and written on threads, without an error ever reaching the engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from kvstore_client.client import MAX_PARTITIONS, KvClient
from kvstore_client.errors import KvError
from kvstore_client.names import BlockChain
from kvstore_client.opaque.entries import Call, Entry, Part, groups
from kvstore_client.opaque.keys import ObjectKind, Piece
from kvstore_client.opaque.settings import StoreSettings
from kvstore_client.opaque.watch import Watch

#: Calls of :meth:`OpaqueStore.lookup` and :meth:`OpaqueStore.read` that may be under way; more are misses.
MOST_CALLS = 64

#: Seconds that an object may wait to be written, and that its write may take. The engine keeps its memory meanwhile.
WAIT, WRITE_TIMEOUT = 60.0, 30.0


class OpaqueStore:
    """A store of objects for an engine that names them by keys of its own. Thread-safe.

    No method raises because the service is away, slow, refuses or has damaged blocks: a lookup finds less, a read or
    a write says ``False`` for an object. When a future is done, no thread of this store touches the caller's memory any
    more. After errors the service is left alone for a while, see :class:`Watch`. :meth:`stats` has counters.
    """

    def __init__(self, settings: StoreSettings, clock: Callable[[], float] = time.monotonic) -> None:
        """Connects when it is first used. Raises ``ValueError`` or ``OSError`` for settings that are wrong."""
        self._settings = settings
        self._clock = clock
        self._watch = Watch(clock)
        self._client: KvClient = settings.client()
        self._lookups = ThreadPoolExecutor(settings.connections, thread_name_prefix="kvstore-lookup")
        self._reads = ThreadPoolExecutor(settings.connections, thread_name_prefix="kvstore-read")
        self._writes = ThreadPoolExecutor(settings.connections, thread_name_prefix="kvstore-write")
        self._calls = threading.BoundedSemaphore(MOST_CALLS)
        self._queued = 0
        self._lock = threading.Lock()
        self._closed = False

    # --- operations ---

    def lookup(self, prompts: Sequence[tuple[ObjectKind, Sequence[bytes]]]) -> Future[list[int]]:
        """How many of a prompt's first objects are stored, for each prompt in ``prompts``, all in one call."""
        nothing = [0] * len(prompts)
        answer: Future[list[int]] = Future()
        deadline = self._clock() + self._settings.deadline
        if not prompts or not self._may_read():
            answer.set_result(nothing)
            return answer

        def work() -> None:
            found = nothing
            try:
                found = self._look_up(prompts, deadline)
            finally:
                self._calls.release()
                answer.set_result(found)

        if not self._start(self._lookups, work):
            self._calls.release()
            answer.set_result(nothing)
        return answer

    def read(self, entries: Sequence[Entry]) -> Future[list[bool]]:
        """Reads objects into their memory; whether each one is there, whole and verified."""
        if not self._may_read(len(entries)):
            return Call(len(entries), 0).future
        found = groups(entries, lambda cause: self._watch.flaw("read", cause))
        call = Call(len(entries), len(found))
        call.future.add_done_callback(lambda _: self._calls.release())
        lacking = [len(entry.kind.pieces) for entry in entries]
        deadline = self._clock() + self._settings.deadline
        for name, parts in found:

            def work(name: str = name, parts: list[Part] = parts) -> None:
                try:
                    for index in self._read_group(name, parts, deadline):
                        with self._lock:
                            lacking[index] -= 1
                            call.results[index] = lacking[index] == 0
                finally:
                    call.ended()

            if not self._start(self._reads, work):
                call.ended()
        return call.future

    def write(self, entries: Sequence[Entry]) -> Future[list[bool]]:
        """Writes objects in order; whether each one is durable. Behind one that fails, no more are begun.

        The memory must not change until the future is done. Objects beyond ``write_queue`` bytes are dropped.
        """
        call = Call(len(entries), len(entries))
        begun = self._clock()
        for index, entry in enumerate(entries):
            if not self._reserve(entry.size):
                call.failed = True
                call.ended()
                continue

            def work(index: int = index, entry: Entry = entry) -> None:
                try:
                    if not call.failed:
                        call.results[index] = self._write(entry, begun)
                        call.failed = not call.results[index]
                finally:
                    self._give_back(entry.size)
                    call.ended()

            if not self._start(self._writes, work):
                self._give_back(entry.size)
                call.ended()
        return call.future

    def stats(self) -> dict[str, float]:
        """Counters since the start, and ``write_queue_bytes`` and ``breaker_open`` of this moment."""
        with self._lock:
            return {**self._watch.counters(), "write_queue_bytes": self._queued}

    def close(self) -> None:
        """Ends operations that run, and drops operations that wait. Afterwards nothing touches the caller's memory."""
        with self._lock:
            self._closed = True
        self._client.close()
        for threads in (self._lookups, self._reads, self._writes):
            threads.shutdown(wait=True)

    # --- how ---

    def _look_up(self, prompts: Sequence[tuple[ObjectKind, Sequence[bytes]]], deadline: float) -> list[int]:
        found = [len(keys) for _, keys in prompts]
        try:
            questions = [
                (index, kind.prompt(piece, keys), piece.size)
                for index, (kind, keys) in enumerate(prompts)
                for piece in kind.pieces
            ]
        except ValueError as e:
            self._watch.flaw("lookup", e)
            return [0] * len(prompts)
        by_tokens: dict[int, list[tuple[int, BlockChain, int]]] = {}
        for question in questions:
            by_tokens.setdefault(question[1].partition.block_tokens, []).append(question)
        for alike in by_tokens.values():
            for at in range(0, len(alike), MAX_PARTITIONS):
                some = alike[at : at + MAX_PARTITIONS]
                lengths = self._ask([chain for _, chain, _ in some], [size for _, _, size in some], deadline)
                for (index, _, _), length in zip(some, lengths, strict=True):
                    found[index] = min(found[index], length)
        return found

    def _ask(self, chains: list[BlockChain], sizes: list[int], deadline: float) -> tuple[int, ...]:
        def call(left: float) -> tuple[int, ...]:
            return self._client.lookup_all(chains, expected_bytes=sizes, timeout=left).each

        return self._try("lookup", call, deadline) or (0,) * len(chains)

    def _read_group(self, name: str, parts: list[Part], deadline: float) -> list[int]:
        """The indices of entries of which a part arrived."""

        def call(left: float) -> list[int]:
            size = parts[0].memory.nbytes
            results = self._client.read_into(
                [part.location for part in parts],
                [part.memory for part in parts],
                timeout=left,
                affinity=name,
                expected_bytes=size,
            )
            for failure in {id(result.error): result.error for result in results}.values():
                self._watch.block_failed(failure)
            good = [parts[result.index].index for result in results if result.ok]
            self._watch.add("fetched_bytes", len(good) * size)
            self._watch.add("fetched_blocks", len(good))
            self._watch.add("missed_blocks", len(parts) - len(good))
            return good

        return self._try("read", call, deadline) or []

    def _write(self, entry: Entry, begun: float) -> bool:
        if self._clock() - begun > WAIT:
            self._watch.add("dropped_writes.late")
            return False

        def call(piece: Piece, data: memoryview, left: float) -> bool:
            result = self._client.write(
                entry.kind.block(piece, entry.key),
                0,
                data,
                timeout=left,
                affinity=entry.kind.group(entry.key),
            )
            if result.stored:
                self._watch.add("stored_bytes", data.nbytes)
                self._watch.add("stored_blocks")
            else:
                self._watch.add(f"already_present.{'differs' if result.differs else 'same'}")
            return True

        deadline = self._clock() + WRITE_TIMEOUT
        try:
            pieces = list(zip(entry.kind.pieces, entry.views(), strict=True))
        except (TypeError, ValueError) as e:
            self._watch.flaw("write", e)
            return False
        return all(self._try("write", partial(call, piece, data), deadline) for piece, data in pieces)

    def _try(self, kind: str, call: Callable[[float], Any], deadline: float) -> Any:
        """The result, or ``None`` after an error, which is counted."""
        left = deadline - self._clock()
        if self._closed:
            return None
        if left <= 0:
            self._watch.add(f"late.{kind}")
            return None
        if not self._watch.allows():
            self._watch.add(f"left_alone.{kind}")
            return None
        begun = self._clock()
        try:
            result = call(left)
        except KvError as e:
            self._watch.ended(e, kind)
            return None
        except Exception as e:  # a flaw here must not end the engine's thread
            self._watch.flaw(kind, e)
            return None
        self._watch.ended(None, kind)
        self._watch.add(f"{kind}_count")
        self._watch.add(f"{kind}_seconds", self._clock() - begun)
        return result

    def _may_read(self, size: int = 1) -> bool:
        if not size or not self._settings.read or self._closed:
            return False
        if not self._calls.acquire(blocking=False):
            self._watch.add("refused_calls")
            return False
        return True

    def _reserve(self, size: int) -> bool:
        with self._lock:
            room = self._settings.write and not self._closed and self._queued + size <= self._settings.write_queue
            if room:
                self._queued += size
        if not room and self._settings.write:
            self._watch.add("dropped_writes.queue_full")
        return room

    def _give_back(self, size: int) -> None:
        with self._lock:
            self._queued -= size

    def _start(self, threads: ThreadPoolExecutor, work: Callable[[], None]) -> bool:
        """Hands work to a thread; false if the store was closed meanwhile."""
        try:
            threads.submit(work)
        except RuntimeError:
            return False
        return True
