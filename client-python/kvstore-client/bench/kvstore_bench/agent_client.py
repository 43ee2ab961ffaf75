"""The Python client behind its agent: another process reads blocks into memory that it shares with this one.

This process asks for the state of a prefetch every millisecond, as an engine does at each of its steps. The shared
memory has room for one batch and little more, so that each batch comes from the data plane anew.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pathlib
import tempfile
import time

from kvstore.agent import Agent, AgentSettings, Progress
from kvstore_bench.blocks import WorkingSet
from kvstore_bench.client import KvStorePeer
from kvstore_bench.prompts import Prompts

_STEP = 0.001
_DEADLINE = 60.0

#: Slots that the agent may have granted for writes.
_GRANTED = 8


class AgentPeer:
    """An engine with an agent of its own, which ends with it."""

    def __init__(self, blocks: WorkingSet, endpoint: str, resource: str) -> None:
        self._blocks = blocks
        self._direct = KvStorePeer(blocks, endpoint, resource)
        self._prompts = Prompts(blocks)
        self._names = map(str, itertools.count())
        self._name = ""
        self._slots: list[memoryview] = []
        slots = blocks.blocks_per_batch + _GRANTED
        aligned = -(-blocks.block_bytes // 4096) * 4096
        self._folder = tempfile.TemporaryDirectory(prefix="kvstore-bench-")  # goes with the process
        socket = os.path.join(self._folder.name, "agent")
        self._agent = Agent(
            AgentSettings(
                slot_bytes=blocks.block_bytes,
                resource=resource,
                endpoints=(endpoint,),
                host_memory=slots * aligned,
                deadline=_DEADLINE,
                linger=0.0,
                socket=socket,
            )
        )
        if not self._agent.wait(_DEADLINE):
            raise RuntimeError("the agent does not start")
        self._pid = _process_with(socket)

    def stock(self) -> None:
        """Writes them, without the agent."""
        self._direct.stock()

    def read(self, batch: int) -> None:
        """A prefetch of all blocks of a batch."""
        self._agent.release(self._name)
        self._name = next(self._names)
        chain = self._prompts.read[batch]
        self._agent.prefetch(self._name, [chain], expected_bytes=[self._blocks.block_bytes])
        found = self._done()
        pool = self._agent.pool
        if found.ready != len(chain) or pool is None:
            raise RuntimeError(f"{found.ready} of {len(chain)} blocks came")
        self._slots = [pool.view(slots[0])[: self._blocks.block_bytes] for slots in found.slots]

    def _done(self) -> Progress:
        while True:
            found = self._agent.progress(self._name)
            if found.done:
                return found
            time.sleep(_STEP)

    def block(self, index: int) -> memoryview:
        """A slot of the shared memory."""
        return self._slots[index]

    def spoil(self) -> None:
        """The agent keeps what it has read; it verified it."""

    def write(self) -> None:
        """Writes, without the agent."""
        self._direct.write()

    def clear(self) -> None:
        """Nothing has to be taken away."""

    def cpu_seconds(self) -> float:
        """Processor time of the agent."""
        with contextlib.suppress(FileNotFoundError):
            fields = pathlib.Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
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
