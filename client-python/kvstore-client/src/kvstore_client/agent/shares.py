"""The division of slots among engines that want more than there are."""

from __future__ import annotations

from collections.abc import Sequence


def granted_slots(slots: int) -> int:
    """How many of an agent's slots engines may hold to fill them: a quarter, so that most hold blocks."""
    return max(1, slots // 4)


def shares(total: int, wanted: Sequence[int]) -> list[int]:
    """The share of each engine in ``total`` slots: equal shares, and none larger than the engine ``wanted``.

    Slots that one engine does not want are divided equally among the others (max-min fairness; Bertsekas and Gallager,
    Data Networks, section 6.5.2). An engine that wants slots has a share of at least 1, even if the sum of all shares
    exceeds ``total`` thereby.
    """
    result = [0] * len(wanted)
    left = total
    for others, i in zip(range(len(wanted), 0, -1), sorted(range(len(wanted)), key=wanted.__getitem__), strict=True):
        result[i] = min(wanted[i], max(1, left // others))
        left = max(0, left - result[i])
    return result
