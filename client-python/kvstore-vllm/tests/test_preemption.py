"""Blocks of preempted requests are freed while their saves may still run: what is stored must be right all the same."""

from __future__ import annotations

import array
import pathlib
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from engine_process import prompt
from kvstore_client import BlockChain, KvClient
from stack import Stack, wait

pytestmark = pytest.mark.engine

PROMPTS = [(10 + i, 1000) for i in range(8)]
OUTPUT = 120


def test_what_preempted_requests_stored_is_what_a_calm_engine_stores(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    name = uuid4().hex
    # 4 requests of 1000 tokens fit, and none of them can grow to the end beside the others.
    tight: dict[str, Any] = {"block_size": 32, "num_gpu_blocks_override": 4 * 32 + 2, "enable_prefix_caching": True}
    with Engine(tiny, tmp_path / "tight.log", stack, settings={"model_id": f"{name}/tight"}, **tight) as engine:
        busy = engine.run(*PROMPTS, max_tokens=OUTPUT)
        assert busy.counters["num_preemptions"] > 0
        mine = [engine.chain(prompt(*one) + out) for one, out in zip(PROMPTS, busy.tokens, strict=True)]
        wait(lambda: all(client.lookup(chain) == len(chain) for chain in mine))
    with Engine(tiny, tmp_path / "calm.log", stack, settings={"model_id": f"{name}/calm"}, block_size=32) as engine:
        calm = [engine.run(one, max_tokens=OUTPUT) for one in PROMPTS]
        assert busy.tokens == [batch.tokens[0] for batch in calm]
        theirs = [engine.chain(prompt(*one) + out) for one, out in zip(PROMPTS, busy.tokens, strict=True)]
        wait(lambda: all(client.lookup(chain) == len(chain) for chain in theirs))
    assert {len(chain) for chain in mine} == {8}
    for one, other in zip(mine, theirs, strict=True):
        for i in range(len(one)):
            assert difference(client, one, other, i) < 1e-3, (i, one)


def difference(client: KvClient, one: BlockChain, other: BlockChain, index: int) -> float:
    """The largest difference of two stored blocks' values. Batches of another size round otherwise in the last bits."""
    pair = [array.array("f", bytes(client.read(chain.location(index)).buffer)) for chain in (one, other)]
    assert any(pair[0])
    return float(max(abs(a - b) for a, b in zip(*pair, strict=True)))
