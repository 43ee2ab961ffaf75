"""Prefetches and writes through a real agent, against a data plane that tests hold up or take away."""

from __future__ import annotations

import pathlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from agents import BLOCK, a_chain, content, done, home, read, reserved, save, settings, sockets, until, values
from plane import Plane, planes

from kvstore_client.agent import Agent

__all__ = ["home"]


@pytest.fixture
def plane(pb: Any) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


@pytest.fixture
def agent(home: pathlib.Path, plane: Plane) -> Iterator[Agent]:
    with Agent(settings(plane.address)) as made:
        assert made.wait(60)
        yield made


def test_the_blocks_of_all_ranks_are_read_into_slots(agent: Agent, plane: Plane) -> None:
    chains = [a_chain(6, f"rank{rank}") for rank in range(3)]
    for rank, blocks in enumerate((6, 4, 5)):
        plane.put(chains[rank], *(content(10 * rank + i) for i in range(blocks)))
    agent.prefetch("one", chains, expected_bytes=[BLOCK] * 3, skip=1)
    progress = done(agent, "one")
    assert (progress.found, progress.ready) == (4, 3)
    for rank in range(3):
        assert read(progress, rank) == [content(10 * rank + i) for i in range(1, 4)]
    assert [agent.known(chain) for chain in chains] == [4, 4, 4]
    assert sorted(plane.reads) == sorted(chain.hash(i) for chain in chains for i in range(1, 4))


def test_an_unknown_or_released_request_has_nothing(agent: Agent, plane: Plane) -> None:
    chain = a_chain(2)
    plane.put(chain, content(0), content(1))
    assert agent.progress("nobody").done and agent.progress("nobody").ready == 0
    agent.prefetch("one", [chain], expected_bytes=[BLOCK])
    assert done(agent, "one").ready == 2
    for _ in range(2):
        agent.release("one")
    assert (agent.progress("one").found, agent.progress("one").slots) == (0, ())


def test_a_block_that_is_missing_or_has_another_length_ends_the_prefix(
    home: pathlib.Path, agent: Agent, plane: Plane
) -> None:
    chain, short = a_chain(4, "hole"), a_chain(3, "short")
    plane.put(chain, *map(content, range(4)))
    plane.put(short, content(0), b"short", content(2))
    plane.hold_read[chain.hash(2)] = held = threading.Event()
    agent.prefetch("hole", [chain], expected_bytes=[BLOCK])
    until(lambda: chain.hash(2) in plane.reads)
    del plane._blocks[chain.hash(2)]
    held.set()
    agent.prefetch("short", [short], expected_bytes=[BLOCK])
    assert [(done(agent, name).found, done(agent, name).ready) for name in ("hole", "short")] == [(4, 2), (3, 1)]
    (path,) = sockets(home)
    until(lambda: values(path)["host_bytes.taken"] == 4 * BLOCK, "only slots for saves are taken")


def test_the_deadline_gives_the_prefix_and_what_comes_later_is_kept(
    home: pathlib.Path, agent: Agent, plane: Plane
) -> None:
    chain = a_chain(6)
    plane.put(chain, *map(content, range(6)))
    plane.hold_read[chain.hash(3)] = held = threading.Event()
    agent.prefetch("early", [chain], expected_bytes=[BLOCK], deadline=0.5)
    progress = done(agent, "early")
    assert (progress.found, progress.ready) == (6, 3)
    assert read(progress) == [content(i) for i in range(3)]
    (path,) = sockets(home)
    until(lambda: values(path).get("late_blocks") == 3, "the agent ends it, too")
    held.set()
    agent.prefetch("later", [chain], expected_bytes=[BLOCK])
    assert read(done(agent, "later")) == [content(i) for i in range(6)]
    assert agent.progress("early") == progress, "an answer that was final stays"
    assert plane.reads.count(chain.hash(3)) == 1, "it was read once"


