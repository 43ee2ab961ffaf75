"""Prompts' names as messages carry them, and pieces of prompts that the client takes for whole ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kvstore_client import names
from kvstore_client.agent.messages import MalformedError, Message, encode, whole_number
from kvstore_client.names import HASH_BYTES, BlockChain, Partition

#: Most names of a prompt's blocks that come with a block to write: as many as the choice of a data plane looks at.
HEADS = 257


class OneBlock(BlockChain):
    """A prompt of which one block is known whole."""

    __slots__ = ("_extra", "_parent", "_prompt", "index", "name")

    def __init__(
        self, partition: Partition, index: int, parent: bytes, tokens: bytes, extra: bytes, prompt: BlockChain
    ):
        """``prompt`` has names of the first blocks, for the choice of a data plane; maybe of another partition."""
        super().__init__(partition, prompt.hashes, len(prompt), tokens, ())
        self._prompt = prompt
        self.index = index
        self.name = names.block_hash(parent, tokens, extra)
        self._parent = parent
        self._extra = extra

    def hash(self, index: int) -> bytes:
        """The name of the block."""
        return self.name if index == self.index else super().hash(index)

    def parent(self, index: int) -> bytes:
        """The name of the block before it."""
        return self._parent if index == self.index else super().parent(index)

    def tokens(self, index: int) -> bytes:
        """The block's tokens; of others none are known."""
        return self._tokens if index == self.index else b""

    def extra(self, index: int) -> bytes:
        """The block's extra; of others none is known."""
        return self._extra if index == self.index else b""

    def whole(self) -> BlockChain:
        """The prompt as the choice of a data plane sees it."""
        return self._prompt


class Stretch(BlockChain):
    """Some blocks of a prompt, to read; the choice of a data plane looks at the whole prompt."""

    __slots__ = ("_first", "_prompt")

    def __init__(self, chain: BlockChain, first: int, blocks: int, prompt: BlockChain | None = None):
        """``blocks`` of them, from block ``first`` on. ``prompt``: the chain of another partition that is looked at."""
        super().__init__(chain.partition, chain.whole().hashes, blocks, b"", ())
        self._first = first
        self._prompt = (prompt or chain).whole()

    def locations(self) -> list[bytes]:
        """Where the blocks are."""
        ends = range(HASH_BYTES * self._first, HASH_BYTES * (self._first + len(self)), HASH_BYTES)
        return [names.location(self.partition.root, self._hashes[at : at + HASH_BYTES]) for at in ends]

    def whole(self) -> BlockChain:
        """The prompt as the choice of a data plane sees it."""
        return self._prompt


def prefetch(
    number: int,
    chains: Sequence[BlockChain],
    expected: Sequence[int],
    windows: Sequence[int],
    deadline: float,
    skip: int,
) -> bytes:
    """A prefetch: of each chain its partition, its length, its window, and its blocks' names."""
    told = [
        [one.partition.name, one.partition.block_tokens, len(one), size, window]
        for one, size, window in zip(chains, expected, windows, strict=True)
    ]
    body = b"".join(one.hashes for one in chains)
    return encode("prefetch", body, id=number, deadline=deadline, skip=skip, chains=told)


def chains_of(
    message: Message, most_chains: int, most_blocks: int, most_bytes: int
) -> tuple[list[BlockChain], list[int], list[int]]:
    """The chains of a prefetch, without tokens, the length of each chain's blocks, and each chain's window."""
    chains, expected, windows, at = [], [], [], 0
    for told in message.items("chains", most_chains):
        if not isinstance(told, list) or len(told) != 5 or not isinstance(told[0], str):
            raise MalformedError("prefetch: a chain is a partition, block_tokens, blocks, their bytes and a window")
        blocks = whole_number("prefetch: blocks", told[2], 0, most_blocks)
        expected.append(whole_number("prefetch: expected_bytes", told[3], 1, most_bytes))
        windows.append(whole_number("prefetch: window", told[4], 0, most_blocks))
        hashes = message.body[at : at + HASH_BYTES * blocks]
        at += HASH_BYTES * blocks
        chains.append(BlockChain(_partition(told[0], told[1]), hashes, blocks, b"", ()))
    if not chains or at != len(message.body) or at > HASH_BYTES * most_blocks:
        raise MalformedError(f"prefetch: give 1 to {most_chains} chains, with {HASH_BYTES} bytes a block")
    if len({chain.partition.block_tokens for chain in chains}) > 1:
        raise MalformedError("prefetch: chains must have equal block_tokens")
    return chains, expected, windows


def store(slot: int, nbytes: int, chain: BlockChain, index: int, prompt: BlockChain) -> bytes:
    """A block that is to be written from a slot, to the data plane of ``prompt``."""
    whole = prompt.whole()
    heads = whole.hashes[: HEADS * HASH_BYTES]
    tokens, extra = chain.tokens(index), chain.extra(index)
    partition = chain.partition
    return encode(
        "store",
        b"".join((chain.parent(index), tokens, extra, heads)),
        slot=slot,
        nbytes=nbytes,
        partition=partition.name,
        prompt=whole.partition.name,
        block_tokens=partition.block_tokens,
        index=index,
        extra=len(extra),
    )


def block_of(message: Message) -> OneBlock:
    """The block of a ``store``."""
    index = message.integer("index", 0, names.MAX_BLOCK_TOKENS << 10)
    extra = message.integer("extra", 0, names.MAX_EXTRA_BYTES)
    block_tokens = message.integer("block_tokens", 1, 1 << 13)
    partition = _partition(message.text("partition", names.MAX_PARTITION_BYTES), block_tokens)
    where = _partition(message.text("prompt", names.MAX_PARTITION_BYTES), block_tokens)
    ends = [HASH_BYTES]
    ends += [ends[-1] + 4 * partition.block_tokens]
    ends += [ends[-1] + extra]
    heads = message.body[ends[2] :]
    if len(message.body) < ends[2] or len(heads) % HASH_BYTES or not 0 < len(heads) <= HEADS * HASH_BYTES:
        raise MalformedError("store: its body must be the parent, the tokens, the extra, and names of 32 bytes")
    parent, tokens = message.body[: ends[0]], message.body[ends[0] : ends[1]]
    prompt = BlockChain(where, heads, len(heads) // HASH_BYTES, b"", ())
    return OneBlock(partition, index, parent, tokens, message.body[ends[1] : ends[2]], prompt)


def _partition(name: Any, block_tokens: Any) -> Partition:
    try:
        return Partition(name, whole_number("block_tokens", block_tokens, 1, names.MAX_BLOCK_TOKENS))
    except ValueError as e:
        raise MalformedError(str(e)) from None
