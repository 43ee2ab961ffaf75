"""Weights that are replaced while an engine runs. Real engines, a real store."""

from __future__ import annotations

import pathlib
from uuid import uuid4

import pytest
from engine import Engine
from kvstore_client import KvClient
from stack import Stack

pytestmark = pytest.mark.engine

PROMPT, SHORT = (1, 1000), (2, 16)


@pytest.mark.parametrize("prefix_caching", [False, True])
def test_other_weights_hit_no_block_of_the_first_ones_and_share_their_own(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path, prefix_caching: bool
) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "without.log", None) as engine:
        first = engine.run(PROMPT).tokens
        engine.train()
        trained = engine.run(PROMPT).tokens
    assert first != trained
    with Engine(tiny, tmp_path / "one.log", stack, settings=settings, enable_prefix_caching=prefix_caching) as engine:
        assert engine.run(PROMPT).tokens == first
        engine.wait_stored(client, PROMPT)
        engine.train()
        engine.run(SHORT)  # workers tell of their weights with a step
        assert engine.run(PROMPT).tokens == trained
        assert engine.counters().get("kvstore_hit_tokens", 0) == 0
        engine.started()
        engine.wait_stored(client, PROMPT)
    with Engine(tiny, tmp_path / "other.log", stack, settings=settings) as engine:
        assert engine.run(PROMPT).tokens == first
        assert engine.counters()["kvstore_hit_tokens"] == 896
        engine.train()
        engine.run(SHORT)
        assert engine.run(PROMPT).tokens == trained
        assert engine.counters()["kvstore_hit_tokens"] == 2 * 896


def test_a_reset_that_changed_no_weights_leaves_the_store_in_use(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "one.log", stack, settings=settings) as engine:
        tokens = engine.run(PROMPT).tokens
        engine.wait_stored(client, PROMPT)
    with Engine(tiny, tmp_path / "other.log", stack, settings=settings) as engine:
        engine.reset()
        engine.run(SHORT)
        assert engine.run(PROMPT).tokens == tokens
        assert engine.counters()["kvstore_hit_tokens"] == 896
