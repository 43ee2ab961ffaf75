"""What the two halves of the connector tell each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from vllm.distributed.kv_transfer.kv_connector.v1.base import (
    KVConnectorHandshakeMetadata,
    KVConnectorMetadata,
    KVConnectorWorkerMetadata,
)

from kvstore_vllm.sizing import Sizing


@dataclass
class Handshake(KVConnectorHandshakeMetadata):
    """What a worker found when its cache was registered. ``flaw`` tells why it keeps nothing, or is empty.

    ``host`` tells machines apart: an agent serves the workers of one. ``host_memory`` is the agent's by default.
    """

    partition: str = ""
    block_tokens: int = 0
    block_bytes: int = 0
    engine_block: int = 0
    writes: bool = True
    host: str = ""
    flaw: str = ""
    host_memory: int = 8 << 30
    sizing: Sizing | None = None


@dataclass(frozen=True)
class Piece:
    """One stored block to load: ``slots`` has a slot for each partition; ``first`` is the first engine block in it."""

    slots: tuple[int, ...]
    first: int
    blocks: tuple[int, ...]


@dataclass(frozen=True)
class Load:
    """Loads of one request, from slots of the pool ``generation``."""

    request: str
    generation: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Store:
    """Blocks of one request to store, from block ``first`` on.

    ``tokens`` are int32 of the blocks that the worker was not told of before, ``extras`` one for each of these.
    ``blocks`` are the engine blocks of each block to store. ``heads``, told once, are the names of the prompt's first
    blocks in the first partition, by which the blocks of all ranks go to one data plane.
    """

    request: str
    first: int
    tokens: bytes
    extras: tuple[bytes, ...]
    blocks: tuple[tuple[int, ...], ...]
    heads: bytes = b""


@dataclass
class Orders(KVConnectorMetadata):
    """What workers do in one step. ``partitions`` are those of the slots of a piece, in order.

    ``step`` is the number of a step that is measured, or 0; its report has the same one.
    """

    partitions: tuple[str, ...] = ()
    loads: list[Load] = field(default_factory=list)
    stores: list[Store] = field(default_factory=list)
    finished: list[str] = field(default_factory=list)
    step: int = 0


@dataclass
class Report(KVConnectorWorkerMetadata):
    """What workers tell of one step. ``postponed``: for each request, the first block that there was no slot for."""

    postponed: dict[str, int] = field(default_factory=dict)
    step: int = 0

    def aggregate(self, other: KVConnectorWorkerMetadata) -> KVConnectorWorkerMetadata:
        """Adds another worker's: the earliest block counts."""
        assert isinstance(other, Report)
        for name, first in other.postponed.items():
            self.postponed[name] = min(first, self.postponed.get(name, first))
        self.step = max(self.step, other.step)
        return self
