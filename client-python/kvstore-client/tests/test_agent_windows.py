"""Chains of which only a window before the prefix's end is needed, as those of sliding windows."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from agents import BLOCK, a_chain, content, done, home, read, save, settings, until
from plane import Plane, planes

from kvstore_client import BlockChain
from kvstore_client.agent import NO_SLOT, Agent, Progress

__all__ = ["home"]

WINDOW = 2


@pytest.fixture
def plane(pb: Any) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


@pytest.fixture
def agent(home: pathlib.Path, plane: Plane) -> Iterator[Agent]:
    with Agent(settings(plane.address)) as made:
        assert made.wait(60)
        yield made


def two(plane: Plane, blocks: int, missing: tuple[int, ...] = ()) -> list[BlockChain]:
    """A prompt's chain of full attention, all of which is stored, and that of a window, of which blocks are missing."""
    whole, windowed = a_chain(blocks, "whole"), a_chain(blocks, "windowed")
    plane.put(whole, *map(content, range(blocks)))
    plane.put(windowed, *(content(100 + i) for i in range(blocks)))
    for at in missing:
        del plane._blocks[windowed.hash(at)]
    return [whole, windowed]


def fetch(agent: Agent, chains: list[BlockChain], skip: int = 0) -> Progress:
    agent.prefetch("one", chains, expected_bytes=[BLOCK] * 2, windows=[0, WINDOW], skip=skip)
    return done(agent, "one")


def windows(progress: Progress) -> list[int]:
    return [at for at, (_, slot) in enumerate(progress.slots) if slot != NO_SLOT]


def test_of_a_window_only_its_blocks_are_read(agent: Agent, plane: Plane) -> None:
    chains = two(plane, 6)
    progress = fetch(agent, chains)
    assert (progress.found, progress.ready, windows(progress)) == (6, 6, [4, 5])
    assert read(progress)[:6] == [content(i) for i in range(6)]
    assert [bytes(progress.view(at, 1)[:BLOCK]) for at in (4, 5)] == [content(104), content(105)]
    read_names = [*(chains[0].hash(i) for i in range(6)), *(chains[1].hash(i) for i in (4, 5))]
    assert sorted(plane.reads) == sorted(read_names)
    assert plane.lookups == 1
    assert [agent.known(chain) for chain in chains] == [6, 0], "nobody looked for the windowed ones"


def test_of_a_window_that_reaches_behind_the_skipped_blocks_the_rest_is_read(agent: Agent, plane: Plane) -> None:
    progress = fetch(agent, two(plane, 6), skip=5)
    assert (progress.found, progress.ready, windows(progress)) == (6, 1, [0])


@pytest.mark.parametrize(
    ("missing", "ready", "there"),
    [((5,), 5, [3, 4]), ((4,), 4, [2, 3]), ((5, 3), 3, [1, 2]), ((5, 4, 3, 2), 2, [0, 1]), ((0, 1), 6, [4, 5])],
)
def test_the_prefix_ends_where_a_window_is_whole(
    agent: Agent, plane: Plane, missing: tuple[int, ...], ready: int, there: list[int]
) -> None:
    progress = fetch(agent, two(plane, 6, missing))
    assert (progress.found, progress.ready) == (6, ready)
    assert windows(progress)[-WINDOW:] == there
    assert [bytes(progress.view(at, 1)[:BLOCK]) for at in there] == [content(100 + at) for at in there]


def test_a_prompt_without_any_window_is_not_there_at_all(agent: Agent, plane: Plane) -> None:
    progress = fetch(agent, two(plane, 4, (0, 1, 2, 3)))
    assert (progress.found, progress.ready, progress.slots) == (4, 0, ())


def test_a_shorter_whole_chain_moves_the_window(agent: Agent, plane: Plane) -> None:
    chains = two(plane, 6)
    plane._blocks[chains[0].hash(4)] = chains[0], 4, b"short"
    progress = fetch(agent, chains)
    assert (progress.ready, windows(progress)[-WINDOW:]) == (4, [2, 3])


def test_memory_alone_answers_if_it_has_the_window(agent: Agent, plane: Plane) -> None:
    chains = two(plane, 6)
    fetch(agent, chains)
    agent.release("one")
    plane.reads.clear()
    progress = fetch(agent, chains)
    assert (progress.ready, windows(progress), plane.reads) == (6, [4, 5], [])


def test_a_prefix_in_memory_without_a_window_there_does_not_count(agent: Agent, plane: Plane) -> None:
    chains = [a_chain(4, "whole"), a_chain(4, "windowed")]
    for at in range(4):
        save(agent, chains[0], at, content(at))
        if at < 3:
            save(agent, chains[1], at, content(100 + at))
    until(lambda: agent.unwritten() == 0)
    plane.away = True
    progress = fetch(agent, chains)
    assert (progress.ready, windows(progress)[-WINDOW:]) == (3, [1, 2])
