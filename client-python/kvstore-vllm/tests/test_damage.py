"""Wrong bytes: the checks of the store find them, and these tests would notice bytes that pass the checks."""

from __future__ import annotations

import pathlib
from uuid import uuid4

import pytest
from engine import Engine
from engine_process import prompt
from kvstore_client import KvClient
from stack import Stack, blob, damage

pytestmark = pytest.mark.engine


def test_bytes_that_change_behind_the_check_change_the_output(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        first = engine.run((1, 1000))
        engine.wait_stored(client, (1, 1000))
    with Engine(tiny, tmp_path / "second.log", stack, settings=settings, patches=("flip_after_check",)) as engine:
        damaged = engine.run((1, 1000))
        assert damaged.hits == 896
        assert damaged.tokens != first.tokens


def test_a_block_that_is_damaged_in_storage_is_a_miss(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    writer, reader = stack.endpoints[:2]
    with Engine(tiny, tmp_path / "first.log", stack, endpoints=(writer,), settings=settings) as engine:
        first = engine.run((1, 1000))
        chain = engine.chain(prompt(1, 1000))
        engine.wait_stored(client, (1, 1000))
    damage(blob(stack.storage, chain.hash(3).hex()))
    with Engine(tiny, tmp_path / "second.log", stack, endpoints=(reader,), settings=settings) as engine:
        second = engine.run((1, 1000))
        assert (second.tokens, second.hits) == (first.tokens, 3 * 128)
        assert second.counters["kvstore_late_tokens"] == 4 * 128
