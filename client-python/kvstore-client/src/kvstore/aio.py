"""The same client for asyncio: each operation runs on a thread of the client's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from kvstore.client import Block, CommonPrefix, KvClient, WriteResult
from kvstore.names import BlockChain
from kvstore.parts import BlockResult
from kvstore.pool import Cancel

T = TypeVar("T")


class AsyncKvClient:
    """:class:`kvstore.KvClient` with ``async`` methods. For one event loop.

    An operation that is cancelled has let go of the caller's buffers when ``CancelledError`` is raised.
    """

    def __init__(self, *, threads: int = 8, **options: Any) -> None:
        """``threads`` is how many operations run at a time; more wait. ``options`` are those of ``KvClient``."""
        self._client = KvClient(**options)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="kvstore")

    async def lookup(
        self,
        chain: BlockChain,
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        expected_bytes: int = 0,
    ) -> int:
        """See :meth:`kvstore.KvClient.lookup`."""
        return await self._run(
            self._client.lookup, chain, timeout=timeout, affinity=affinity, expected_bytes=expected_bytes
        )

    async def lookup_all(
        self,
        chains: Sequence[BlockChain],
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        expected_bytes: int | Sequence[int] = 0,
    ) -> CommonPrefix:
        """See :meth:`kvstore.KvClient.lookup_all`."""
        return await self._run(
            self._client.lookup_all, chains, timeout=timeout, affinity=affinity, expected_bytes=expected_bytes
        )

    async def read_into(
        self,
        blocks: BlockChain | Sequence[bytes],
        into: Sequence[Any],
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        writers: Sequence[str] = (),
        expected_bytes: int = 0,
    ) -> list[BlockResult]:
        """See :meth:`kvstore.KvClient.read_into`."""
        return await self._run(
            self._client.read_into,
            blocks,
            into,
            timeout=timeout,
            affinity=affinity,
            writers=writers,
            expected_bytes=expected_bytes,
        )

    async def read(
        self,
        location: bytes,
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        writers: Sequence[str] = (),
        expected_bytes: int = 0,
    ) -> Block:
        """See :meth:`kvstore.KvClient.read`."""
        return await self._run(
            self._client.read,
            location,
            timeout=timeout,
            affinity=affinity,
            writers=writers,
            expected_bytes=expected_bytes,
        )

    async def write(
        self,
        chain: BlockChain,
        index: int,
        buffer: Any,
        *,
        timeout: float | None = None,
        affinity: str | None = None,
    ) -> WriteResult:
        """See :meth:`kvstore.KvClient.write`."""
        return await self._run(self._client.write, chain, index, buffer, timeout=timeout, affinity=affinity)

    async def _run(self, operation: Callable[..., T], *args: Any, **options: Any) -> T:
        cancel = Cancel()
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(self._threads, partial(operation, *args, cancel=cancel, **options))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            cancel.cancel()
            while not running.done():  # the caller's buffers are in use until then, however often it is cancelled
                try:
                    await asyncio.wait([running])
                except asyncio.CancelledError:
                    continue
            if not running.cancelled():
                running.exception()  # is looked at
            raise

    async def close(self) -> None:
        """Ends operations under way; waits 5 s at most."""
        await asyncio.get_running_loop().run_in_executor(None, self._client.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> AsyncKvClient:
        """Itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Closes it."""
        await self.close()