def test_a_late_block_does_not_reach_a_slot_that_another_one_has(home: pathlib.Path, plane: Plane) -> None:
    late, other = a_chain(1, "late"), a_chain(3, "other")
    plane.put(late, content(9))
    plane.put(other, *map(content, range(3)))
    plane.hold_read[late.hash(0)] = held = threading.Event()
    with Agent(settings(plane.address, host_memory=4 * 8192)) as agent:  # one slot is granted for writes
        assert agent.wait(60)
        agent.prefetch("late", [late], expected_bytes=[BLOCK], deadline=2)
        assert plane.reading.wait(2)
        assert done(agent, "late").ready == 0
        agent.release("late")
        agent.prefetch("other", [other], expected_bytes=[BLOCK])
        progress = done(agent, "other")
        assert progress.ready == 2, "the slot of the late one is not given away"
        held.set()
        until(lambda: values(sockets(home)[0])["fetched_blocks"] == 3)
        assert read(progress) == [content(0), content(1)]


def test_pinned_blocks_are_not_evicted_and_released_ones_are(home: pathlib.Path, plane: Plane) -> None:
    first, second = a_chain(2, "first"), a_chain(3, "second")
    plane.put(first, content(0), content(1))
    plane.put(second, *map(content, range(10, 13)))
    with Agent(settings(plane.address, host_memory=4 * 8192)) as agent:
        assert agent.wait(60)
        agent.prefetch("first", [first], expected_bytes=[BLOCK])
        held = done(agent, "first")
        agent.prefetch("second", [second], expected_bytes=[BLOCK])
        cut = done(agent, "second")
        assert (cut.found, cut.ready) == (3, 1), "three slots, two of them pinned"
        assert read(held) == [content(0), content(1)]
        agent.release("first")
        agent.prefetch("third", [second], expected_bytes=[BLOCK])
        assert read(done(agent, "third")) == [content(i) for i in range(10, 13)]


def test_two_engines_share_one_read(agent: Agent, plane: Plane) -> None:
    chain = a_chain(5)
    plane.put(chain, *map(content, range(5)))
    plane.hold_read[chain.hash(0)] = held = threading.Event()
    with Agent(settings(plane.address)) as other:
        assert other.wait(60)
        for one, request in ((agent, "a"), (agent, "b"), (other, "a")):
            one.prefetch(request, [chain], expected_bytes=[BLOCK])
        until(lambda: plane.lookups == 3)
        held.set()
        found = [done(agent, "a"), done(agent, "b"), done(other, "a")]
        assert [one.slots for one in found] == [found[0].slots] * 3
        assert read(found[2]) == [content(i) for i in range(5)]
    assert sorted(plane.reads) == sorted(chain.hash(i) for i in range(5))


def test_a_service_that_is_away_is_left_alone_until_it_answers(home: pathlib.Path, agent: Agent, plane: Plane) -> None:
    chain = a_chain(1)
    plane.away = True
    for i in range(5):
        agent.prefetch(str(i), [chain], expected_bytes=[BLOCK])
        assert done(agent, str(i)).found == 0
    (path,) = sockets(home)
    until(lambda: values(path)["breaker_open"] == 1)
    asked = values(path)["lookup_count"]
    agent.prefetch("paused", [chain], expected_bytes=[BLOCK], deadline=3600)
    assert done(agent, "paused").found == 0
    assert values(path)["lookup_count"] == asked, "nobody asked"
    plane.put(chain, content(0))
    plane.away = False
    until(lambda: values(path)["breaker_open"] == 0)
    agent.prefetch("again", [chain], expected_bytes=[BLOCK])
    assert done(agent, "again").ready == 1


def test_a_store_that_nobody_serves_costs_a_prefetch_its_deadline_at_most(home: pathlib.Path) -> None:
    with Agent(settings("127.0.0.1:1")) as agent:
        assert agent.wait(60)
        agent.prefetch("one", [a_chain(1)], expected_bytes=[BLOCK], deadline=5)
        assert done(agent, "one") == agent.progress("one")
        assert agent.progress("one").found == 0


