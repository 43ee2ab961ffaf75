"""Events for routers: which blocks of this engine's requests the store has."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kvstore_client import BlockChain, Partition

from kvstore_vllm.request import Geometry

#: Requests whose blocks may be on their way to the store; beyond, the oldest is not told of any more.
_MOST = 1024

#: Seconds between two looks at what is stored, and after which blocks that were not stored are given up.
_EACH, _GIVEN_UP = 0.2, 60.0


@dataclass
class _Ordered:
    """A request, its chain in each partition, how many blocks were told of, and when the last ones were ordered."""

    request: Any
    chains: list[BlockChain]
    told: int
    at: float


class StoredEvents:
    """Makes an event for the blocks that became durable in all partitions, in order. For the scheduler's thread.

    ``known`` tells how many blocks of a chain are stored. There is no event for blocks that the store deletes: the
    engine does not hear of it.
    """

    def __init__(self, partitions: Sequence[Partition], geometry: Geometry, known: Callable[[BlockChain], int]) -> None:
        self._partitions = partitions
        self._geometry = geometry
        self._known = known
        self._ordered: OrderedDict[str, _Ordered] = OrderedDict()
        self._next = 0.0

    def ordered(self, request: Any, tokens: bytes, extras: Sequence[bytes], now: float) -> None:
        """More blocks of a request are to be stored: those behind the ones of which this was told before."""
        name = request.request_id
        one = self._ordered.pop(name, None)
        if one is None:
            one = _Ordered(request, [BlockChain.of(partition, b"") for partition in self._partitions], 0, now)
        one.chains = [chain.extend(tokens, extras) for chain in one.chains]
        one.at = now
        self._ordered[name] = one
        if len(self._ordered) > _MOST:
            self._ordered.popitem(last=False)

    def take(self, now: float) -> list[Any]:
        """Events for what was stored since the last call."""
        if not self._ordered or now < self._next:
            return []
        self._next = now + _EACH
        made = []
        for name, one in list(self._ordered.items()):
            stored = min(self._known(chain) for chain in one.chains)
            if stored > one.told:
                made.append(self._event(one.request, one.told, stored))
                one.told = stored
            if now - one.at > _GIVEN_UP:
                del self._ordered[name]
        return made

    def _event(self, request: Any, first: int, end: int) -> Any:
        """Blocks as vLLM names them in its own events: engine blocks, by the hashes of its prefix cache."""
        from vllm.distributed.kv_events import MEDIUM_STORAGE, BlockStored
        from vllm.v1.core.kv_cache_utils import maybe_convert_block_hash

        size, per = self._geometry.engine_block, self._geometry.block // self._geometry.engine_block
        first, end = first * per, end * per
        hashes = [maybe_convert_block_hash(name) for name in request.block_hashes[:end]]
        adapter = request.lora_request
        return BlockStored(
            block_hashes=hashes[first:],
            parent_block_hash=hashes[first - 1] if first else None,
            token_ids=list(request.all_token_ids[first * size : end * size]),
            block_size=size,
            lora_id=adapter.adapter_id if adapter else None,
            medium=MEDIUM_STORAGE,
            lora_name=adapter.name if adapter else None,
            group_idx=0,
        )
