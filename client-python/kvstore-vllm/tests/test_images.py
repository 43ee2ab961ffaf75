"""Prompts with images share the blocks before their images, and all of them with equal images and settings."""

from __future__ import annotations

import pathlib
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from model import IMAGE_TOKENS, make_seeing
from stack import Stack, wait

pytestmark = pytest.mark.engine

#: Options of an engine whose model sees: its processor needs a tokenizer.
OPTIONS: dict[str, Any] = {"skip_tokenizer_init": False, "limit_mm_per_prompt": {"image": 2}, "skip_mm_profiling": True}
LENGTH = 500
FIRST, SECOND = 200, 300


def seen(one: int, other: int) -> dict[str, Any]:
    """A prompt with two images: of 1010 tokens, 7 whole blocks. The first has an image's start in its second block."""
    return {"seed": 1, "length": LENGTH, "images": [[FIRST, one], [SECOND, other]]}


@pytest.fixture(scope="module")
def seeing(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A model that takes images."""
    pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")
    llava = "vllm.model_executor.models.llava"
    pytest.importorskip(
        llava, reason="missing: a vLLM whose LLaVA loads beside this transformers", exc_type=ImportError
    )
    return make_seeing(tmp_path_factory.mktemp("models") / "seeing")


def test_images_keep_prompts_apart(seeing: pathlib.Path, stack: Stack, tmp_path: pathlib.Path) -> None:
    settings = {"model_id": uuid4().hex}
    prompts = [seen(1, 2), seen(1, 3), seen(3, 2)]
    with Engine(seeing, tmp_path / "without.log", None, **OPTIONS) as engine:
        without = [engine.run(one).tokens for one in prompts]
    assert len({str(tokens) for tokens in without}) == 3  # each image changes something
    with Engine(seeing, tmp_path / "first.log", stack, settings=settings, **OPTIONS) as engine:
        assert engine.run(prompts[0]).tokens == without[0]
        wait(lambda: engine.told("stored_blocks") == 7)
    reading = {**settings, "read_only": True}
    with Engine(seeing, tmp_path / "second.log", stack, settings=reading, **OPTIONS) as engine:
        hits = 0
        second = SECOND - 1 + IMAGE_TOKENS  # where the second image begins, once the first is in its place
        for one, tokens, more in zip(prompts, without, (7, second // 128, FIRST // 128), strict=True):
            batch = engine.run(one)
            assert (batch.tokens, batch.hits - hits) == (tokens, 128 * more)
            hits = batch.hits


def test_processors_with_other_settings_share_nothing(
    seeing: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    other = {**OPTIONS, "mm_processor_kwargs": {"do_normalize": False}}
    with Engine(seeing, tmp_path / "without.log", None, **other) as engine:
        without = engine.run(seen(1, 2)).tokens
    with Engine(seeing, tmp_path / "first.log", stack, settings=settings, **OPTIONS) as engine:
        assert engine.run(seen(1, 2)).tokens != without
        wait(lambda: engine.told("stored_blocks") == 7)
    with Engine(seeing, tmp_path / "second.log", stack, settings=settings, **other) as engine:
        batch = engine.run(seen(1, 2))
        assert (batch.tokens, batch.hits) == (without, 0)


def test_images_that_vllm_numbers_are_not_cached(seeing: pathlib.Path, stack: Stack, tmp_path: pathlib.Path) -> None:
    settings = {"model_id": uuid4().hex}
    numbering = {**OPTIONS, "mm_processor_cache_gb": 0}
    with Engine(seeing, tmp_path / "without.log", None, **numbering) as engine:
        without = [engine.run(one).tokens for one in (seen(1, 2), seen(3, 2))]
    assert without[0] != without[1]
    for one, tokens in zip((seen(1, 2), seen(3, 2)), without, strict=True):
        with Engine(seeing, tmp_path / "with.log", stack, settings=settings, **numbering) as engine:
            batch = engine.run(one)
            assert (batch.tokens, batch.hits) == (tokens, 0)
            assert batch.counters["kvstore_errors"] == 1 and "kvstore_ordered_saves" not in batch.counters