def test_blocks_are_written_and_stay_in_memory(home: pathlib.Path, agent: Agent, plane: Plane) -> None:
    chain = a_chain(6)
    for i in range(6):
        save(agent, chain, i, content(i))
    assert agent.known(chain) == 6
    until(lambda: len(plane.writes) == 6)
    assert [plane.content(chain.hash(i)) for i in range(6)] == [content(i) for i in range(6)]
    agent.prefetch("one", [chain], expected_bytes=[BLOCK])
    assert read(done(agent, "one")) == [content(i) for i in range(6)]
    assert plane.reads == []
    save(agent, chain, 0, content(0))
    until(lambda: values(sockets(home)[0]).get("repeated_saves") == 1)
    assert values(sockets(home)[0])["host_bytes.pinned"] == 6 * BLOCK, "each block is there once"
    assert len(plane.writes) == 6


def test_blocks_that_are_stored_with_other_bytes_are_warned_of_once_a_partition(
    home: pathlib.Path, agent: Agent, plane: Plane
) -> None:
    chains = [a_chain(3, name) for name in ("one", "other")]
    for chain in chains:
        plane.put(chain, *[content(9)] * 3)
        for i in range(3):
            save(agent, chain, i, content(i))
    (path,) = sockets(home)
    until(lambda: values(path).get("already_present.differs") == 6)
    lines = path.with_suffix(".socket.log").read_text(encoding="utf-8").splitlines()
    warned = [line for line in lines if "is stored with other bytes" in line]
    assert [f" of {name} is" in line for name, line in zip(("one", "other"), warned, strict=True)] == [True, True]


def test_a_block_that_waits_to_be_written_is_found(agent: Agent, plane: Plane) -> None:
    chain = a_chain(2)
    plane.hold_writes.clear()
    save(agent, chain, 0, content(0))
    assert plane.writing.wait(60)
    agent.prefetch("one", [chain], expected_bytes=[BLOCK])
    assert read(done(agent, "one")) == [content(0)]


def test_blocks_beyond_the_write_queue_are_dropped_and_so_is_what_follows(home: pathlib.Path, plane: Plane) -> None:
    chain, other = a_chain(5), a_chain(1, "other")
    plane.hold_writes.clear()
    with Agent(settings(plane.address, write_queue=2 * BLOCK)) as agent:
        assert agent.wait(60)
        for i in range(5):
            save(agent, chain, i, content(i))
        (path,) = sockets(home)
        until(lambda: values(path).get("dropped_saves.parent") == 2)
        assert values(path)["dropped_saves.queue_full"] == 1
        until(lambda: agent.known(chain) == 2)
        plane.hold_writes.set()
        until(lambda: values(path).get("stored_blocks") == 2)
        save(agent, other, 0, content(7))
        until(lambda: len(plane.writes) == 3)
        assert sorted(plane.writes[:2]) == sorted(chain.hash(i) for i in range(2))
        save(agent, chain, 2, content(2))
        until(lambda: len(plane.writes) == 4)
        assert agent.known(chain) == 3, "a block that was dropped can be stored later"


def test_a_burst_has_its_slots_beforehand(home: pathlib.Path, plane: Plane) -> None:
    with Agent(settings(plane.address), burst=12) as agent:
        assert agent.wait(60)
        (path,) = sockets(home)
        until(lambda: values(path)["host_bytes.taken"] == 12 * BLOCK)
        assert len({reserved(agent) for _ in range(12)}) == 12


def test_engines_that_want_all_slots_for_saves_share_them(home: pathlib.Path, plane: Plane) -> None:
    with Agent(settings(plane.address, host_memory=256 * 8192), burst=256) as first:
        assert first.wait(60)
        (path,) = sockets(home)
        until(lambda: values(path)["host_bytes.taken"] == 64 * BLOCK, "a quarter of all is granted")
        filled = [reserved(first) for _ in range(8)]
        with Agent(settings(plane.address, host_memory=256 * 8192), burst=256) as second:
            assert second.wait(60)
            assert len({reserved(second).number for _ in range(32)}) == 32
            until(lambda: len(first._granted) == 24, "it keeps a half: these, and the 8 that it fills")
            for i, slot in enumerate(filled):
                slot.view[:BLOCK] = content(i)
                first.store(slot, BLOCK, a_chain(8), i)
            until(lambda: first.unwritten() == 0)
            assert first.known(a_chain(8)) == 8
        until(lambda: values(path)["host_bytes.taken"] == 64 * BLOCK, "the slots of the engine that left are granted")
        assert len({reserved(first).number for _ in range(64)}) == 64


