"""The agent dies under an engine: blocks that it had are computed, and the next agent serves the engine."""

from __future__ import annotations

import os
import pathlib
import signal
from uuid import uuid4

import pytest
from engine import Batch, Engine
from kvstore_client import KvClient
from stack import Stack, wait

pytestmark = pytest.mark.engine


def test_an_agent_that_is_killed_costs_no_request(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        first = engine.run((1, 1000))
        engine.wait_stored(client, (1, 1000))
    with Engine(tiny, tmp_path / "second.log", stack, settings=settings) as engine:
        assert engine.run((1, 1000)).hits == 896
        killed = engine.agent_pid()
        os.kill(killed, signal.SIGKILL)
        # The engine finds no agent, a new one, or the end of the old one at any moment of this request.
        during = engine.run((1, 1000))
        assert during.tokens == first.tokens
        wait(lambda: engine.told("pid") not in (0, killed))
        after = engine.run((1, 1000))
        assert (after.tokens, after.hits) == (first.tokens, during.hits + 896)
        # Blocks are stored again, too.
        engine.run((2, 1000))
        engine.wait_stored(client, (2, 1000))


def test_blocks_whose_agent_was_replaced_after_admission_are_computed(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        first = engine.run((1, 1000))
        engine.wait_stored(client, (1, 1000))
    patches = ("replace_agent_before_load",)
    with Engine(tiny, tmp_path / "second.log", stack, settings=settings, patches=patches) as engine:
        second = engine.run((1, 1000))
        assert second.tokens == first.tokens
        assert errors(second) == 1, second.counters
        wait(lambda: engine.told("connected") == 1)  # the scheduler's half knows the next agent, too
        third = engine.run((1, 1000))
        assert third.tokens == first.tokens
        assert (third.hits - second.hits, errors(third)) == (896, 1)


def errors(batch: Batch) -> float:
    return batch.counters.get("kvstore_errors", 0)
