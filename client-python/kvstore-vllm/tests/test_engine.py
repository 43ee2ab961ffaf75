"""Equal outputs with and without a store, and hits as expected. Real engines, a real store."""

from __future__ import annotations

import pathlib
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from engine_process import prompt
from kvstore_client import KvClient
from stack import Stack, wait

pytestmark = pytest.mark.engine

LENGTHS = (1, 127, 128, 129, 1000, 3000)

FORMS: dict[str, dict[str, Any]] = {
    "blocks of 128": {"block_size": 128},
    "blocks of 32, chunked": {"block_size": 32, "max_num_batched_tokens": 256, "enable_prefix_caching": True},
    "blocks of 64, in processes": {"block_size": 64, "processes": True},
}


def expected(lengths: tuple[int, ...]) -> int:
    return sum(length // 128 * 128 for length in lengths)


@pytest.mark.parametrize("form", FORMS)
def test_outputs_are_equal_and_hits_are_all_whole_blocks(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path, form: str
) -> None:
    one_by_one = [(100 + length, length) for length in LENGTHS]
    together = [(200 + i, 600 + 40 * i) for i in range(8)]
    options = FORMS[form]
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "without.log", None, **options) as engine:
        plain = [engine.run(one).tokens for one in one_by_one] + [engine.run(*together).tokens]
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings, **options) as engine:
        first = [engine.run(one) for one in one_by_one] + [engine.run(*together)]
        assert [batch.tokens for batch in first] == plain
        assert first[-1].hits == 0
        engine.wait_stored(client, *one_by_one, *together)
    with Engine(tiny, tmp_path / "second.log", stack, settings=settings, **options) as engine:
        second = [engine.run(one) for one in one_by_one] + [engine.run(*together)]
        assert [batch.tokens for batch in second] == plain
        lengths = (*LENGTHS, *(length for _, length in together))
        assert second[-1].hits == expected(lengths)
        assert second[-1].counters["kvstore_hit_tokens"] == expected(lengths)
        # The output completes a block of the prompt of 127 tokens, which no lookup asked for; all others are found.
        assert second[-1].counters["kvstore_ordered_saves"] == 1


def test_an_engine_hits_what_another_one_writes_beside_it(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    with (
        Engine(tiny, tmp_path / "a.log", stack, settings=settings, role="kv_producer") as a,
        Engine(tiny, tmp_path / "b.log", stack, settings=settings, role="kv_consumer") as b,
    ):
        first = a.run((1, 1000))
        a.wait_stored(client, (1, 1000))
        second = b.run((1, 1000), (2, 1000))
        assert second.tokens[0] == first.tokens[0]
        assert second.hits == 896
        assert a.run((1, 1000)).hits == 0  # a producer does not read
        assert b.run((2, 1000)).hits == 896  # and a consumer does not write


def test_output_is_stored_too(tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path) -> None:
    settings = {"model_id": uuid4().hex}
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings) as engine:
        batch = engine.run((7, 500), max_tokens=150)
        chain = engine.chain(prompt(7, 500) + batch.tokens[0])
        assert len(chain) == 5
        wait(lambda: client.lookup(chain) == 5)
    with Engine(tiny, tmp_path / "other.log", stack, settings={**settings, "store_output": False}) as engine:
        batch = engine.run((8, 500), max_tokens=150)
        engine.wait_stored(client, (8, 500))
        assert batch.counters["kvstore_ordered_saves"] == 3
