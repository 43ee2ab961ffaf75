"""The engine's side of the agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kvstore.agent.memory import SlotPool
from kvstore.agent.settings import AgentSettings
from kvstore.names import BlockChain


@dataclass(frozen=True)
class Progress:
    """How far a prefetch is.

    ``done``: nothing changes any more. ``found``: blocks of the prompt that are stored for all chains, from the
    prompt's start. ``ready``: whole blocks, of all chains, from ``skip`` on that are here and verified, in order.
    ``slots[i][c]`` is the slot of block ``skip + i`` for chain ``c``, in the pool of ``generation``.
    """

    done: bool
    found: int
    ready: int
    slots: tuple[tuple[int, ...], ...]
    generation: int


class Agent:
    """Access to the agent from one process of an engine. Thread-safe.

    No method waits for I/O, and none raises because the agent or the store is away: then nothing is found, and blocks
    to store are dropped and counted. The agent is started in the background if none answers, and again, after a pause,
    when it ends. After ``fork``, a child makes an ``Agent`` of its own; the parent's acts in it as if the agent were
    away.
    """

    def __init__(self, settings: AgentSettings) -> None:
        """Connects in the background."""
        self._settings = settings

    # --- scheduler half ---

    def prefetch(
        self,
        request: str,
        chains: Sequence[BlockChain],
        *,
        expected_bytes: Sequence[int],
        deadline: float | None = None,
        skip: int = 0,
    ) -> None:
        """Looks a prompt up and reads its stored blocks into slots, which are pinned until :meth:`release`.

        ``chains`` has the prompt's chain in each partition, as one for each tensor-parallel rank, and
        ``expected_bytes`` the length of each chain's blocks. Blocks from ``skip`` on are read, all chains of a block
        before the next one. ``deadline`` is in seconds from now; by default that of the settings. A request that is
        known already is released first. Raises ``ValueError`` for arguments that break their rules.
        """

    def progress(self, request: str) -> Progress:
        """How far a prefetch is; of an unknown request, or if the agent is away: done, with nothing found."""
        return Progress(True, 0, 0, (), 0)

    def release(self, request: str) -> None:
        """Gives up a prefetch, or the slots that it filled. For any request, as often as you like."""

    # --- worker half ---

    @property
    def pool(self) -> SlotPool | None:
        """The slots of the agent that runs now; another object after the agent was started again.

        ``None`` until the first connection to an agent.
        """
        return None

    def reserve(self) -> int | None:
        """A free slot to fill with a block that is to be stored; ``None`` if there is none now."""
        return None

    def store(self, slot: int, nbytes: int, chain: BlockChain, index: int) -> None:
        """Hands a filled slot of :meth:`reserve` over: the agent writes it as block ``index`` of the chain.

        The block stays in the agent's memory for later prefetches. ``nbytes`` is its length, 1 to ``slot_bytes``. Hand
        a prompt's blocks over in order. Raises ``ValueError`` for arguments that break their rules.
        """

    def cancel(self, slot: int) -> None:
        """Gives a slot of :meth:`reserve` back unfilled."""

    def known(self, chain: BlockChain) -> int:
        """How many blocks of a chain, from its start, were lately seen stored or handed to :meth:`store`.

        From a bounded memory of this process: fewer than are stored. Do not store these again.
        """
        return 0

    def stats(self) -> dict[str, float]:
        """The agent's counters and those of this process; a copy that is at most a second old, or from its last run."""
        return {}

    def close(self) -> None:
        """Leaves the agent, which ends after ``linger`` if this was the last engine. Slots are not to be touched."""
