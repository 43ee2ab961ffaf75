"""The life of one request, without vLLM's classes: what to load and what to store."""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kvstore_client.agent import Progress

from kvstore_vllm.adapters import Adapter


class Phase(enum.Enum):
    """Where a request's load stands. It only moves on in the order of this list; any phase may become ``OVER``."""

    FETCHING = "the agent looks up and reads"
    READY = "blocks are in the agent's memory and pinned"
    LOADING = "workers copy them"
    OVER = "nothing is or will be loaded"


#: What vLLM's block tables have in place of a block that is not kept any more.
NULL = 0


@dataclass(frozen=True)
class Group:
    """A cache group: the partition of its blocks, their bytes, and tokens of an engine block.

    Of a group with a ``window``, only that many tokens before the next one, which counts, are needed of a prefix.
    """

    partition: str
    block_bytes: int
    engine_block: int
    window: int = 0

    def last(self, block: int) -> int:
        """How many stored blocks of ``block`` tokens before the end of a prefix are needed; 0 for all."""
        return max(1, -(-(self.window - 1) // block)) if self.window else 0


@dataclass(frozen=True)
class Geometry:
    """Tokens of a stored block; the cache groups, whose engine blocks divide it; the fewest tokens that are loaded."""

    block: int
    groups: tuple[Group, ...]
    min_tokens: int

    @property
    def engine_block(self) -> int:
        """Tokens that one of vLLM's hashes names."""
        return math.gcd(*(group.engine_block for group in self.groups))

    @property
    def windowed(self) -> bool:
        """Whether a group keeps the end of a prefix only."""
        return any(group.window for group in self.groups)


@dataclass(frozen=True)
class Copy:
    """Stored block ``skip + row`` of a group goes into ``blocks``, from its engine block ``first`` on."""

    group: int
    row: int
    first: int
    blocks: tuple[int, ...]


@dataclass
class RequestState:
    """One request. For the scheduler's thread.

    ``request`` is vLLM's. ``whole`` is the number of whole blocks in its prompt; the engine had the first ``skip`` of
    them itself, so the agent was not asked for these. ``give_up`` is the time at which the agent's answer is no longer
    awaited. ``paused``: it was not looked up, since fetching is paused. ``probe``: its blocks are being fetched and it
    does not wait for them; nothing of it is stored meanwhile, or the agent would find what the engine has computed.
    """

    request: Any
    geometry: Geometry
    phase: Phase
    whole: int = 0
    skip: int = 0
    started: float = 0.0
    give_up: float = 0.0
    stores: bool = True
    adapter: Adapter | None = None
    paused: bool = False
    probe: bool = False
    progress: Progress = field(default_factory=lambda: Progress(True, 0, 0, (), 0))
    #: The engine blocks of the request, a list for each group.
    tables: list[list[int]] = field(default_factory=list)
    #: Blocks that are stored, or were ordered to be; and how many that was at most.
    stored: int = 0
    ordered: int = 0
    #: Names of the prompt's first blocks in the first partition, if they were computed for its lookup.
    heads: bytes = b""
    #: Blocks whose tokens workers know.
    told: int = 0
    _computed: int = 0
    _admitted: int = 0

    @property
    def adapter_digest(self) -> bytes | None:
        """What the files of the request's adapter hold, if it has one."""
        return self.adapter.digest if self.adapter else None

    def arrived(self, progress: Progress) -> None:
        """The fetch is over: nothing changes any more."""
        self.progress = replace(progress, pool=None)  # only workers touch the agent's memory: it need not stay for this
        # Where a window lacks blocks, what was not loaded is stored again.
        found = self.skip + progress.ready if self.geometry.windowed else progress.found
        self.stored = max(self.stored, min(found, self.whole))
        self.phase = Phase.READY if progress.ready else Phase.OVER

    def loadable(self, computed: int) -> int:
        """Tokens that can be loaded behind the ``computed`` ones that the engine has; 0 ends the load.

        Whole engine blocks, and all of them are in the agent's memory.
        """
        if self.phase is not Phase.READY:
            return 0
        geometry = self.geometry
        end = (self.skip + self.progress.ready) * geometry.block
        tokens = end - computed
        odd = any(computed % group.engine_block for group in geometry.groups)
        if computed < self.skip * geometry.block or odd or tokens < geometry.min_tokens:
            self.phase = Phase.OVER
            return 0
        self._computed, self._admitted = computed, tokens
        return tokens

    def admitted(self, tokens: int, tables: Sequence[Sequence[int]]) -> list[Copy]:
        """The engine gave blocks of each group to the request, and ``tokens`` of :meth:`loadable` are to be loaded.

        With 0 tokens, a load that had not begun is given up.
        """
        if tokens == 0:
            if self.phase is Phase.READY:
                self.phase = Phase.OVER
            return []
        assert self.phase is Phase.READY, self.phase
        assert 0 < tokens <= self._admitted, (tokens, self._admitted)
        self.phase = Phase.LOADING
        copies: list[Copy] = []
        for number, (group, table) in enumerate(zip(self.geometry.groups, tables, strict=True)):
            size, per = group.engine_block, self.geometry.block // group.engine_block
            at, end = self._computed // size, (self._computed + tokens) // size
            while group.window and at < end and table[at] == NULL:  # before the window
                at += 1
            while at < end:
                block, first = divmod(at, per)
                until = min(end, (block + 1) * per)
                copies.append(Copy(number, block - self.skip, first, tuple(table[at:until])))
                at = until
            assert len(table) >= end
            assert all(NULL not in copy.blocks for copy in copies)
        return copies

    def table(self, tables: Sequence[Sequence[int]], replace: bool) -> None:
        """The engine's block tables of the request grow, or are others after preemption."""
        if replace:
            self.tables = [list(blocks) for blocks in tables]
        else:
            for known, blocks in zip(self.tables, tables, strict=True):
                known.extend(blocks)

    def due(self, tokens: int) -> int:
        """How many blocks there are to store after a step in which ``tokens`` of the request have been computed."""
        if not self.stores or not self.tables or tokens < self.geometry.min_tokens:
            return 0
        held = min(
            len(table) * group.engine_block for table, group in zip(self.tables, self.geometry.groups, strict=True)
        )
        return max(0, min(tokens, held) // self.geometry.block - self.stored)

    def completed(self, tokens: int) -> list[tuple[tuple[int, ...], ...]]:
        """The blocks that are :meth:`due`: of each the engine blocks of each group, or none if they are not kept.

        The first of them is block ``stored`` as it was before; every block is returned once, unless :meth:`postponed`.
        """
        until = self.stored + self.due(tokens)
        found = [tuple(self._engine_blocks(i, number) for number in self._numbers) for i in range(self.stored, until)]
        self.stored = until
        self.ordered = max(self.ordered, until)
        return found

    @property
    def _numbers(self) -> range:
        return range(len(self.geometry.groups))

    def _engine_blocks(self, block: int, number: int) -> tuple[int, ...]:
        group = self.geometry.groups[number]
        per = self.geometry.block // group.engine_block
        found = tuple(self.tables[number][block * per : (block + 1) * per])
        return () if group.window and NULL in found else found

    def postponed(self, first: int) -> None:
        """Blocks from ``first`` on could not be saved: they are ordered again while the request runs."""
        self.stored = min(self.stored, first)
