"""Requests with adapters or embeddings share blocks with their equals, and with no other request."""

from __future__ import annotations

import pathlib
import shutil
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from kvstore_client import KvClient
from model import SIZES, make_adapter
from stack import Stack, wait

pytestmark = pytest.mark.engine


def know(engine: Engine, one: dict[str, Any]) -> None:
    """Waits until the engine has read an adapter's files: no request with it fails for want of a name."""
    short = {**one, "length": 16, "params": {"max_tokens": 1}}

    def errors() -> float:
        return engine.run(short).counters.get("kvstore_errors", 0)

    wait(lambda: errors() == errors())


def test_adapters_keep_prompts_apart_by_their_weights(tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path) -> None:
    one, other = (make_adapter(tmp_path / name, seed) for name, seed in (("one", 1), ("other", 2)))
    copy = make_adapter(tmp_path / "copy", 1)
    settings = {"model_id": uuid4().hex}
    options: dict[str, Any] = {"enable_lora": True, "max_lora_rank": 8}

    def adapted(name: str, number: int, folder: pathlib.Path) -> dict[str, Any]:
        return {"seed": 1, "length": 1000, "adapter": [name, number, str(folder)]}

    with Engine(tiny, tmp_path / "without.log", None, **options) as engine:
        plain = engine.run((1, 1000)).tokens
        ones = engine.run(adapted("a", 1, one)).tokens
        others = engine.run(adapted("b", 2, other)).tokens
        assert plain != ones and ones != others and plain != others  # the adapters change something
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings, **options) as engine:
        know(engine, adapted("a", 1, one))
        assert engine.run(adapted("a", 1, one)).tokens == ones
        wait(lambda: engine.told("stored_blocks") == 7)
    reading = {**settings, "read_only": True}
    with Engine(tiny, tmp_path / "second.log", stack, settings=reading, **options) as engine:
        know(engine, adapted("a", 1, other))
        know(engine, adapted("c", 3, copy))
        # The same name for other weights, and no adapter: nothing is found.
        for request, tokens in ((adapted("a", 1, other), others), ((1, 1000), plain)):
            batch = engine.run(request)
            assert (batch.tokens, batch.hits) == (tokens, 0)
        # The same weights under another name, number and folder are found.
        again = engine.run(adapted("c", 3, copy))
        assert (again.tokens, again.hits) == (ones, 896)


def test_an_adapter_that_is_replaced_on_disk_is_not_cached_until_it_is_loaded(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    """The engine goes on with the weights that it loaded, whatever the files hold by now."""
    served = make_adapter(tmp_path / "served", 1)
    settings = {"model_id": uuid4().hex}
    options: dict[str, Any] = {"enable_lora": True, "max_lora_rank": 8}
    request = {"seed": 1, "length": 1000, "adapter": ["a", 1, str(served)]}
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings, **options) as engine:
        know(engine, request)
        before = engine.run({**request, "length": 16}).tokens
        shutil.copytree(make_adapter(tmp_path / "next", 2), served, dirs_exist_ok=True)
        know(engine, request)
        old = engine.run(request).tokens
        assert engine.run({**request, "length": 16}).tokens == before
        assert engine.told("stored_blocks") == 0
    with Engine(tiny, tmp_path / "second.log", stack, settings=settings, **options) as engine:
        know(engine, request)
        new = engine.run(request)
        assert new.hits == 0 and new.tokens != old
        wait(lambda: engine.told("stored_blocks") == 7)
        again = engine.run(request)
        assert (again.tokens, again.hits) == (new.tokens, 896)


def test_embeddings_keep_prompts_apart(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    options: dict[str, Any] = {"enable_prompt_embeds": True}
    one, other = ({"seed": seed, "length": 1000, "embeddings": SIZES["tiny"][0]} for seed in (1, 2))
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings, **options) as engine:
        first = engine.run(one)
        assert engine.run(other).tokens != first.tokens
        wait(lambda: engine.told("stored_blocks") == 14)
    reading = {**settings, "read_only": True}
    with Engine(tiny, tmp_path / "second.log", stack, settings=reading, **options) as engine:
        unknown = engine.run({**one, "seed": 3})
        assert unknown.hits == 0
        again = engine.run(one)
        assert (again.tokens, again.hits) == (first.tokens, 896)
