"""Which engines the connector can serve; others go on without it."""

from __future__ import annotations

import re
from typing import Any

from kvstore_vllm import compat, positions
from kvstore_vllm.identity import Unsupported

#: Types of caches with a scale for each token and head beside its values.
_INLINE_SCALES = "_per_token_head"

#: Specs of caches that are stored, by the names of their classes; and those among them that may be there together.
_SPECS = ("FullAttentionSpec", "MLAAttentionSpec", "SlidingWindowSpec")
_TOGETHER = ("FullAttentionSpec", "SlidingWindowSpec")

_COMMIT = re.compile("[0-9a-f]{40}")


def check(config: Any, kv_cache_config: Any) -> None:
    """Raises :class:`Unsupported` with the reason, for an admin to read."""
    parallel = config.parallel_config
    for option, name in (
        ("pipeline_parallel_size", "pipeline"),
        ("prefill_context_parallel_size", "prefill context"),
        ("decode_context_parallel_size", "decode context"),
    ):
        if getattr(parallel, option, 1) > 1:
            raise Unsupported(f"{name} parallelism is not supported yet")
    if getattr(config.cache_config, "calculate_kv_scales", False):
        raise Unsupported("scales that are calculated while running (calculate_kv_scales) differ between processes")
    kept = str(getattr(config.cache_config, "cache_dtype", ""))
    if kept.endswith(_INLINE_SCALES):
        raise Unsupported(f"vLLM sets the scales in a cache of {kept} at its first step, also those of loaded blocks")
    speculation = getattr(config, "speculative_config", None)
    if speculation is not None and getattr(speculation, "method", "") not in ("ngram", "suffix"):
        raise Unsupported("a draft model's cache depends on tokens behind a block; only ngram and suffix are supported")
    if _tells_experts(config):
        raise Unsupported("vLLM tells routed experts of tokens that it computed, and ends if they were loaded")
    if getattr(getattr(config.model_config, "multimodal_config", None), "video_pruning_rate", None):
        raise Unsupported("vLLM learns the positions behind a pruned video when it encodes it, not from loaded blocks")
    if _code_of_another_repository(config.model_config):
        raise Unsupported("the model's code is in another repository: give its commit as --code-revision")
    if flaw := positions.flaw(config.model_config):
        raise Unsupported(flaw)
    _check_groups(config, kv_cache_config.kv_cache_groups)


def _check_groups(config: Any, groups: Any) -> None:
    kinds = [type(group.kv_cache_spec).__name__ for group in groups]
    if not kinds:
        raise Unsupported("the model has no key-value cache")
    for group, kind in zip(groups, kinds, strict=True):
        if kind not in (_SPECS if len(kinds) == 1 else _TOGETHER):
            beside = f" beside {len(kinds) - 1} of other kinds" if kind in _SPECS else ""
            raise Unsupported(f"a cache of {kind}{beside} is not supported yet")
        if getattr(group.kv_cache_spec, "extra_retained_tokens", 0) or not getattr(group, "enable_kv_transfer", True):
            raise Unsupported(f"a cache of {kind} of a draft model is not supported yet")
    if kinds in (["FullAttentionSpec"], ["MLAAttentionSpec"]):
        return
    if not compat.has_exact_tables():
        raise Unsupported("sliding windows and several kinds of caches need vLLM 0.32 or newer")
    if getattr(config.cache_config, "prefix_match_unit", None):
        raise Unsupported("prefix_match_unit is not supported with several kinds of caches yet")


def _code_of_another_repository(model: Any) -> bool:
    """Whether a model runs code of a repository beside its own, at whatever commit that has now."""
    named = getattr(getattr(model, "hf_config", None), "auto_map", None) or {}
    elsewhere = getattr(model, "trust_remote_code", False) and any("--" in str(place) for place in named.values())
    return elsewhere and not _COMMIT.fullmatch(getattr(model, "code_revision", None) or "")


def _tells_experts(config: Any) -> bool:
    name = "enable_return_routed_experts"  # of the model's configuration, in versions before 0.32
    parts = (getattr(config, "aux_output_config", None), config.model_config)
    return any(getattr(part, name, False) for part in parts)
