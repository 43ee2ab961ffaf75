"""How engines divide slots of which there are too few."""

from __future__ import annotations

from collections.abc import Sequence


def shares(total: int, wanted: Sequence[int]) -> list[int]:
    """The share of each of them in ``total``: all get as much as the others, and nobody more than is ``wanted``.

    What one leaves goes to the others in equal parts (max-min fairness; Bertsekas and Gallager, Data Networks, section
    6.5.2). Each that wants something has at least 1, also where the sum is more than ``total`` then.
    """
    result = [0] * len(wanted)
    left = total
    for others, i in zip(range(len(wanted), 0, -1), sorted(range(len(wanted)), key=wanted.__getitem__), strict=True):
        result[i] = min(wanted[i], max(1, left // others))
        left = max(0, left - result[i])
    return result
