"""The blocks of all ranks of a prompt are at one data plane, and what the agent has needs no service."""

from __future__ import annotations

import contextlib
import math
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from agents import BLOCK, a_chain, content, done, home, read, reserved, save, settings, until
from plane import Plane, planes

from kvstore_client import BlockChain
from kvstore_client.agent import Agent
from kvstore_client.agent.slots import Slots

__all__ = ["home"]

RANKS, BLOCKS = 3, 5


@pytest.fixture
def pair(pb: Any) -> Iterator[list[Plane]]:
    """Data planes that do not know each other's blocks."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(planes(pb)) for _ in range(2)]


def prompts(count: int) -> list[list[BlockChain]]:
    return [[a_chain(BLOCKS, f"rank{rank}", seed=1000 * i) for rank in range(RANKS)] for i in range(count)]


def test_all_ranks_of_a_prompt_are_written_where_it_is_looked_up(home: pathlib.Path, pair: list[Plane]) -> None:
    where = [plane.address for plane in pair]
    asked = prompts(6)  # with eight of them, the client would learn that they part behind the partition's root
    with Agent(settings("", endpoints=where, host_memory=256 * 8192)) as agent:
        assert agent.wait(60)
        for chains in asked:
            for rank, chain in enumerate(chains):
                for i in range(BLOCKS):
                    slot = reserved(agent)
                    slot.view[:BLOCK] = content(10 * rank + i)
                    agent.store(slot, BLOCK, chain, i, prompt=chains[0])
        until(lambda: agent.unwritten() == 0)
    with Agent(settings("", endpoints=where, host_memory=255 * 8192)) as other:
        assert other.wait(60)
        for at, chains in enumerate(asked):
            other.prefetch(str(at), chains, expected_bytes=[BLOCK] * RANKS)
            found = done(other, str(at))
            assert (found.found, found.ready) == (BLOCKS, BLOCKS)
            assert [read(found, rank)[1] for rank in range(RANKS)] == [content(10 * rank + 1) for rank in range(RANKS)]
            other.release(str(at))


def test_blocks_in_memory_are_found_though_the_service_does_not_know_them(
    home: pathlib.Path, pair: list[Plane]
) -> None:
    plane, chain = pair[0], a_chain(BLOCKS)
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        for i in range(3):
            save(agent, chain, i, content(i))
        until(lambda: agent.unwritten() == 0)
        plane._blocks.clear()
        agent.prefetch("all of it", [chain.prefix(3)], expected_bytes=[BLOCK])
        assert read(done(agent, "all of it")) == [content(i) for i in range(3)]
        assert plane.lookups == 0, "nobody was asked"
        agent.prefetch("more", [chain], expected_bytes=[BLOCK])
        assert read(done(agent, "more")) == [content(i) for i in range(3)]
        assert plane.lookups == 1


def test_what_the_service_had_is_believed_for_a_while() -> None:
    slots = Slots(2)
    for name, known in ((b"stored", 5.0), (b"not yet", math.inf)):
        slot = slots.take()
        assert slot is not None
        slots.fill(slot, name, 1, known=known)
    stored, unwritten = (slots.find(name) for name in (b"stored", b"not yet"))
    assert stored is not None and unwritten is not None
    assert slots.is_known(stored, 5.0) and not slots.is_known(stored, 5.1)
    slots.known(stored, 70.0)
    assert slots.is_known(stored, 65.0) and slots.is_known(unwritten, 1e9)


def test_a_prompt_in_memory_needs_no_service(home: pathlib.Path, pair: list[Plane]) -> None:
    plane, chain = pair[0], a_chain(2)
    with Agent(settings(plane.address)) as agent:
        assert agent.wait(60)
        for i in range(2):
            save(agent, chain, i, content(i))
        until(lambda: agent.unwritten() == 0)
        plane.hold_lookups.clear()
        agent.prefetch("one", [chain], expected_bytes=[BLOCK], deadline=3600)
        assert read(done(agent, "one")) == [content(0), content(1)]
