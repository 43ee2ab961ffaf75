"""Which operations belong together when the caller does not say so."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence

from kvstore_client.names import BlockChain


class Affinity:
    """The key that keeps operations on one conversation at one data plane when the caller names none.

    It is the name of the first block of the conversation's own, behind the system prompt that it shares with others;
    where prompts part is learnt from the prompts. Java's ``Affinity`` has the reasons. 1 MiB.
    """

    BRANCHES = 8
    HORIZON = 256
    _GUESS = 7
    _SETS = 1 << 15
    _SHARED = 0xFFFFFFFFFFFFFFFF

    def __init__(self, rng: random.Random) -> None:
        """``rng`` is for prompts that may go anywhere."""
        self._rng = rng
        self._table = array("Q", bytes(8 * 4 * self._SETS))

    def of(self, chain: BlockChain) -> int:
        """The key of a prompt, of which the chain may be a prefix; learns from it."""
        whole = chain.whole()
        hashes = whole.hashes
        root = int.from_bytes(whole.partition.root[:8], "big")
        size = len(whole)
        if size == 0:
            return root
        seen = min(size, self.HORIZON)
        heads = [int.from_bytes(hashes[32 * i : 32 * i + 8], "big") for i in range(min(size, seen + 1))]
        own = 0
        parent = root
        for i in range(seen):
            if self._follows(parent, heads[i]):
                own = i + 1
            parent = heads[i]
        if self._shared(parent):
            return heads[seen] if size > seen else self._rng.getrandbits(64)
        return heads[own - 1 if own else min(size - 1, self._GUESS)]

    def of_names(self, names: Sequence[bytes]) -> int:
        """The key of blocks of which nothing but their names is known."""
        return int.from_bytes(names[min(len(names) - 1, self._GUESS)][:8], "big") if names else 0

    def _follows(self, parent: int, block: int) -> bool:
        """Takes note that one block follows another; whether many different ones do."""
        table = self._table
        at_set = (parent & (self._SETS - 1)) * 4
        for at in (at_set, at_set + 2):
            if table[at] == parent:
                kinds = table[at + 1]
                if kinds == self._SHARED:
                    return True
                now = kinds | 1 << (block >> 58)
                many = now.bit_count() >= self.BRANCHES
                if now != kinds:
                    table[at + 1] = self._SHARED if many else now
                return many
        victim = at_set + (parent >> 62 & 1) * 2
        if table[victim + 1] == self._SHARED:  # stays while anything else can go
            victim = at_set + (2 if victim == at_set else 0)
        table[victim] = parent
        table[victim + 1] = 1 << (block >> 58)
        return False

    def _shared(self, block: int) -> bool:
        at_set = (block & (self._SETS - 1)) * 4
        for at in (at_set, at_set + 2):
            if self._table[at] == block:
                return self._table[at + 1] == self._SHARED
        return False
