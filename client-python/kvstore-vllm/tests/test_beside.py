"""Beside another connector in MultiConnector, in both orders. Real engines, a real store."""

from __future__ import annotations

import pathlib
from uuid import uuid4

import pytest
from engine import Engine
from kvstore_client import KvClient
from stack import Stack

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_beside_another_connector_outputs_are_equal_and_blocks_are_hit(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path, first: bool
) -> None:
    settings = {"model_id": uuid4().hex}
    beside = "before" if first else "behind"
    with Engine(tiny, tmp_path / "without.log", None) as engine:
        plain = engine.run((2, 1000)).tokens
    with Engine(tiny, tmp_path / "one.log", stack, settings=settings, beside=beside) as engine:
        engine.run((1, 130))  # the scheduler's half meets the workers with the first step
        assert engine.run((2, 1000)).tokens == plain
        engine.started()
        engine.wait_stored(client, (2, 1000))
    with Engine(tiny, tmp_path / "other.log", stack, settings=settings, beside=beside) as engine:
        engine.run((1, 16))
        batch = engine.run((2, 1000))
        assert batch.tokens == plain
        assert batch.hits == 896


@pytest.mark.parametrize("first", [True, False], ids=["first", "last"])
def test_a_load_that_fails_beside_another_connector_fails_no_request(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path, first: bool
) -> None:
    settings = {"model_id": uuid4().hex}
    beside = "before" if first else "behind"
    with Engine(tiny, tmp_path / "one.log", stack, settings=settings) as engine:
        plain = engine.run((2, 1000)).tokens
        engine.wait_stored(client, (2, 1000))
    with Engine(
        tiny, tmp_path / "other.log", stack, settings=settings, beside=beside, patches=("replace_agent_before_load",)
    ) as engine:
        engine.run((1, 16))
        assert engine.run((2, 1000)).tokens == plain
        assert engine.counters()["kvstore_errors"] >= 1
