"""Tensor parallelism: each rank keeps its heads, and engines of another size miss cleanly."""

from __future__ import annotations

import pathlib
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from kvstore_client import KvClient
from stack import Stack

pytestmark = pytest.mark.engine


def test_two_ranks_load_what_two_ranks_stored(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    two: dict[str, Any] = {
        "tensor_parallel_size": 2,
        "processes": True,
        "environment": {"OMP_NUM_THREADS": "1"},
    }
    prompts = [(1, 1000), (2, 300)]
    with Engine(tiny, tmp_path / "without.log", None, **two) as engine:
        plain = engine.run(*prompts)
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings, **two) as engine:
        first = engine.run(*prompts)
        assert (first.tokens, first.hits) == (plain.tokens, 0)
        engine.wait_stored(client, *prompts)
    with Engine(tiny, tmp_path / "second.log", stack, settings=settings, **two) as engine:
        second = engine.run(*prompts)
        assert (second.tokens, second.hits) == (plain.tokens, 896 + 256)
    with Engine(tiny, tmp_path / "one.log", stack, settings=settings) as engine:
        assert engine.run(*prompts).hits == 0
