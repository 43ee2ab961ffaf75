"""The kinds of caches that a model has, each of which is kept in a partition of its own: vLLM's cache groups."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kvstore_vllm import identity, layout
from kvstore_vllm.identity import Heads, Unsupported


@dataclass(frozen=True)
class Kept:
    """A group as a worker finds it. ``window`` is in tokens, or 0: then all tokens of a prefix are needed.

    ``tokens`` are those of a stored block, of whole engine blocks. ``label`` tells the group in the partition's name.
    """

    laid: layout.Layout
    engine_block: int
    window: int
    tokens: int
    heads: Heads
    form: str
    label: str

    def partition(self, precision: str, model: str) -> str:
        """The partition's name."""
        laid = self.laid
        return identity.partition(model, precision, self.form, self.tokens, laid.layers, self.heads, self.label)


def of(config: Any, kv_cache_config: Any, caches: Mapping[str, Any], rank: int) -> list[Kept]:
    """All groups of a worker of a tensor-parallel ``rank``. Raises :class:`Unsupported`."""
    groups = kv_cache_config.kv_cache_groups
    blocks = kv_cache_config.num_blocks
    parts = [_caches_of(group, caches) for group in groups] if len(groups) > 1 else [dict(caches)]
    _require_all(parts, caches)
    laid = [layout.of(part, blocks) for part in parts]
    sizes = [group.kv_cache_spec.block_size for group in groups]
    step = math.lcm(*sizes)
    tokens = identity.block_tokens(
        step, max(one.block_bytes * (step // size) for one, size in zip(laid, sizes, strict=True))
    )
    heads = _heads(config, groups, rank)
    made = []
    for i, (group, one, part) in enumerate(zip(groups, laid, parts, strict=True)):
        spec, size = group.kv_cache_spec, sizes[i]
        window = window_of(spec)
        if window and tokens - window + 1 >= size:
            raise Unsupported(f"a sliding window of {window} tokens is shorter than a stored block of {tokens}")
        isa = _processor(one, config, spec)
        form = identity.form(one.text, size, isa, identity.backends(config, sorted(part)))
        made.append(Kept(one, size, window, tokens, heads, form, _label(i, len(groups), window, part)))
    return made


def window_of(spec: Any) -> int:
    """Tokens before the end of a prefix that a cache of this kind needs, the next one among them; 0 for all."""
    return spec.sliding_window if type(spec).__name__ == "SlidingWindowSpec" else 0


def _label(index: int, groups: int, window: int, layers: Mapping[str, Any]) -> str:
    if groups == 1 and not window:
        return "g0"
    told = hashlib.sha256("\n".join(sorted(layers)).encode()).hexdigest()[:8]
    return f"g{index}of{groups}{f'.sw{window}' if window else ''}.{told}"


def _caches_of(group: Any, caches: Mapping[str, Any]) -> dict[str, Any]:
    return {name: caches[name] for name in group.layer_names if name in caches}


def _require_all(parts: list[dict[str, Any]], caches: Mapping[str, Any]) -> None:
    """Each layer has a group, or uses the cache of one that has."""
    kept = {tensor.data_ptr() for part in parts for tensor in part.values() if hasattr(tensor, "data_ptr")}
    for name, tensor in caches.items():
        if not any(name in part for part in parts) and tensor.data_ptr() not in kept:
            raise Unsupported(f"the cache of {name} is of no kind that vLLM tells")


def _heads(config: Any, groups: Any, rank: int) -> Heads:
    parallel, model = config.parallel_config, config.model_config
    if getattr(model, "use_mla", False):
        return Heads(0, 0, 1, rank == 0)
    ranks, total = parallel.tensor_parallel_size, model.get_total_num_kv_heads()
    if len(groups) > 1 and any(group.kv_cache_spec.num_kv_heads != max(1, total // ranks) for group in groups):
        return Heads(rank, rank, ranks, True)  # layers have other numbers of heads: no two ranks share
    return Heads.of(rank, ranks, total)


def _processor(laid: layout.Layout, config: Any, spec: Any) -> str:
    """On CPUs, keys are packed for the processor's vector unit: part of the name."""
    if laid.runs[0].device.type != "cpu" or getattr(config.model_config, "use_mla", False):
        return ""
    try:
        from vllm.v1.attention.backends.cpu_attn import _get_attn_isa

        model, cache = config.model_config, config.cache_config
        kept = None if cache.cache_dtype == "auto" else cache.cache_dtype
        try:
            isa = _get_attn_isa(model.dtype, spec.block_size, spec.head_size, kept)
        except TypeError:  # a version that does not ask for the type
            isa = _get_attn_isa(model.dtype, spec.block_size, spec.head_size)
    except (ImportError, TypeError) as e:
        raise Unsupported(f"this version of vLLM does not tell how its CPU backend packs keys ({e})") from None
    return str(isa)
