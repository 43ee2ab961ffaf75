"""The Python client behind its agent: another process reads blocks into memory that it shares with this one.

This process asks for the state of a prefetch every millisecond, as an engine does at each of its steps. The shared
memory has room for the prefetches under way only, so that each batch comes from the data plane anew. Writes go through
an agent of their own, since slots for them would be room for blocks that were read.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
import tempfile
import time

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.client import KvStorePeer
from kvstore_bench.prompts import Prompts
from kvstore_client.agent import Agent, AgentSettings, Progress, ReservedSlot

_STEP = 0.001
_DEADLINE = 60.0


class AgentPeer:
    """An engine with agents of its own, which end with it.

    ``ahead``: so many batches after the one that is read are asked for as well, as an engine does for requests that
    wait their turn. With none, blocks are written through an agent, too.
    """

    def __init__(self, blocks: WorkingSet, endpoint: str, resource: str, *, ahead: int = 0) -> None:
        if blocks.batches < 2 * ahead + 2:
            raise ValueError("batches: must be so many that none is in shared memory when it is asked for")
        self._blocks = blocks
        self._ahead = ahead
        self._endpoint, self._resource = endpoint, resource
        self._direct = KvStorePeer(blocks, endpoint, resource)
        self._prompts = Prompts(blocks)
        self._folder = tempfile.TemporaryDirectory(prefix="kvstore-bench-")  # goes with the process
        self._pids: list[int] = []
        self._reader = self._agent("reader", _slots((1 + ahead) * blocks.blocks_per_batch))
        if not ahead:
            self._writer = self._agent("writer", 4 * blocks.blocks_per_batch, burst=blocks.blocks_per_batch)
        self._names = map(str, itertools.count())
        self._asked: dict[int, str] = {}
        self._name = ""
        self._slots: list[memoryview] = []

    def stock(self) -> None:
        """Writes them, without the agent."""
        self._direct.stock()

    def read(self, batch: int) -> None:
        """Waits for the prefetch of all blocks of a batch."""
        self._reader.release(self._name)
        for one in range(batch, batch + 1 + self._ahead):
            self._ask(one % self._blocks.batches)
        self._name = self._asked.pop(batch)
        found = self._done()
        if found.ready != self._blocks.blocks_per_batch:
            raise RuntimeError(f"{found.ready} of {self._blocks.blocks_per_batch} blocks came")
        if self._reader.stats().get("hit_blocks"):
            raise RuntimeError("blocks were in shared memory: they did not come from the data plane")
        self._slots = [found.view(i)[: self._blocks.block_bytes] for i in range(found.ready)]

    def _ask(self, batch: int) -> None:
        if batch not in self._asked:
            self._asked[batch] = name = next(self._names)
            self._reader.prefetch(name, [self._prompts.read[batch]], expected_bytes=[self._blocks.block_bytes])

    def _done(self) -> Progress:
        while True:
            found = self._reader.progress(self._name)
            if found.done:
                return found
            time.sleep(_STEP)

    def block(self, index: int) -> memoryview:
        """A slot of the shared memory."""
        return self._slots[index]

    def spoil(self) -> None:
        """The agent keeps what it has read; it verified it."""

    def write(self) -> None:
        """Copies each block into a slot, hands it over, and waits until the service has all of them."""
        chain = self._prompts.new()
        for index, content in enumerate(self._direct.source):
            slot = self._reserved()
            slot.view[: len(content)] = content
            self._writer.store(slot, len(content), chain, index)
        while self._writer.unwritten():
            time.sleep(_STEP)
        stored = self._writer.known(chain)
        if stored != len(chain):
            raise RuntimeError(f"{stored} of {len(chain)} blocks were stored")

    def _reserved(self) -> ReservedSlot:
        while True:
            slot = self._writer.reserve()
            if slot is not None:
                return slot
            time.sleep(_STEP)

    def clear(self) -> None:
        """Nothing has to be taken away."""

    def cpu_seconds(self) -> float:
        """Processor time of the agents."""
        return sum(map(_cpu_seconds, self._pids))

    def _agent(self, name: str, slots: int, burst: int = 0) -> Agent:
        aligned = -(-self._blocks.block_bytes // 4096) * 4096
        socket = os.path.join(self._folder.name, name)
        agent = Agent(
            AgentSettings(
                slot_bytes=self._blocks.block_bytes,
                resource=self._resource,
                endpoints=(self._endpoint,),
                host_memory=slots * aligned,
                deadline=_DEADLINE,
                linger=0.0,
                socket=socket,
            ),
            burst=burst,
        )
        if not agent.wait(_DEADLINE):
            raise RuntimeError("the agent does not start")
        self._pids.append(_process_with(socket))
        return agent


def _slots(read: int) -> int:
    """Slots of an agent that has ``read`` of them for reads: it grants a sixteenth for writes, asked or not."""
    return next(slots for slots in itertools.count(read) if slots - max(1, slots // 16) >= read)


def _cpu_seconds(pid: int) -> float:
    with contextlib.suppress(FileNotFoundError):
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _process_with(word: str) -> int:
    """The process whose command line has a word. Raises ``RuntimeError`` if there is none."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(folder.name) != os.getpid() and word.encode() in (folder / "cmdline").read_bytes():
                return int(folder.name)
    raise RuntimeError("the agent is not found in /proc")


open_peer = AgentPeer
