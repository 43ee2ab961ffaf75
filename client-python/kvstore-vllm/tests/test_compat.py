"""Versions of vLLM, and forms that changed between them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kvstore_vllm import compat
from kvstore_vllm.identity import Unsupported
from kvstore_vllm.support import check


@pytest.mark.parametrize("version", ["0.29.0", "0.32.0", "0.32.1+cpu", "0.32.0rc1"])
def test_tested_versions(version: str) -> None:
    assert compat.flaw(version) == ""


@pytest.mark.parametrize("version", ["0.28.9", "0.33.0", "1.32.0", "dev"])
def test_other_versions_are_told(version: str) -> None:
    assert "vllm>=0.29,<0.33" in compat.flaw(version)


def test_resumed_requests_in_both_forms() -> None:
    new = SimpleNamespace(req_ids=["a", "b"], resumed_req_ids={"b"})
    old = SimpleNamespace(req_ids=["a", "b"], resumed_from_preemption=[False, True])
    assert [[compat.resumed(one, i) for i in (0, 1)] for one in (new, old)] == [[False, True]] * 2


def test_the_engines_own_blocks_count_from_the_start() -> None:
    pool = SimpleNamespace(get_cached_block=lambda name, groups: name != "x" and groups == [0])
    assert compat.local_blocks(pool, SimpleNamespace(block_hashes=["a", "b", "x", "c"])) == 2
    assert compat.local_blocks(None, SimpleNamespace(block_hashes=["a"])) == 0


class FullAttentionSpec:
    """Has the name of vLLM's class."""


class MLAAttentionSpec:
    """Has the name of vLLM's class."""


class MambaSpec:
    """Has the name of vLLM's class."""


class SlidingWindowSpec:
    """Has the name of vLLM's class."""

    def __init__(self, extra_retained_tokens: int = 0) -> None:
        self.extra_retained_tokens = extra_retained_tokens


def engine(**changes: object) -> tuple[object, object]:
    told = {
        "parallel": {},
        "scales": False,
        "speculation": None,
        "specs": [FullAttentionSpec()],
        "dtype": "auto",
        **changes,
    }
    config = SimpleNamespace(
        parallel_config=SimpleNamespace(**told["parallel"]),  # type: ignore[arg-type]
        cache_config=SimpleNamespace(calculate_kv_scales=told["scales"], cache_dtype=told["dtype"]),
        speculative_config=told["speculation"],
        model_config=SimpleNamespace(
            hf_config={"rope_parameters": {"rope_type": told.get("rope", "default")}},
            using_transformers_backend=lambda: bool(told.get("transformers")),
        ),
    )
    groups = [SimpleNamespace(kv_cache_spec=spec) for spec in told["specs"]]  # type: ignore[attr-defined]
    return config, SimpleNamespace(kv_cache_groups=groups)


def test_engines_that_are_served() -> None:
    check(*engine())
    check(*engine(parallel={"tensor_parallel_size": 8}))
    check(*engine(speculation=SimpleNamespace(method="ngram")))
    check(*engine(dtype="fp8_e4m3"))
    check(*engine(rope="longrope"))
    check(*engine(rope="yarn", transformers=True))


@pytest.mark.parametrize("specs", [[SlidingWindowSpec()], [SlidingWindowSpec(), FullAttentionSpec()]])
def test_windows_are_served_by_versions_that_tell_which_blocks_they_keep(
    specs: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compat, "has_exact_tables", lambda: True)
    check(*engine(specs=specs))
    monkeypatch.setattr(compat, "has_exact_tables", lambda: False)
    with pytest.raises(Unsupported, match="need vLLM 0.32"):
        check(*engine(specs=specs))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"parallel": {"pipeline_parallel_size": 2}}, "pipeline"),
        ({"parallel": {"decode_context_parallel_size": 2}}, "decode context"),
        ({"scales": True}, "calculate_kv_scales"),
        ({"speculation": SimpleNamespace(method="eagle3")}, "draft model"),
        ({"specs": [FullAttentionSpec(), MambaSpec()]}, "a cache of MambaSpec is not supported yet"),
        ({"specs": [FullAttentionSpec(), MLAAttentionSpec()]}, "MLAAttentionSpec beside 1 of other kinds"),
        ({"specs": [FullAttentionSpec(), SlidingWindowSpec(2)]}, "of a draft model"),
        ({"specs": []}, "no key-value cache"),
        ({"specs": [MambaSpec()]}, "MambaSpec"),
        ({"dtype": "int4_per_token_head"}, "int4_per_token_head at its first step"),
        ({"dtype": "fp8_per_token_head"}, "fp8_per_token_head at its first step"),
        ({"rope": "longrope", "transformers": True}, "longrope depends on other requests"),
        ({"rope": "dynamic", "transformers": True}, "dynamic depends on other requests"),
    ],
)
def test_engines_that_are_not_served(changes: dict[str, object], why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        check(*engine(**changes))


def test_the_configuration_of_a_multi_connector_is_found_from_within() -> None:
    own, outer = SimpleNamespace(kv_connector="KvStoreConnector"), SimpleNamespace(kv_connector="MultiConnector")

    def make(vllm_config: Any) -> Any:
        return compat.outer_transfer(own)

    def multi(vllm_config: Any) -> Any:
        return make(SimpleNamespace(kv_transfer_config=own))

    assert make(SimpleNamespace(kv_transfer_config=own)) is None
    assert multi(SimpleNamespace(kv_transfer_config=outer)) is outer
