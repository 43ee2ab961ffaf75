"""What the two halves of the connector tell each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from vllm.distributed.kv_transfer.kv_connector.v1.base import (
    KVConnectorHandshakeMetadata,
    KVConnectorMetadata,
    KVConnectorWorkerMetadata,
)

from kvstore_vllm.adapters import Adapter
from kvstore_vllm.request import Group
from kvstore_vllm.sizing import Sizing

#: A generation that no pool has: a load from it fails.
NO_POOL = -1


@dataclass
class Handshake(KVConnectorHandshakeMetadata):
    """What a worker found when its cache was registered. ``flaw`` tells why it keeps nothing, or is empty.

    ``host`` tells machines apart: an agent serves the workers of one. ``run`` is that of the orders that asked for it.
    ``host_memory`` is the agent's by default.
    """

    groups: tuple[Group, ...] = ()
    block_tokens: int = 0
    writes: bool = True
    host: str = ""
    flaw: str = ""
    run: int = 0
    host_memory: int = 8 << 30
    sizing: Sizing | None = None


@dataclass(frozen=True)
class Piece:
    """One stored block of a group to load; ``first`` is the first engine block in it.

    ``slots`` has a slot for each partition.
    """

    slots: tuple[int, ...]
    first: int
    blocks: tuple[int, ...]
    group: int = 0


@dataclass(frozen=True)
class Load:
    """Loads of one request, from slots of the pool ``generation``.

    Without pieces it is not known where to. ``adapter`` is the one whose blocks these are.
    """

    request: str
    generation: int
    pieces: tuple[Piece, ...]
    adapter: Adapter | None = None


@dataclass(frozen=True)
class Store:
    """Blocks of one request to store, from block ``first`` on.

    ``tokens`` are int32 of the blocks that the worker was not told of before, ``extras`` one for each of these.
    ``blocks`` are the engine blocks of each block to store, of each group. ``adapter`` is the one that the blocks'
    names tell of.
    ``heads``, told once, are the names of the prompt's first blocks in the first partition, by which the blocks of all
    ranks go to one data plane.
    """

    request: str
    first: int
    tokens: bytes
    extras: tuple[bytes, ...]
    blocks: tuple[tuple[tuple[int, ...], ...], ...]
    adapter: Adapter | None = None
    heads: bytes = b""


@dataclass
class Orders(KVConnectorMetadata):
    """What workers do in one step. ``partitions`` are those of the slots of a piece, in order.

    ``run`` counts how often the engine's weights may have been replaced. ``met``: whether the scheduler's half knows
    the workers' names in this run. ``step`` is the number of a step that is measured, or 0; its report has the same.
    """

    partitions: tuple[str, ...] = ()
    loads: list[Load] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    run: int = 0
    met: bool = True
    step: int = 0


@dataclass
class Report(KVConnectorWorkerMetadata):
    """What workers tell after a step.

    ``postponed`` has, for each request, the first block that there was no slot for. ``handshakes`` are of workers that
    the scheduler's half does not know yet. ``step`` is that of the orders.
    """

    postponed: dict[str, int] = field(default_factory=dict)
    handshakes: tuple[Handshake, ...] = ()
    step: int = 0

    def aggregate(self, other: KVConnectorWorkerMetadata) -> KVConnectorWorkerMetadata:
        """Adds another worker's: the earliest block counts."""
        assert isinstance(other, Report)
        for name, first in other.postponed.items():
            self.postponed[name] = min(first, self.postponed.get(name, first))
        self.handshakes += other.handshakes
        self.step = max(self.step, other.step)
        return self
