"""Models of other forms of attention, and outputs that are guessed first."""

from __future__ import annotations

import pathlib
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from engine_process import prompt
from model import make_latent
from stack import Stack, wait

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def latent(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A model with multi-head latent attention."""
    pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")
    return make_latent(tmp_path_factory.mktemp("models") / "latent")


def test_ranks_with_latent_attention_share_the_blocks_that_one_of_them_writes(
    latent: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex}
    two: dict[str, Any] = {"tensor_parallel_size": 2, "processes": True, "environment": {"OMP_NUM_THREADS": "1"}}
    # vLLM's MLA on CPUs rounds a loaded prefix otherwise than a computed one, and two ranks otherwise than one, which
    # shows in later tokens: the first ones are compared.
    prompts = [(seed, 300 + 100 * seed) for seed in range(1, 7)]
    blocks = sum(length // 128 for _, length in prompts)
    with Engine(latent, tmp_path / "without.log", None, **two) as engine:
        plain = engine.run(*prompts, max_tokens=1).tokens
        assert len({str(tokens) for tokens in plain}) == len(prompts)
    with Engine(latent, tmp_path / "first.log", stack, settings=settings, **two) as engine:
        first = engine.run(*prompts, max_tokens=1)
        assert (first.tokens, first.hits) == (plain, 0)
        wait(lambda: engine.told("stored_blocks") == blocks)
    reading = {**settings, "read_only": True}
    for name, options in (("two", two), ("one", {})):
        with Engine(latent, tmp_path / f"{name}.log", stack, settings=reading, **options) as engine:
            again = engine.run(*prompts, max_tokens=1)
            assert (again.tokens, again.hits) == (plain, 128 * blocks)


def test_outputs_that_were_guessed_are_stored_as_they_came(
    tiny: pathlib.Path, stack: Stack, tmp_path: pathlib.Path
) -> None:
    settings = {"model_id": uuid4().hex, "store_output": True}
    guess = {"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 3, "prompt_lookup_min": 1}
    with Engine(tiny, tmp_path / "without.log", None) as engine:
        plain = engine.run((1, 100), max_tokens=300).tokens[0]
    with Engine(tiny, tmp_path / "first.log", stack, settings=settings, speculative_config=guess) as engine:
        first = engine.run((1, 100), max_tokens=300)
        assert first.tokens[0] == plain
        drafted, accepted = (first.counters[f"spec_decode_num_{name}_tokens"] for name in ("draft", "accepted"))
        assert 0 < accepted < drafted  # guesses of both kinds
        wait(lambda: engine.told("stored_blocks") == 3)
    with Engine(tiny, tmp_path / "second.log", stack, settings={**settings, "read_only": True}) as engine:
        again = engine.run({"tokens": prompt(1, 100) + plain[:290]})
        assert (again.tokens[0], again.hits) == (plain[290:298], 384)
