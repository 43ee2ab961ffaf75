"""An agent that stands still costs a few requests a moment, and the requests after them nothing."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from agents import BLOCK, a_chain, content, done, home, pids, read, reserved, settings, until
from plane import Plane, planes

from kvstore_client.agent import Agent
from kvstore_client.agent.heartbeat import EVERY, LONGER, SILENT, Heartbeat
from kvstore_client.agent.peers import wants_processor

__all__ = ["home"]


@pytest.fixture
def plane(pb: object) -> Iterator[Plane]:
    with planes(pb) as made:
        yield made


@pytest.fixture
def agent(home: pathlib.Path, plane: Plane, monkeypatch: pytest.MonkeyPatch) -> Iterator[Agent]:
    monkeypatch.setattr("kvstore_client.agent.heartbeat.SILENT", SILENT)
    with Agent(settings(plane.address)) as made:
        assert made.wait(60)
        yield made


def test_requests_go_on_without_a_frozen_agent_and_with_it_when_it_answers_again(
    home: pathlib.Path, agent: Agent, plane: Plane
) -> None:
    chain = a_chain(1)
    plane.put(chain, content(0))
    (pid,) = pids(home)
    os.kill(pid, signal.SIGSTOP)
    for i in range(12):
        agent.prefetch(str(i), [chain], expected_bytes=[BLOCK], deadline=30)
        given_up = done(agent, str(i))
        assert given_up.found == 0
        assert given_up.broken or i, "the first one is given up"
    told = agent.stats()
    assert (told["agent_silent"], told["prefetches_refused"], told["silent"]) == (1, 11, 1)
    os.kill(pid, signal.SIGCONT)
    until(lambda: not agent.stats()["silent"], "it is asked again and again")
    agent.prefetch("again", [chain], expected_bytes=[BLOCK])
    assert read(done(agent, "again")) == [content(0)]
    assert agent.stats()["agent_silent"] == 1


def test_a_deadline_that_the_agent_keeps_is_no_broken_promise(home: pathlib.Path, agent: Agent, plane: Plane) -> None:
    chain = a_chain(2)
    plane.put(chain, content(0), content(1))
    plane.hold_read[chain.hash(0)] = held = threading.Event()
    agent.prefetch("slow store", [chain], expected_bytes=[BLOCK], deadline=2 * SILENT)
    kept = done(agent, "slow store")
    assert (kept.ready, kept.broken) == (0, False)
    assert "agent_silent" not in agent.stats()
    (pid,) = pids(home)
    os.kill(pid, signal.SIGSTOP)
    stat = pathlib.Path(f"/proc/{pid}/stat")
    until(lambda: stat.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "T")
    held.set()
    agent.stats()  # reads what the agent sent before
    agent.prefetch("frozen", [a_chain(2, "other")], expected_bytes=[BLOCK], deadline=SILENT / 10)
    assert done(agent, "frozen").broken
    assert agent.progress("nobody").broken is False


def test_saves_into_the_memory_of_a_frozen_agent_are_dropped_and_counted(home: pathlib.Path, agent: Agent) -> None:
    agent.cancel(reserved(agent))
    (pid,) = pids(home)
    os.kill(pid, signal.SIGSTOP)
    until(lambda: agent.stats()["silent"])
    assert agent.reserve() is None
    assert agent.stats()["dropped_saves.silent"] == 1
    os.kill(pid, signal.SIGCONT)
    reserved(agent)


def never() -> bool:
    return False


def test_an_answer_ends_the_silence() -> None:
    beat = Heartbeat()
    assert not beat.silent(100.0, never)
    assert beat.due(100.0)
    beat.asked(100.0)
    assert not beat.due(100.0 + 2 * EVERY), "one ping at a time"
    assert not beat.silent(100.0 + SILENT / 2, never)
    assert beat.unanswered(100.0) and not beat.unanswered(99.0)
    assert beat.silent(100.0 + SILENT, never)
    beat.heard()
    assert not beat.silent(1000.0, never) and not beat.unanswered(1000.0)
    assert not beat.due(100.0 + EVERY / 2) and beat.due(100.0 + EVERY)


def test_an_agent_that_waits_for_a_processor_is_not_silent() -> None:
    beat, looks = Heartbeat(), []

    def starved() -> bool:
        looks.append(now)
        return True

    beat.asked(0.0)
    for tenth in range(30):
        now = tenth / 10
        assert not beat.silent(now, starved)
    assert looks == [1.0, 2.0], "it is looked at once in each time that it is given"
    beat.heard()
    assert not beat.silent(100.0, starved)


def test_an_agent_that_computes_without_end_is_silent_and_stays_so_until_it_answers() -> None:
    beat = Heartbeat()
    beat.asked(0.0)
    quiet = [now for now in range(20) if not beat.silent(float(now), lambda: True)]
    assert quiet == list(range(1 + LONGER))
    beat.heard()
    beat.asked(30.0)
    assert not beat.silent(31.0, lambda: True)
    assert beat.silent(32.0, never), "it stands still now"
    assert beat.silent(33.0, lambda: True), "no answer came since"


def test_a_process_that_computes_wants_a_processor_and_one_that_stands_still_does_not() -> None:
    assert wants_processor(os.getpid())
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        until(lambda: wants_processor(busy.pid))
        busy.send_signal(signal.SIGSTOP)
        until(lambda: not wants_processor(busy.pid))
        busy.kill()
    assert not wants_processor(busy.pid)
    assert not wants_processor(0), "a process of another namespace"
