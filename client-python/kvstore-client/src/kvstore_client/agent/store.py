"""The service, as the agent's event loop sees it: operations run on threads and answer on the loop."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from kvstore_client.agent.chains import Stretch
from kvstore_client.agent.settings import AgentSettings
from kvstore_client.agent.stats import Stats
from kvstore_client.breaker import PROBE, Breaker, is_away
from kvstore_client.client import CommonPrefix, WriteResult
from kvstore_client.configuration import client_of
from kvstore_client.errors import DataLossError, InternalError, KvError
from kvstore_client.names import BlockChain
from kvstore_client.parts import BlockResult

_log = logging.getLogger("kvstore.agent")

T = TypeVar("T")

#: Lookups at a time; more wait.
LOOKUPS = 8

#: Seconds after which blocks are told of that arrived meanwhile. To wake the loop for each block would cost about as
#: much of the interpreter's lock as to receive it.
_LOOK_EVERY = 0.005

#: Seconds that an operation may take even if the prefetch that asked for it is over: what arrives late is kept, and
#: only a service that is slower than this counts as away.
_LOOKUP_TIMEOUT, _READ_TIMEOUT, _WRITE_TIMEOUT = 2.0, 5.0, 30.0


class Store:
    """Operations of the service. For the loop's thread; ``then`` is called there, with a result or an error."""

    def __init__(self, settings: AgentSettings, loop: asyncio.AbstractEventLoop, stats: Stats) -> None:
        """Raises what :func:`client_of` does."""
        self.breaker = Breaker()
        self._loop = loop
        self._stats = stats
        self._client = client_of(
            settings, os.environ.get("KV_API_KEY", ""), plaintext_anywhere=settings.plaintext_anywhere
        )
        self._lookups = ThreadPoolExecutor(LOOKUPS, thread_name_prefix="lookup")
        self._transfers = ThreadPoolExecutor(settings.connections, thread_name_prefix="transfer")
        self._probe: asyncio.TimerHandle | None = None
        self._arrivals: deque[Callable[[], None]] = deque()
        self._reads = 0
        self._looking = False
        self._closed = False

    def lookup(
        self,
        chains: Sequence[BlockChain],
        expected: Sequence[int],
        wanted: Callable[[], bool],
        timeout: float,
        then: Callable[[CommonPrefix | None, KvError | None], None],
    ) -> None:
        """Looks a prompt up, if it is ``wanted`` by the time a thread is free. ``timeout`` counts from now."""
        until = time.monotonic() + timeout

        def call() -> CommonPrefix | None:
            if not wanted():
                return None
            left = max(until - time.monotonic(), _LOOKUP_TIMEOUT)
            return self._client.lookup_all(chains, expected_bytes=expected, timeout=left)

        self._run(self._lookups, call, "lookup", chains[0], then)

    def read(
        self,
        chain: BlockChain,
        first: int,
        targets: Sequence[memoryview],
        expected: int,
        timeout: float,
        prompt: BlockChain,
        arrived: Callable[[int], None],
        then: Callable[[list[BlockResult] | None, KvError | None], None],
    ) -> None:
        """Reads blocks ``first`` and following at the data plane of ``prompt``.

        ``arrived`` hears of each good one, counted from 0, before ``then``.
        """

        def block(result: BlockResult) -> None:
            if result.ok:
                self._arrivals.append(partial(arrived, result.index))

        def ended(results: list[BlockResult] | None, failure: KvError | None) -> None:
            self._take_arrivals()
            self._reads -= 1
            then(results, failure)

        def call() -> list[BlockResult]:
            return self._client.read_into(
                Stretch(chain, first, len(targets), prompt),
                targets,
                expected_bytes=expected,
                timeout=max(timeout, _READ_TIMEOUT),
                on_block=block,
            )

        self._reads += 1
        if not self._looking:
            self._looking = True
            self._loop.call_later(_LOOK_EVERY, self._look)
        self._run(self._transfers, call, "fetch", chain, ended)

    def _look(self) -> None:
        """Takes arrivals as long as something is read."""
        self._take_arrivals()
        self._looking = self._reads > 0 and not self._closed
        if self._looking:
            self._loop.call_later(_LOOK_EVERY, self._look)

    def _take_arrivals(self) -> None:
        while self._arrivals and not self._closed:
            self._arrivals.popleft()()

    def write(
        self,
        chain: BlockChain,
        index: int,
        data: memoryview,
        then: Callable[[WriteResult | None, KvError | None], None],
    ) -> None:
        """Writes a block."""
        self._run(
            self._transfers,
            lambda: self._client.write(chain, index, data, timeout=_WRITE_TIMEOUT),
            "write",
            chain,
            then,
        )

    def note(self, failure: KvError, chain: BlockChain, kind: str = "fetch") -> None:
        """Counts an error of one kind of operation, and leaves the service alone if there were too many."""
        self._stats.add(f"errors.{failure.code.name.lower()}")
        if isinstance(failure, DataLossError):
            self._stats.add("crc_failures")
        if self.breaker.failed(failure, time.monotonic(), kind):
            _log.warning("the service is left alone after errors; the last one: %s", failure)
            self._stats.set("breaker_open", 1)
            self._probe_later(chain)

    def close(self) -> None:
        """Ends operations under way; their ``then`` is not called any more."""
        self._closed = True
        if self._probe:
            self._probe.cancel()
        self._client.close()
        self._lookups.shutdown(wait=False, cancel_futures=True)
        self._transfers.shutdown(wait=False, cancel_futures=True)

    def _run(
        self,
        threads: ThreadPoolExecutor,
        call: Callable[[], T],
        kind: str,
        chain: BlockChain,
        then: Callable[[T | None, KvError | None], None],
    ) -> None:
        def work() -> None:
            result: T | None = None
            failure: KvError | None = None
            began = time.monotonic()
            try:
                result = call()
            except KvError as e:
                failure = e
            except Exception:  # a flaw here must not leave slots taken for ever
                _log.exception("%s failed by a flaw of the agent", kind)
                failure = InternalError(f"{kind} failed by a flaw of the agent; its log has the cause")
            self._call(ended, result, failure, time.monotonic() - began)

        def ended(result: T | None, failure: KvError | None, seconds: float) -> None:
            self._stats.add(f"{kind}_seconds", seconds)
            self._stats.add(f"{kind}_count")
            if failure:
                self.note(failure, chain, kind)
            elif kind != "probe":
                self.breaker.succeeded(kind)
            then(result, failure)

        threads.submit(work)

    def _call(self, function: Callable[..., None], *args: Any) -> None:
        if not self._closed:
            try:
                self._loop.call_soon_threadsafe(function, *args)
            except RuntimeError:
                _log.debug("an operation ended after the loop")

    def _probe_later(self, chain: BlockChain) -> None:
        self._probe = self._loop.call_later(PROBE, self._try_again, chain)

    def _try_again(self, chain: BlockChain) -> None:
        whole = chain.whole()
        one = whole.prefix(min(1, len(whole)))

        def then(_: int | None, failure: KvError | None) -> None:
            if is_away(failure):
                self._probe_later(chain)
                return
            self.breaker.close()
            self._stats.set("breaker_open", 0)
            _log.warning("the service answers again")

        self._run(self._lookups, lambda: self._client.lookup(one, timeout=_LOOKUP_TIMEOUT), "probe", chain, then)
