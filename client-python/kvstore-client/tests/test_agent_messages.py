"""Messages that are malformed, however they are, end their connection and nothing else."""

from __future__ import annotations

import contextlib
import json
import pathlib
import random
import struct
from typing import Any

import pytest
from agents import BLOCK, a_chain, heard, hello, home, raw, settings, sockets, values
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from kvstore_client import BlockChain, Partition
from kvstore_client.agent import Agent, chains
from kvstore_client.agent.messages import MAX_MESSAGE_BYTES, Frames, MalformedError, encode

__all__ = ["home"]

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(st.lists(st.tuples(st.text(max_size=20), st.binary(max_size=300)), max_size=6), st.randoms())
def test_messages_come_out_as_they_went_in_however_they_are_cut(sent: list[Any], rng: random.Random) -> None:
    data = b"".join(encode(kind, body, n=i) for i, (kind, body) in enumerate(sent))
    frames, got, at = Frames(), [], 0
    while at < len(data):
        size = rng.randint(1, 40)
        got += list(frames.feed(data[at : at + size]))
        at += size
    assert [(one.kind, one.body, one.integer("n", 0, 9)) for one in got] == [
        (kind, body, i) for i, (kind, body) in enumerate(sent)
    ]
    assert frames.empty


@given(st.binary(max_size=200))
def test_any_bytes_are_messages_or_malformed(data: bytes) -> None:
    frames = Frames()
    with contextlib.suppress(MalformedError):
        for message in frames.feed(data):
            assert isinstance(message.kind, str)


@pytest.mark.parametrize(
    "data",
    [
        struct.pack("<II", MAX_MESSAGE_BYTES + 1, 2),
        struct.pack("<II", 5, 2),
        struct.pack("<II", 1 << 22, (1 << 20) + 1),
        struct.pack("<II", 6, 2) + b"[]",
        struct.pack("<II", 6, 2) + b"{}",
        struct.pack("<II", 6, 2) + b"\xff\xff",
        struct.pack("<II", 100_004, 100_000) + b"[" * 100_000,
    ],
)
def test_lengths_and_headers_that_break_the_rules_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        list(Frames().feed(data))


def test_a_block_to_write_comes_out_as_it_went_in() -> None:
    chain = BlockChain.of(Partition("p", 4), range(4 * 300), [bytes([i % 256]) * (i % 3) for i in range(300)])
    for index in (0, 1, 256, 299):
        (message,) = Frames().feed(chains.store(3, 5, chain, index, chain))
        block = chains.block_of(message)
        assert (block.hash(index), block.parent(index)) == (chain.hash(index), chain.parent(index))
        assert (block.tokens(index), block.extra(index)) == (chain.tokens(index), chain.extra(index))
        assert block.location(index) == chain.location(index)
        assert block.whole().hashes == chain.hashes[: 32 * chains.HEADS]
        (message,) = Frames().feed(chains.store(3, 5, chain, index, a_chain(6, "first rank")))
        block = chains.block_of(message)
        assert (block.location(index), block.whole().partition.name) == (chain.location(index), "first rank")
        assert block.whole().hashes == a_chain(6, "first rank").hashes


def test_a_stretch_of_a_prompt_is_read_where_the_prompt_is() -> None:
    chain = a_chain(9)
    part = chains.Stretch(chain.prefix(8), 3, 4)
    assert part.locations() == chain.locations()[3:7]
    assert (len(part), part.whole().hashes) == (4, chain.hashes)
    assert chains.Stretch(chain, 3, 4, a_chain(9, "first rank")).whole().hashes == a_chain(9, "first rank").hashes


GOOD: dict[str, Any] = {"id": 1, "deadline": 1, "skip": 0, "chains": [["p", 4, 1, BLOCK, 0]]}


@pytest.mark.parametrize(
    "message",
    [
        encode("nonsense"),
        encode("prefetch", bytes(32), **{**GOOD, "id": -1}),
        encode("prefetch", bytes(32), **{**GOOD, "deadline": "soon"}),
        encode("prefetch", bytes(32), **{**GOOD, "deadline": float("nan")}),
        encode("prefetch", bytes(31), **GOOD),
        encode("prefetch", b"", **{**GOOD, "chains": []}),
        encode("prefetch", bytes(32), **{**GOOD, "chains": [["", 4, 1, BLOCK, 0]]}),
        encode("prefetch", bytes(32), **{**GOOD, "chains": [["p", 0, 1, BLOCK, 0]]}),
        encode("prefetch", bytes(32), **{**GOOD, "chains": [["p", 4, 1, BLOCK + 1, 0]]}),
        encode("prefetch", bytes(32), **{**GOOD, "chains": [["p", 4, 1, BLOCK, -1]]}),
        encode("prefetch", bytes(64), **{**GOOD, "chains": [["p", 4, 1, BLOCK, 0], ["p", 5, 1, BLOCK, 0]]}),
        encode("cancel", slots=[1 << 60]),
        encode("cancel", slots=[59]),
        encode("want", slots=1000),
        chains.store(59, BLOCK, a_chain(1), 0, a_chain(1)),
        encode("store", bytes(99), slot=0, nbytes=1, partition="p", block_tokens=4, index=0, extra=0),
        encode("release", id=True),
        encode("hello"),
        struct.pack("<II", 0xFFFFFFFF, 0),
    ],
)
def test_a_message_that_breaks_its_rule_ends_its_connection_alone(home: pathlib.Path, message: bytes) -> None:
    mine = settings("127.0.0.1:1")
    with Agent(mine) as agent:
        assert agent.wait(60)
        (path,) = sockets(home)
        with raw(path) as sock:
            sock.sendall(hello(mine))
            assert heard(sock, "welcome") is not None
            sock.sendall(message)
            assert heard(sock, "error").text("text")
            assert heard(sock, "anything") is None, "it hangs up"
        assert agent.stats()["connected"] == 1
        assert values(path)["engines"] >= 1


def test_whatever_comes_the_agent_lives(home: pathlib.Path) -> None:
    mine = settings("127.0.0.1:1")
    kinds = st.sampled_from(["prefetch", "release", "store", "cancel", "want", "bye", "hello", "status", "x"])
    names = [
        "id",
        "deadline",
        "skip",
        "chains",
        "slot",
        "slots",
        "nbytes",
        "partition",
        "block_tokens",
        "index",
        "extra",
    ]
    fields = st.dictionaries(st.sampled_from(names), VALUES, max_size=8)

    with Agent(mine) as agent:
        assert agent.wait(60)
        (path,) = sockets(home)

        @limits(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
        @given(
            st.booleans(),
            st.lists(st.tuples(kinds, fields, st.binary(max_size=200)), max_size=3),
            st.binary(max_size=40),
        )
        def strangers(greets: bool, messages: list[Any], rest: bytes) -> None:
            with raw(path) as sock:
                data = b"".join(encode(kind, body, **header) for kind, header, body in messages)
                try:
                    if greets:
                        sock.sendall(hello(mine))
                        assert heard(sock, "welcome") is not None
                    sock.sendall(data + rest + encode("bye"))
                except ConnectionError:
                    pass  # it has hung up already
            assert json.dumps(values(path))

        try:
            strangers()
        finally:
            assert agent.stats()["connected"] == 1
