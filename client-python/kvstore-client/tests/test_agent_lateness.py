"""A service that answers, and always after the deadline, is not waited for after a few requests."""

from __future__ import annotations

import pathlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from agents import BLOCK, a_chain, content, done, home, read, save, settings, sockets, until, values
from hypothesis import given
from hypothesis import strategies as st
from plane import Plane, planes

from kvstore_client.agent import Agent
from kvstore_client.agent.lateness import LATE, PROBE, Lateness
from kvstore_client.breaker import ERRORS, Breaker
from kvstore_client.errors import DeadlineExceededError, NotFoundError

__all__ = ["home"]


@pytest.fixture
def plane(pb: Any) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


@pytest.fixture
def agent(home: pathlib.Path, plane: Plane) -> Iterator[Agent]:
    with Agent(settings(plane.address, connections=16)) as made:
        assert made.wait(60)
        yield made


@pytest.mark.parametrize("late", ["lookups", "reads", "reads behind memory"])
def test_prefetches_do_not_wait_for_a_service_that_is_always_late(
    home: pathlib.Path, agent: Agent, plane: Plane, late: str
) -> None:
    ready = 1 if late == "reads behind memory" else 0
    chains = [a_chain(1 + ready, f"late{i}") for i in range(LATE)]
    for chain in chains:
        if ready:
            save(agent, chain, 0, content(0))
            until(lambda: agent.unwritten() == 0)
        plane.put(chain, *map(content, range(1 + ready)))
        if late != "lookups":
            plane.hold_read[chain.hash(ready)] = threading.Event()
    written = len(plane.writes)
    if late == "lookups":
        plane.hold_lookups.clear()
    for i, chain in enumerate(chains):
        agent.prefetch(str(i), [chain], expected_bytes=[BLOCK], deadline=0.3)
        assert (done(agent, str(i)).ready, agent.progress(str(i)).broken) == (ready, False)
    (path,) = sockets(home)
    until(lambda: values(path)["service_late"] == 1)
    assert values(path)["late_prefetches"] == LATE
    agent.prefetch("at once", [a_chain(1, "other")], expected_bytes=[BLOCK], deadline=3600)
    assert done(agent, "at once").found == 0
    save(agent, a_chain(1, "saved"), 0, content(3))
    until(lambda: len(plane.writes) == written + 1, "writes go on")
    agent.prefetch("memory", [a_chain(1, "saved")], expected_bytes=[BLOCK], deadline=3600)
    assert read(done(agent, "memory")) == [content(3)]
    plane.hold_lookups.set()
    for held in plane.hold_read.values():
        held.set()
    plane.put(a_chain(1, "again"), content(4))

    def found() -> bool:
        agent.prefetch("again", [a_chain(1, "again")], expected_bytes=[BLOCK], deadline=3600)
        return done(agent, "again").ready == 1

    until(found, "it is tried now and then")
    assert values(path)["service_late"] == 0


def test_a_probe_is_one_in_a_while() -> None:
    lateness = Lateness()
    for _ in range(LATE - 1):
        lateness.ended(brought=False, now=0.0)
    lateness.ended(brought=True, now=0.0)
    for _ in range(LATE):
        assert not lateness.paused
        lateness.ended(brought=False, now=0.0)
    assert lateness.paused
    asked = [now for now in range(100) if lateness.probes(float(now))]
    assert asked == list(range(int(PROBE), 100, int(PROBE)))
    lateness.ended(brought=True, now=100.0)
    assert not lateness.paused


@given(st.floats(0.1, 100.0))
def test_errors_in_a_row_open_the_breaker_however_long_each_takes(seconds: float) -> None:
    breaker = Breaker()
    late = DeadlineExceededError("late")
    assert [breaker.failed(late, seconds * i) for i in range(ERRORS)] == [False] * (ERRORS - 1) + [True]
    breaker.close()
    assert breaker.failed(late, 1000 * seconds), "a service that only answers a probe"
    breaker.close()
    breaker.succeeded()
    assert not breaker.failed(late, 2000 * seconds)


def test_an_error_now_and_then_leaves_the_breaker_closed() -> None:
    breaker = Breaker()
    for i in range(100):
        assert not breaker.failed(DeadlineExceededError("late"), 3.0 * i)
        assert not breaker.failed(NotFoundError("none"), 3.0 * i)
        breaker.succeeded()
