"""The Python client of KV Store, in this process."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.memory import Memory
from kvstore_bench.prompts import Prompts
from kvstore_client import BlockChain, KvClient, parts

_WRITERS = 4


class Unverified(parts.BlockReceiver):
    """Takes the bytes as they come, to show the cost of checksums. Only for measurements."""

    def placed(self, part: parts.Part, target: memoryview) -> None:
        """The part is in its place, with bytes that are taken for right."""
        self._received += target.nbytes
        if part.last and self._head and self._head.crc32c is not None:
            self._crc = self._head.crc32c
        self._finish(part)


class KvStorePeer(Memory):
    """A client whose reads use one connection, and whose writes use four threads with a connection each."""

    def __init__(self, blocks: WorkingSet, endpoint: str, resource: str, *, verified: bool = True) -> None:
        super().__init__(blocks)
        if not verified:
            parts.BlockReceiver = Unverified  # type: ignore[misc]
        self._blocks = blocks
        self._prompts = Prompts(blocks)
        self._client = KvClient(
            resource=resource, key=os.environ["KV_API_KEY"], endpoints=[endpoint], connections=_WRITERS
        )
        self._writers = ThreadPoolExecutor(_WRITERS)

    def stock(self) -> None:
        """Writes them."""
        for batch, chain in enumerate(self._prompts.read):
            self._write(chain, [self._blocks.content(batch, i) for i in range(len(chain))])

    def read(self, batch: int) -> None:
        """One streaming read."""
        for result in self._client.read_into(self._prompts.read[batch], self.into):
            if result.error:
                raise result.error

    def write(self) -> None:
        """A write for each block."""
        self._write(self._prompts.new(), self.source)

    def _write(self, chain: BlockChain, content: list[bytearray] | list[bytes]) -> None:
        for _ in self._writers.map(lambda i: self._client.write(chain, i, content[i]), range(len(chain))):
            pass


open_peer = KvStorePeer
