"""Names of partitions: equal where bytes are, and different where they may be."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kvstore_vllm import identity
from kvstore_vllm.identity import Heads, Unsupported


@given(st.integers(1, 16), st.sampled_from([1, 2, 4, 8, 16, 32]))
def test_ranks_cover_all_heads_and_each_is_written_once(ranks: int, total: int) -> None:
    if total % ranks and ranks % total:
        return
    every = [Heads.of(rank, ranks, total) for rank in range(ranks)]
    written = [head for heads in every if heads.writes for head in range(heads.first, heads.last + 1)]
    assert written == list(range(total))
    assert {(heads.first, heads.last) for heads in every} == {
        (heads.first, heads.last) for heads in every if heads.writes
    }


@pytest.mark.parametrize(
    ("engine_block", "length", "tokens"),
    [
        (16, 1 << 20, 128),
        (128, 1 << 20, 128),
        (256, 1 << 20, 256),
        (400, 1 << 20, 400),
        (16, 9 << 20, 64),
        (16, 64 << 20, 16),
    ],
)
def test_a_block_has_128_tokens_unless_the_engines_blocks_do_not_fit(
    engine_block: int, length: int, tokens: int
) -> None:
    assert identity.block_tokens(engine_block, length) == tokens


def test_a_block_over_64_mib_is_refused() -> None:
    with pytest.raises(Unsupported, match="more than 64 MiB"):
        identity.block_tokens(16, (64 << 20) + 1)


@given(st.text(max_size=600), st.text(max_size=100))
def test_names_are_partitions_and_long_ones_differ(model: str, other: str) -> None:
    from kvstore_client import Partition

    heads = Heads(0, 7, 8, True)
    made = [
        identity.partition(one, "bfloat16", "x", 128, (0, 31), heads, "g0")
        for one in (model + "a", model + "b" + other)
    ]
    assert made[0] != made[1]
    for name in made:
        Partition(name)


def test_the_types_of_model_weights_and_cache_are_told_apart() -> None:
    def of(dtype: str, kept: str, quantization: str | None) -> str:
        return identity.precision(
            SimpleNamespace(
                model_config=SimpleNamespace(dtype=dtype, quantization=quantization),
                cache_config=SimpleNamespace(cache_dtype=kept),
            )
        )

    made = [of(*one) for one in (("torch.bfloat16", "auto", None), ("torch.float16", "auto", None))]
    made += [of("torch.bfloat16", "fp8_e4m3", None), of("torch.bfloat16", "auto", "fp8")]
    assert made[0] == "bfloat16"
    assert len(set(made)) == 4
