"""The same client for asyncio: each operation runs on a thread of the client's own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from kvstore_client.client import Block, CommonPrefix, KvClient, WriteResult
from kvstore_client.names import BlockChain
from kvstore_client.parts import BlockResult
from kvstore_client.turns import Turns

T = TypeVar("T")


class AsyncKvClient:
    """:class:`kvstore_client.KvClient` with ``async`` methods. For one event loop.

    ``timeout`` counts from the call, also while it waits for a thread, and an operation that is cancelled raises at
    once. Neither fills nor sends the caller's buffers any more then, though its thread may still be busy.
    """

    def __init__(self, *, threads: int = 8, max_async_calls: int = 1024, **options: Any) -> None:
        """``threads`` is how many operations run at a time; more wait.

        ``max_async_calls`` is how many run or wait; one more fails with ``ResourceExhaustedError`` at once.
        ``options`` are those of ``KvClient``.
        """
        if threads < 1:
            raise ValueError("threads: must be 1 or more")
        if max_async_calls < 1:
            raise ValueError("max_async_calls: must be 1 or more")
        self._client = KvClient(**options)
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="kvstore")
        self._turns = Turns(self._threads, threads, max_async_calls)

    async def lookup(
        self,
        chain: BlockChain,
        *,
        timeout: float | None = None,
        affinity: str | None = None,
        expected_bytes: int = 0,
    ) -> int:
        """See :meth:`kvstore_client.KvClient.lookup`."""
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
        """See :meth:`kvstore_client.KvClient.lookup_all`."""
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
        """See :meth:`kvstore_client.KvClient.read_into`."""
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
        """See :meth:`kvstore_client.KvClient.read`."""
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
        """See :meth:`kvstore_client.KvClient.write`."""
        return await self._run(self._client.write, chain, index, buffer, timeout=timeout, affinity=affinity)

    async def _run(self, operation: Callable[..., T], *args: Any, timeout: float | None, **options: Any) -> T:
        if timeout is not None and timeout <= 0:
            raise ValueError("timeout: must be more than 0 s")
        deadline = time.monotonic() + (self._client.timeout if timeout is None else timeout)
        return await self._turns.run(partial(operation, *args, **options), deadline)

    async def close(self) -> None:
        """Ends operations that run or wait; waits 5 s at most."""
        self._turns.close()
        await asyncio.get_running_loop().run_in_executor(None, self._client.close)
        self._threads.shutdown(wait=False)

    async def __aenter__(self) -> AsyncKvClient:
        """Itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Closes it."""
        await self.close()
