"""LMCache's remote path: ``RemoteBackend`` with its connector to a server, and memory of LMCache's own allocator.

The address chooses the connector: ``lm://`` is LMCache's own server, ``resp://`` is its native connector to Redis.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from typing import Any

import torch
from lmcache.utils import CacheEngineKey
from lmcache.v1.config import LMCacheEngineConfig
from lmcache.v1.memory_management import MemoryFormat
from lmcache.v1.metadata import LMCacheMetadata
from lmcache.v1.storage_backend.local_cpu_backend import LocalCPUBackend
from lmcache.v1.storage_backend.remote_backend import RemoteBackend

from kvstore_bench.blocks import WorkingSet

_MODEL = "python"

#: A block is the keys and values of one layer for as many tokens; how its bytes are divided makes no difference.
_TOKENS = 125
_LAYERS = 1
_KEYS_AND_VALUES = 2

#: Most seconds for a put. Reads have LMCache's own limit.
_PATIENCE = 60


class LmcachePeer:
    """One backend. Written blocks take the place of the ones written before: LMCache's server removes none."""

    def __init__(self, blocks: WorkingSet, url: str) -> None:
        self._blocks = blocks
        self._metadata = _metadata(blocks.block_bytes)
        config = _config(url, blocks.batch_bytes)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="lmcache", daemon=True).start()
        self._memory = LocalCPUBackend(config, self._metadata, "cpu")
        self._backend = RemoteBackend(config, self._metadata, self._loop, self._memory, "cpu")
        if self._backend.connection is None:
            raise RuntimeError(f"LMCache cannot connect to {url}")
        # Without the layer that counts, which takes the failure of a batch for its end.
        self._connector = self._backend.connection.getWrappedConnector()
        self._read: list[Any] = []
        self._source = self._objects(0)

    def stock(self) -> None:
        """Puts them."""
        for batch in range(self._blocks.batches):
            objects = self._objects(batch)
            self._put(self._keys(batch), objects)
            _release(objects)

    def read(self, batch: int) -> None:
        """Gets a batch, as an engine's retrieval does, after the memory of the one before was given back."""
        _release(self._read)
        self._read = []
        got = self._backend.batched_get_blocking(self._keys(batch))
        self._read = [one for one in got if one is not None]
        if len(self._read) != len(got):
            raise RuntimeError(f"batched_get_blocking: {len(self._read)} blocks of {len(got)}")

    def block(self, index: int) -> memoryview:
        """The memory of a block."""
        return memoryview(self._read[index].byte_array).cast("B")

    def spoil(self) -> None:
        """Forgets the blocks that were read, so that they do not pass for those of the next read."""
        for one in self._read:
            one.raw_data.zero_()

    def write(self) -> None:
        """Puts a batch."""
        self._put(self._keys(self._blocks.batches), self._source)

    def clear(self) -> None:
        """Nothing has to be taken away."""

    def cpu_seconds(self) -> float:
        """No helper process."""
        return 0.0

    def _put(self, keys: list[CacheEngineKey], objects: list[Any]) -> None:
        put = asyncio.run_coroutine_threadsafe(self._putting(keys, objects), self._loop)
        try:
            put.result(_PATIENCE)
        except concurrent.futures.TimeoutError:
            raise RuntimeError(f"LMCache's connector has not put {len(keys)} blocks within {_PATIENCE} s") from None

    async def _putting(self, keys: list[CacheEngineKey], objects: list[Any]) -> None:
        if self._connector.support_batched_put():
            await self._connector.batched_put(keys, objects)
        else:
            await asyncio.gather(*(self._connector.put(key, one) for key, one in zip(keys, objects, strict=True)))
        # LMCache's server does not acknowledge a put, but it answers in order.
        if not await self._connector.exists(keys[-1]):
            raise RuntimeError("a block that was put is not there")

    def _objects(self, batch: int) -> list[Any]:
        """The blocks of a batch in LMCache's memory."""
        shapes, dtypes = self._metadata.get_shapes(), self._metadata.get_dtypes()
        objects = []
        for block in range(self._blocks.blocks_per_batch):
            one = self._memory.allocate(shapes, dtypes, MemoryFormat.KV_2LTD, busy_loop=False)
            if one is None:
                raise RuntimeError("LMCache's memory is full: reads that failed hold it")
            one.raw_data.numpy()[:] = memoryview(self._blocks.content(batch, block))
            objects.append(one)
        return objects

    def _keys(self, batch: int) -> list[CacheEngineKey]:
        count = self._blocks.blocks_per_batch
        return [CacheEngineKey(_MODEL, 1, 0, batch * count + i, torch.float16) for i in range(count)]


def _metadata(block_bytes: int) -> LMCacheMetadata:
    per_value = _KEYS_AND_VALUES * _LAYERS * _TOKENS * torch.float16.itemsize
    width, rest = divmod(block_bytes, per_value)
    if rest:
        raise ValueError(f"block_bytes: {block_bytes} is not a multiple of {per_value}, which LMCache's chunks are")
    shape = (_LAYERS, _KEYS_AND_VALUES, _TOKENS, 1, width)
    return LMCacheMetadata(_MODEL, 1, 1, 0, 0, torch.float16, shape, chunk_size=_TOKENS)


def _config(url: str, batch_bytes: int) -> LMCacheEngineConfig:
    return LMCacheEngineConfig.from_defaults(
        chunk_size=_TOKENS,
        local_cpu=False,  # no copy here: each read comes from the server
        max_local_cpu_size=4 * batch_bytes / (1 << 30),  # GiB: a batch read, two to write, and gaps
        remote_url=url,
        remote_serde="naive",  # the bytes as they are
        extra_config={"save_chunk_meta": False},  # every block has the same length; ``resp://`` requires it
    )


def _release(objects: list[Any]) -> None:
    for one in objects:
        one.ref_count_down()


open_peer = LmcachePeer
