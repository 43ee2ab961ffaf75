"""Engines that compute other blocks find none of each other's."""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from stack import Stack, wait

pytestmark = pytest.mark.engine

#: RoPE whose long factors are taken where a context of more than 2048 tokens is allowed.
LONG = {
    "rope_type": "longrope",
    "rope_theta": 10000.0,
    "short_factor": [1.0] * 32,
    "long_factor": [4.0] * 32,
    "factor": 4.0,
    "original_max_position_embeddings": 2048,
}


def copy(model: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    shutil.copytree(model, folder)
    return folder


def retrained(model: pathlib.Path) -> None:
    """Other embeddings of the last tokens, and every other byte as it was."""
    from safetensors.torch import load_file, save_file

    weights = load_file(model / "model.safetensors")
    weights["model.embed_tokens.weight"][-1497:] *= -1
    save_file(weights, model / "model.safetensors")


def long_rope(model: pathlib.Path) -> None:
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    del config["rope_theta"]
    (model / "config.json").write_text(json.dumps({**config, "rope_parameters": LONG}), encoding="utf-8")


def nothing(model: pathlib.Path) -> None:
    pass


@pytest.mark.parametrize(
    ("change_both", "change_second", "first", "second"),
    [
        (nothing, retrained, {}, {}),
        (nothing, nothing, {"load_format": "dummy"}, {}),
        (long_rope, nothing, {"max_model_len": 2048}, {"max_model_len": 4096}),
    ],
    ids=["weights", "dummy", "longrope"],
)
def test_an_engine_that_computes_other_blocks_finds_none(
    tiny: pathlib.Path,
    stack: Stack,
    tmp_path: pathlib.Path,
    change_both: Callable[[pathlib.Path], None],
    change_second: Callable[[pathlib.Path], None],
    first: dict[str, Any],
    second: dict[str, Any],
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    model = copy(tiny, tmp_path / "a" / "tiny")
    change_both(model)
    other = copy(model, tmp_path / "b" / "tiny")
    change_second(other)
    prompt = (uuid4().int % 2**31, 1000)  # the store may have what an earlier run stored under equal names
    with Engine(other, tmp_path / "without.log", None, **second) as engine:
        expected = engine.run(prompt).tokens
    with Engine(model, tmp_path / "first.log", stack, **first) as engine:
        assert engine.run(prompt).tokens != expected
        wait(lambda: engine.told("stored_blocks") == 7)
    with Engine(other, tmp_path / "second.log", stack, **second) as engine:
        batch = engine.run(prompt)
        assert (batch.tokens, batch.hits) == (expected, 0)
        wait(lambda: engine.told("stored_blocks") == 7)
    with Engine(other, tmp_path / "again.log", stack, **second) as engine:
        again = engine.run(prompt)
        assert (again.tokens, again.hits) == (expected, 896)
