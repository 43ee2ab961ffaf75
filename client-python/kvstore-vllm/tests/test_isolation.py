"""Requests that may not share blocks do not, and requests that need their prompt computed get that."""

from __future__ import annotations

import pathlib
from uuid import uuid4

import pytest
from engine import Engine
from kvstore_client import KvClient, salts, tagged_extra
from stack import Stack

pytestmark = pytest.mark.engine


def test_salts_keep_prompts_apart(tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path) -> None:
    settings = {"model_id": uuid4().hex}
    salted = {"seed": 1, "length": 1000, "salt": "a"}
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        first = engine.run(salted)
        engine.wait_stored(client, (1, 1000), first=tagged_extra(salt=salts.digest("a")))
    with Engine(tiny, tmp_path / "second.log", stack, settings={**settings, "read_only": True}) as engine:
        assert engine.run({**salted, "salt": "b"}).hits == 0
        assert engine.run((1, 1000)).hits == 0
        again = engine.run(salted)
        assert (again.hits, again.tokens) == (896, first.tokens)


def test_prompts_that_must_be_computed_are(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        first = engine.run((1, 1000))
        engine.wait_stored(client, (1, 1000))
    with Engine(tiny, tmp_path / "second.log", stack, settings=settings, enable_prefix_caching=True) as engine:
        for params in (
            {"prompt_logprobs": 0},
            {"skip_reading_prefix_cache": True},
            {"extra_args": {"kv_transfer_params": {"kvstore": {"read": False}}}},
        ):
            asked = engine.run({"seed": 1, "length": 1000, "params": params})
            assert (asked.tokens, asked.hits) == (first.tokens, 0), params
        # Now the engine has the prompt itself.
        again = engine.run((1, 1000))
        assert (again.tokens, again.hits) == (first.tokens, 0)


def test_a_request_may_ask_not_to_be_stored(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "engine.log", stack, settings=settings) as engine:
        private = {"extra_args": {"kv_transfer_params": {"kvstore": {"write": False}}}}
        batch = engine.run({"seed": 1, "length": 1000, "params": private})
        assert "kvstore_ordered_saves" not in batch.counters
        engine.run((2, 1000))
        engine.wait_stored(client, (2, 1000))
        assert engine.run((2, 1000)).hits == 896


def test_short_prompts_are_left_alone(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex, "min_tokens": 512}
    with Engine(tiny, tmp_path / "engine.log", stack, settings=settings) as engine:
        batch = engine.run((1, 500))
        assert "kvstore_ordered_saves" not in batch.counters
        engine.run((1, 600))
        engine.wait_stored(client, (1, 600))
        assert engine.run((1, 500)).hits == 0
        assert engine.run((1, 700)).hits == 512
