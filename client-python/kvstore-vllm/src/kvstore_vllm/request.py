"""The life of one request, without vLLM's classes: what to load and what to store."""

from __future__ import annotations

import enum
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


@dataclass(frozen=True)
class Geometry:
    """Tokens of a stored block and of an engine block, which divides it; and the fewest tokens that are loaded."""

    block: int
    engine_block: int
    min_tokens: int

    @property
    def per_block(self) -> int:
        """Engine blocks of a stored block."""
        return self.block // self.engine_block


@dataclass(frozen=True)
class Copy:
    """Stored block ``skip + row`` of a request goes into ``blocks``, from its engine block ``first`` on."""

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
    blocks: list[int] = field(default_factory=list)
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
        self.stored = max(self.stored, min(progress.found, self.whole))
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
        if computed < self.skip * geometry.block or computed % geometry.engine_block or tokens < geometry.min_tokens:
            self.phase = Phase.OVER
            return 0
        self._computed, self._admitted = computed, tokens
        return tokens

    def admitted(self, tokens: int, blocks: Sequence[int]) -> list[Copy]:
        """The engine gave ``blocks`` to the request, and ``tokens`` of :meth:`loadable` are to be loaded.

        With 0 tokens, a load that had not begun is given up.
        """
        if tokens == 0:
            if self.phase is Phase.READY:
                self.phase = Phase.OVER
            return []
        assert self.phase is Phase.READY, self.phase
        assert 0 < tokens <= self._admitted, (tokens, self._admitted)
        self.phase = Phase.LOADING
        size, per = self.geometry.engine_block, self.geometry.per_block
        copies: list[Copy] = []
        at, end = self._computed // size, (self._computed + tokens) // size
        while at < end:
            block, first = divmod(at, per)
            until = min(end, (block + 1) * per)
            copies.append(Copy(block - self.skip, first, tuple(blocks[at:until])))
            at = until
        return copies

    def table(self, blocks: Sequence[int], replace: bool) -> None:
        """The engine's block table of the request grows, or is another after preemption."""
        if replace:
            self.blocks = list(blocks)
        else:
            self.blocks.extend(blocks)

    def completed(self, tokens: int) -> list[tuple[int, ...]]:
        """After this step, ``tokens`` of the request have been computed: engine blocks of each block to store now.

        The first of them is block ``stored`` as it was before; every block is returned once, unless :meth:`postponed`.
        """
        per = self.geometry.per_block
        until = min(tokens // self.geometry.block, len(self.blocks) // per)
        if not self.stores or tokens < self.geometry.min_tokens or until <= self.stored:
            return []
        found = [tuple(self.blocks[i * per : (i + 1) * per]) for i in range(self.stored, until)]
        self.stored = until
        self.ordered = max(self.ordered, until)
        return found

    def postponed(self, first: int) -> None:
        """Blocks from ``first`` on could not be saved: they are ordered again while the request runs."""
        self.stored = min(self.stored, first)
