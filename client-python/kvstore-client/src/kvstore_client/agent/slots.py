"""The host tier: which slot holds which block, and which slots may be used again."""

from __future__ import annotations

import math
from collections import OrderedDict


class Slots:
    """Books of the slots. A slot is free, taken (being filled, or granted to an engine), or holds a block.

    A block that is pinned stays; of the others the one used least recently makes room. For one thread.
    """

    def __init__(self, slots: int) -> None:
        """All are free. The slot that was freed last is used next: its memory exists already."""
        self.evicted = 0
        self._free = list(range(slots - 1, -1, -1))
        self._names: list[bytes | None] = [None] * slots
        self._lengths = [0] * slots
        self._pins = [0] * slots
        self._known = [0.0] * slots
        self._by_name: dict[bytes, int] = {}
        self._unpinned: OrderedDict[int, None] = OrderedDict()

    def take(self) -> int | None:
        """A slot to fill; ``None`` if all are taken or pinned."""
        if self._free:
            return self._free.pop()
        if not self._unpinned:
            return None
        slot, _ = self._unpinned.popitem(last=False)
        self._forget(slot)
        self.evicted += 1
        return slot

    def give_back(self, slot: int) -> None:
        """A taken slot holds nothing."""
        self._free.append(slot)

    def fill(self, slot: int, name: bytes, nbytes: int, *, known: float = math.inf) -> None:
        """A taken slot holds a block that no other slot holds; it is not pinned.

        ``known`` is when the service had it; by default it is not stored yet.
        """
        self._names[slot] = name
        self._lengths[slot] = nbytes
        self._known[slot] = known
        self._by_name[name] = slot
        self._unpinned[slot] = None

    def find(self, name: bytes) -> int | None:
        """The slot of a block."""
        return self._by_name.get(name)

    def length(self, slot: int) -> int:
        """Bytes of the block in a slot."""
        return self._lengths[slot]

    def is_unwritten(self, slot: int) -> bool:
        """Whether an engine made the block and the service has not stored it, as far as is known."""
        return self._known[slot] == math.inf

    def known(self, slot: int, now: float) -> None:
        """The service has the block."""
        self._known[slot] = now

    def is_known(self, slot: int, since: float) -> bool:
        """Whether the service had the block at that time or later, or does not have it yet, as far as is known."""
        return self._known[slot] >= since

    def pin(self, slot: int) -> None:
        """Once more."""
        self._pins[slot] += 1
        self._unpinned.pop(slot, None)

    def unpin(self, slot: int) -> None:
        """Once less; the slot's block counts as used now."""
        self._pins[slot] -= 1
        if not self._pins[slot]:
            self._unpinned[slot] = None

    def drop(self, slot: int) -> None:
        """The block in an unpinned slot is of no use."""
        del self._unpinned[slot]
        self._forget(slot)
        self._free.append(slot)

    def _forget(self, slot: int) -> None:
        name = self._names[slot]
        if name is not None:
            del self._by_name[name]
        self._names[slot] = None

    def counts(self) -> dict[str, int]:
        """How many slots are free, taken, pinned, and hold a block that may make room."""
        held, unpinned, free = len(self._by_name), len(self._unpinned), len(self._free)
        taken = len(self._names) - held - free
        return {"free": free, "taken": taken, "pinned": held - unpinned, "cached": unpinned}
