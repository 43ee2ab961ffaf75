"""The agent's slots as a worker uses them: pinned for its device, and unmapped when the agent has ended."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kvstore_client.agent import SlotPool


@dataclass(eq=False)
class _Mapped:
    pool: SlotPool
    unpin: Callable[[], None]
    copies: int = 0
    ended: bool = False


class MappedPools:
    """The slots of the agent that runs, and of agents that ended while copies from or to them are under way.

    Thread-safe. A pool that ended is given up at once, or with its last copy, so that its memory is free.
    """

    def __init__(self, pin: Callable[[SlotPool], Callable[[], None]]) -> None:
        """``pin`` begins to make a pool good for copies of the device; the function that it returns undoes that."""
        self._pin = pin
        self._lock = threading.Lock()
        self._mapped: dict[int, _Mapped] = {}

    def met(self, pool: SlotPool) -> None:
        """An agent runs, with these slots. The same pool may come again after a connection that broke."""
        with self._lock:
            known = self._mapped.get(pool.generation)
            if known and known.pool is pool:
                known.ended = False
                return
        made = _Mapped(pool, self._pin(pool))
        with self._lock:
            self._mapped[pool.generation] = made

    def lost(self) -> None:
        """The agent has ended, or the connection to it."""
        with self._lock:
            for mapped in list(self._mapped.values()):
                mapped.ended = True
                self._drop(mapped)

    def begins(self, generation: int) -> SlotPool | None:
        """A copy begins; the pool stays until it ends. ``None`` if the agent of this generation is not there."""
        with self._lock:
            mapped = self._mapped.get(generation)
            if mapped is None:
                return None
            mapped.copies += 1
            return mapped.pool

    def ends(self, generation: int) -> None:
        """A copy ended."""
        with self._lock:
            mapped = self._mapped[generation]
            mapped.copies -= 1
            self._drop(mapped)

    def _drop(self, mapped: _Mapped) -> None:
        if mapped.ended and not mapped.copies:
            del self._mapped[mapped.pool.generation]
            mapped.unpin()


def pin(device: Any, pool: SlotPool) -> Callable[[], None]:
    """Lets a device copy from and to the agent's slots directly; the function that it returns undoes that.

    On a thread, since it takes seconds for each 10 GiB. Copies work meanwhile, and where it is refused, and are slower.
    For a CPU it makes the pages: else each copy after a restart of the agent would wait for its own.
    """
    if device.type != "cuda":
        given_up = threading.Event()
        threading.Thread(target=pool.populate, args=(given_up,), name="kvstore-pages", daemon=True).start()
        return given_up.set
    from kvstore_vllm.pinning import Pinning

    return Pinning(device, pool).undo
