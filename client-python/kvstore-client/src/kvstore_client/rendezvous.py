"""Rendezvous hashing with weights, as Java's ``Rendezvous`` does it: equal keys belong to equal servers everywhere."""

from __future__ import annotations

import math

_MASK = 0xFFFFFFFFFFFFFFFF


def _mix(z: int) -> int:
    """Variant 13 of Stafford's mixers, as in SplitMix64."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def seed(text: str) -> int:
    """64 bits of a text (FNV-1a, mixed)."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & _MASK
    return _mix(value)


def unit(bits: int) -> float:
    """A number in (0, 1) that a key always has."""
    return ((_mix(bits) >> 11) + 0.5) * 2.0**-53


def score(key: int, of: int, weight: float) -> float:
    """The score of a data plane with this seed for a key; the data plane with the highest score has the key."""
    return -weight / math.log(unit(_mix(key) ^ of))
