"""Models with sliding windows: outputs and log-probabilities as without a store, all possible hits, and mutants."""

from __future__ import annotations

import pathlib
from typing import Any
from uuid import uuid4

import pytest
from engine import Batch, Engine
from kvstore_client import KvClient
from model import make_windowed
from stack import Stack

pytestmark = pytest.mark.engine

LENGTHS = (127, 129, 300, 1000, 1024, 2000)

FORMS: dict[str, dict[str, Any]] = {
    "blocks of 128": {"block_size": 128},
    "blocks of 32, chunked": {"block_size": 32, "max_num_batched_tokens": 200, "enable_prefix_caching": True},
    "one kind": {"disable_hybrid_kv_cache_manager": True},
}


@pytest.fixture(scope="module")
def windowed(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return make_windowed(tmp_path_factory.mktemp("models") / "windowed")


def possible(lengths: tuple[int, ...], *, all_of_it: bool = False) -> int:
    """Tokens that can be hit: the last one is computed in any case, with the window before it."""
    return sum((length - (not all_of_it)) // 128 * 128 for length in lengths)


def run(engine: Engine) -> list[Batch]:
    """Prompts one by one, then together."""
    prompts = [(100 + length, length) for length in LENGTHS]
    return [engine.run(one, logprobs=1) for one in prompts] + [engine.run(*((200 + n, n) for n in LENGTHS), logprobs=1)]


def require_equal(batches: list[Batch], plain: list[Batch]) -> None:
    assert [batch.tokens for batch in batches] == [batch.tokens for batch in plain]
    for batch, one in zip(batches, plain, strict=True):
        assert batch.logprobs == [pytest.approx(told, abs=1e-3) for told in one.logprobs]


@pytest.mark.parametrize("form", FORMS)
def test_outputs_are_equal_and_hits_are_all_that_can_be(
    windowed: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path, form: str
) -> None:
    settings, options = {"model_id": uuid4().hex}, FORMS[form]
    with Engine(windowed, tmp_path / "without.log", None, **options) as engine:
        plain = run(engine)
    with Engine(windowed, tmp_path / "first.log", stack, settings=settings, **options) as engine:
        first = run(engine)
        require_equal(first, plain)
        assert first[-1].hits == 0
        for length in LENGTHS:
            engine.wait_stored(client, (100 + length, length), (200 + length, length))
    with Engine(windowed, tmp_path / "second.log", stack, settings=settings, **options) as engine:
        second = run(engine)
        require_equal(second, plain)
        assert second[-1].hits == 2 * possible(LENGTHS, all_of_it=form == "one kind")
        assert "kvstore_errors" not in second[-1].counters


@pytest.fixture(scope="module")
def stored(
    windowed: pathlib.Path, stack: Stack, client: KvClient, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], Batch]:
    """Settings of an engine that stored a prompt of 1000 tokens, and what it computed."""
    settings = {"model_id": uuid4().hex}
    with Engine(windowed, tmp_path_factory.mktemp("stored") / "log", stack, settings=settings) as engine:
        batch = engine.run((1, 1000), logprobs=1)
        engine.wait_stored(client, (1, 1000))
    return settings, batch


@pytest.mark.parametrize("what", ["first", "all"])
def test_a_window_of_which_a_block_is_not_restored_changes_the_output(
    windowed: pathlib.Path, stack: Stack, tmp_path: pathlib.Path, stored: tuple[dict[str, Any], Batch], what: str
) -> None:
    settings, first = stored
    patches = (f"leave_out:{what}",)
    with Engine(windowed, tmp_path / "log", stack, settings=settings, patches=patches) as engine:
        second = engine.run((1, 1000), logprobs=1)
        assert second.hits == 896
        assert second.logprobs != [pytest.approx(told, abs=1e-3) for told in first.logprobs]


def test_a_load_that_fails_is_computed_from_its_start(
    windowed: pathlib.Path, stack: Stack, tmp_path: pathlib.Path, stored: tuple[dict[str, Any], Batch]
) -> None:
    settings, first = stored
    patches = ("replace_agent_before_load",)
    with Engine(windowed, tmp_path / "log", stack, settings=settings, patches=patches) as engine:
        second = engine.run((1, 1000))
        assert second.tokens == first.tokens
        assert second.counters["kvstore_errors.agent_restarted"] == 1
        again = engine.run((1, 1000))
        assert (again.tokens, again.hits) == (first.tokens, second.hits + 896)
