"""How far a prefetch is, and a slot to be filled, as an engine sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kvstore_client.agent.memory import SlotPool
from kvstore_client.names import BlockChain

#: In place of a slot's number, for a block that a chain's window leaves out.
NO_SLOT = (1 << 32) - 1


@dataclass(frozen=True)
class Progress:
    """How far a prefetch is.

    ``done``: nothing changes any more. ``found``: blocks of the prompt that are stored for all chains, from the
    prompt's start. ``ready``: whole blocks, of all chains, from ``skip`` on that are here and verified, in order;
    of a chain with a window those in it, so that a prompt with such chains is ready as a whole or not at all.
    ``slots[i][c]`` is the number of the slot of block ``skip + i`` for chain ``c``, in the pool of ``generation``, or
    ``NO_SLOT``. In this process that is ``pool``, which is ``None`` if no agent has answered yet.

    ``broken``: the agent did not answer in time, so that this is what came before. Without it, a prefetch that is done
    is one whose end the agent told, or kept waiting for the store until its deadline. ``seconds``: from the prefetch's
    beginning to this, by the agent's clock.
    """

    done: bool
    found: int
    ready: int
    slots: tuple[tuple[int, ...], ...]
    generation: int
    pool: SlotPool | None = field(default=None, repr=False, compare=False)
    broken: bool = False
    seconds: float = field(default=0.0, compare=False)

    def view(self, block: int, chain: int = 0) -> memoryview:
        """The bytes of block ``skip + block`` of a chain, until :meth:`Agent.release`. Raises ``IndexError``.

        They stay right when the agent ends, since its memory stays as long as this object or a view lives.
        """
        if self.pool is None:
            raise IndexError(f"block {block} of 0")
        return self.pool.view(self.slots[block][chain])


@dataclass(frozen=True, eq=False)
class ReservedSlot:
    """A slot of one run of the agent, to be filled. A slot whose agent has ended is not stored."""

    number: int
    pool: SlotPool

    @property
    def view(self) -> memoryview:
        """Its bytes, writable."""
        return self.pool.view(self.number)


class Request:
    """A prefetch as far as the agent told. ``began`` and ``deadline`` are of the monotonic clock."""

    def __init__(
        self, number: int, chains: Sequence[BlockChain], windows: Sequence[int], began: float, seconds: float
    ) -> None:
        """``seconds`` from ``began`` on, the engine waits for it."""
        self.number = number
        self.width = len(chains)
        self.names = [chain.hashes for chain, window in zip(chains, windows, strict=True) if not window]
        self.began = began
        self.deadline = began + seconds
        self.found = 0
        self.slots: list[tuple[int, ...]] = []
        self.done = False
        self.seconds = 0.0
        self.told: Progress | None = None  # the last answer, as long as it holds