def test_slots_that_were_reserved_while_the_share_became_smaller_are_given_back(
    home: pathlib.Path, plane: Plane
) -> None:
    with Agent(settings(plane.address, host_memory=256 * 8192), burst=256) as first:
        assert first.wait(60)
        all_of_them = [reserved(first) for _ in range(64)]
        with Agent(settings(plane.address, host_memory=256 * 8192), burst=256) as second:
            assert second.wait(60)
            until(lambda: first._share == 32)
            for slot in all_of_them:
                first.cancel(slot)
            assert len({reserved(second).number for _ in range(32)}) == 32


@pytest.mark.parametrize(("burst", "left"), [(0, 16), (24, 24)])
def test_slots_that_are_not_used_are_given_back(
    home: pathlib.Path, plane: Plane, monkeypatch: pytest.MonkeyPatch, burst: int, left: int
) -> None:
    monkeypatch.setattr("kvstore_client.agent.engine._IDLE", 3600.0)
    with Agent(settings(plane.address, host_memory=256 * 8192), burst=burst) as agent:
        assert agent.wait(60)
        (path,) = sockets(home)
        slots = {reserved(agent) for _ in range(60)}
        assert len(slots) == 60
        monkeypatch.setattr("kvstore_client.agent.engine._IDLE", 0.0)
        for slot in slots:
            agent.cancel(slot)
        until(lambda: values(path)["host_bytes.taken"] == left * BLOCK)
        agent._look()
        agent._look()
        assert len(agent._granted) == left, "and no more"
        assert len({reserved(agent) for _ in range(60)}) == 60, "and granted again"


def test_saves_without_an_outcome_are_counted(agent: Agent, plane: Plane) -> None:
    chain = a_chain(2)
    plane.hold_writes.clear()
    for i in range(2):
        save(agent, chain, i, content(i))
    assert plane.writing.wait(60)
    assert agent.unwritten() == 2
    plane.hold_writes.set()
    until(lambda: agent.unwritten() == 0)
    assert len(plane.writes) == 2


def test_a_slot_that_is_not_reserved_is_not_stored(agent: Agent, plane: Plane) -> None:
    slot = reserved(agent)
    agent.cancel(slot)
    agent.store(slot, BLOCK, a_chain(1), 0)
    assert agent.stats()["dropped_saves.away"] == 1
    assert agent.known(a_chain(1)) == 0


@pytest.mark.parametrize(
    ("flaw", "arguments"),
    [
        ("chains", {"chains": []}),
        ("chains", {"chains": [a_chain(1)] * 65}),
        ("expected_bytes", {"expected_bytes": []}),
        ("expected_bytes", {"expected_bytes": [BLOCK + 1]}),
        ("deadline", {"deadline": float("nan")}),
        ("deadline", {"deadline": 0}),
        ("skip", {"skip": -1}),
    ],
)
def test_an_argument_that_breaks_its_rule_is_named(home: pathlib.Path, flaw: str, arguments: Any) -> None:
    with Agent(settings("127.0.0.1:1")) as agent:
        with pytest.raises(ValueError, match=f"^{flaw}: "):
            agent.prefetch("x", **{"chains": [a_chain(1)], "expected_bytes": [BLOCK], **arguments})
        with pytest.raises(ValueError, match="^nbytes: "):
            agent.store(reserved(agent), BLOCK + 1, a_chain(1), 0)


def test_an_agent_that_answers_at_once_finds_an_engine_that_is_made(
    home: pathlib.Path, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = threading.Event()
    begin, met = threading.Thread.start, Agent._met

    def start(thread: threading.Thread) -> None:
        begin(thread)
        if thread.name == "kvstore-agent-link":
            assert answered.wait(60)  # the thread that makes the engine may stand still as long

    def hear(agent: Agent, pool: Any) -> None:
        try:
            met(agent, pool)
        finally:
            answered.set()

    monkeypatch.setattr(threading.Thread, "start", start)
    monkeypatch.setattr(Agent, "_met", hear)
    with Agent(settings(plane.address), burst=2) as engine:
        assert engine.wait(60)
        reserved(engine)
