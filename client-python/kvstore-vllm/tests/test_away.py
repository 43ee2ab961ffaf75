"""A store that is away, dies or is slow costs at most the deadline, and never a request."""

from __future__ import annotations

import dataclasses
import os
import pathlib
import signal
import socket
from uuid import uuid4

import pytest
from engine import Engine
from kvstore_client import KvClient
from stack import Stack, own

pytestmark = pytest.mark.engine

#: So many steps that all blocks of 3000 tokens, which one step completes, find a slot.
OUTPUT = 40


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def test_an_engine_starts_and_computes_while_the_store_is_away(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    away = dataclasses.replace(stack, endpoints=(f"127.0.0.1:{free_port()}",))
    batches = [[(10 * k + i, 600) for i in range(8)] for k in range(3)]
    with Engine(tiny, tmp_path / "without.log", None) as engine:
        plain = [engine.run(*batch) for batch in batches]
    with Engine(tiny, tmp_path / "away.log", away, settings={"model_id": uuid4().hex, "deadline_ms": 2000}) as engine:
        for batch, expected in zip(batches, plain, strict=True):
            got = engine.run(*batch)
            assert (got.tokens, got.hits) == (expected.tokens, 0)
            assert got.seconds < expected.seconds + 5  # the deadline, and a second more
        # Blocks that wait to be written are in the agent's memory, and good for that.
        assert engine.run(*batches[-1]).tokens == plain[-1].tokens


def test_a_store_that_is_killed_is_a_miss(tiny: pathlib.Path, tmp_path: pathlib.Path) -> None:
    settings = {"model_id": uuid4().hex, "deadline_ms": 1000}
    with own(tmp_path) as stack, KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key) as client:
        with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
            first = engine.run((1, 3000), max_tokens=OUTPUT)
            engine.wait_stored(client, (1, 3000))
        small = {**settings, "host_memory": "5MiB"}  # 10 of the 23 blocks: others have to come from the store
        with Engine(tiny, tmp_path / "second.log", stack, settings=small) as engine:
            assert engine.run((1, 1000)).hits == 896
            for pid in stack.pids:
                os.kill(pid, signal.SIGKILL)
            after = [engine.run((1, 3000), (2, 3000), max_tokens=OUTPUT) for _ in range(3)]
            assert [batch.tokens[0] for batch in after] == [first.tokens[0]] * 3
            assert after[-1].hits - 896 <= 2 * 3 * 1280  # what the agent still holds is good


def test_a_slow_store_is_waited_for_until_the_deadline(tiny: pathlib.Path, tmp_path: pathlib.Path) -> None:
    settings = {"model_id": uuid4().hex, "deadline_ms": 1500}
    latency = "get=1s,put=0ms"
    with (
        own(tmp_path, "--added-storage-latency", latency) as stack,
        KvClient(endpoints=stack.endpoints, resource=stack.resource, key=stack.key) as client,
    ):
        writer, reader = stack.endpoints
        with Engine(tiny, tmp_path / "first.log", stack, endpoints=(writer,), settings=settings) as engine:
            first = engine.run((1, 3000), max_tokens=OUTPUT)
            engine.wait_stored(client, (1, 3000))
        with Engine(tiny, tmp_path / "second.log", stack, endpoints=(reader,), settings=settings) as engine:
            second = engine.run((1, 3000), max_tokens=OUTPUT)
            assert second.tokens == first.tokens
            assert second.hits < 2944
            counters = second.counters
            lacking = counters.get("kvstore_late_tokens", 0) + counters.get("kvstore_missed_tokens", 0)
            assert lacking == 2944 - second.hits
            assert second.seconds < first.seconds + 1.5 + 5
