"""The memory of an agent that ended goes with the last use of it, and does not wait for the next agent."""

from __future__ import annotations

import os
import pathlib
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from agents import BLOCK, a_chain, content, done, home, pids, read, reserved, settings, until
from plane import Plane, planes

from kvstore_client.agent import Agent, SlotPool

__all__ = ["home"]


@pytest.fixture
def plane(pb: Any) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


def mapped() -> list[str]:
    return [line for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "memfd:kvstore-agent" in line]


def test_memory_of_a_killed_agent_is_unmapped_at_once(
    home: pathlib.Path, plane: Plane, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = a_chain(2)
    plane.put(chain, content(0), content(1))
    with Agent(settings(plane.address), burst=4) as agent:
        assert agent.wait(60)
        agent.prefetch("one", [chain], expected_bytes=[BLOCK])
        assert read(done(agent, "one")) == [content(0), content(1)]
        agent.store(reserved(agent), BLOCK, a_chain(1, "new"), 0)
        slot = reserved(agent)
        assert len(mapped()) == 1
        monkeypatch.setattr("kvstore_client.agent.launch.start", lambda *_: "not yet")
        (pid,) = pids(home)
        os.kill(pid, signal.SIGKILL)
        until(lambda: not agent.stats()["connected"])
        assert agent.pool is None
        assert len(mapped()) == 1, "a slot is being filled"
        del slot
        until(lambda: not mapped())


def test_who_uses_the_memory_hears_of_each_agent(home: pathlib.Path, plane: Plane) -> None:
    heard: list[int] = []

    def met(pool: SlotPool) -> None:
        heard.append(pool.generation)

    with Agent(settings(plane.address), met=met, lost=lambda: heard.append(0)) as agent:
        assert agent.wait(60)
        assert heard == [agent.pool.generation if agent.pool else 0]
        (pid,) = pids(home)
        os.kill(pid, signal.SIGKILL)
        until(lambda: len(heard) == 3)
        assert heard[1] == 0 and heard[2] > heard[0]


def test_a_connection_that_breaks_finds_the_same_memory_while_it_is_used(home: pathlib.Path, plane: Plane) -> None:
    met: list[SlotPool] = []
    with Agent(settings(plane.address), met=met.append) as agent:
        assert agent.wait(60)
        agent._link.give_up(ConnectionError("for the test"))
        until(lambda: len(met) == 2)
        assert met[0] is met[1]
        assert len(mapped()) == 1
