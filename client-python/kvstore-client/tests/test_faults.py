"""Load while a data plane, a cluster and a region are killed, one after the other: no call fails.

A region that is lost takes blocks with it that no other region has yet. A block that a lookup found just before is then
a miss, and no failure; a data plane or a cluster that is lost takes no block with it.

KVSTORE_TEST_FAULTS names a file of JSON: ``controlPlane``, ``region``, ``resourceName`` and ``apiKey`` as ``kv up`` has
them, and ``faults``: lists of the processes that are killed together.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from agents import done, home

from kvstore_client import BlockChain, KvClient, KvError, NotFoundError, Partition
from kvstore_client.agent import Agent, AgentSettings

__all__ = ["home"]

SIZE, BLOCKS = 100_000, 4

#: Rounds that each caller makes before the first fault and after each one, and then seconds, at least.
ROUNDS, SECONDS = 20, 5.0

Round = Callable[[int], None]


@pytest.fixture
def options() -> dict[str, Any]:
    file = os.environ.get("KVSTORE_TEST_FAULTS")
    if not file:
        pytest.skip("missing: KVSTORE_TEST_FAULTS, for a stack that nothing else uses")
    made: dict[str, Any] = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    return made


class Callers:
    """Threads that make rounds until they are told to stop, and keep what failed."""

    def __init__(self, *rounds: Round) -> None:
        self.failures: list[Any] = []
        self.made = [0] * len(rounds)
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(i, one)) for i, one in enumerate(rounds)]
        for thread in self._threads:
            thread.start()

    def _run(self, me: int, one: Round) -> None:
        while not self._stop.is_set():
            try:
                one(self.made[me])
            except (KvError, AssertionError) as e:
                self.failures.append(e)
            self.made[me] += 1

    def go_on(self) -> None:
        """Returns when each has made its rounds, or something failed."""
        before, began = list(self.made), time.monotonic()

        def enough() -> bool:
            rounds = all(now >= then + ROUNDS for now, then in zip(self.made, before, strict=True))
            return bool(self.failures) or (rounds and time.monotonic() - began >= SECONDS)

        while not enough():
            assert time.monotonic() - began < 240, self.made
            time.sleep(0.02)

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()


def content(index: int) -> bytes:
    return random.Random(index).randbytes(SIZE)


CONTENTS = [content(i) for i in range(BLOCKS)]


def a_chain(name: str) -> BlockChain:
    return BlockChain.of(Partition(f"faults/{name}"), range(BLOCKS * 128))


def direct(client: KvClient, me: int, missed: list[BlockChain]) -> Round:
    """Looks up a prompt, reads what is stored of it, and writes the rest; new prompts come every fifth round.

    ``missed`` gets the prompts of which a block was found and not there.
    """
    targets = [bytearray(SIZE) for _ in range(BLOCKS)]
    started = time.time_ns()

    def one(number: int) -> None:
        chain = a_chain(f"{started}/{me}/{number // 5}")
        found = client.lookup(chain)
        results = client.read_into(chain.prefix(found), targets[:found])
        errors = [result.error for result in results if result.error]
        assert [error for error in errors if not isinstance(error, NotFoundError)] == []
        if errors:
            missed.append(chain)
        read = [i for i, result in enumerate(results) if not result.error]
        assert [targets[i] for i in read] == [CONTENTS[i] for i in read], "other bytes"
        for i in sorted(set(range(BLOCKS)) - set(read)):
            client.write(chain, i, CONTENTS[i])

    return one


def through(agent: Agent, client: KvClient, missed: list[BlockChain]) -> Round:
    """The same through the agent, but for its writes."""
    started = time.time_ns()

    def one(number: int) -> None:
        chain = a_chain(f"{started}/agent/{number // 5}")
        request = f"request {number}"
        agent.prefetch(request, [chain], expected_bytes=[SIZE], deadline=60)
        found = done(agent, request)
        if found.ready < found.found:
            missed.append(chain)
        assert [bytes(found.view(i)) for i in range(found.ready)] == CONTENTS[: found.ready]
        agent.release(request)
        for i in range(found.ready, BLOCKS):
            client.write(chain, i, CONTENTS[i])

    return one


@contextlib.contextmanager
def calling(*rounds: Round) -> Iterator[Callers]:
    callers = Callers(*rounds)
    try:
        yield callers
    finally:
        callers.stop()


def test_no_call_fails_when_a_data_plane_a_cluster_and_a_region_are_lost(
    home: pathlib.Path, options: Any, tmp_path: pathlib.Path
) -> None:
    key = tmp_path / "key"
    key.write_text(options["apiKey"], encoding="ascii")
    where: Any = {
        "resource": options["resourceName"],
        "control_plane": [options["controlPlane"]],
        "region": options["region"],
    }
    small = AgentSettings(slot_bytes=SIZE, host_memory=40 * SIZE, key_file=str(key), linger=0, **where)
    with KvClient(key=options["apiKey"], **where) as client, Agent(small) as agent:
        assert agent.wait(60)
        missed: list[BlockChain] = []
        rounds = direct(client, 0, missed), direct(client, 1, missed), through(agent, client, missed)
        with calling(*rounds) as callers:
            callers.go_on()
            for pids in options["faults"]:
                assert missed == [], "blocks are lost with a region alone, which is the last fault"
                for pid in pids:
                    os.kill(pid, signal.SIGKILL)
                callers.go_on()
                assert callers.failures == [], f"after {callers.made} rounds"
        assert callers.failures == []
        assert agent.stats().get("errors.data_loss", 0) == 0
