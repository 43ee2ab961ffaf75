"""The partition's name: what must be equal so that one engine may use the blocks of another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kvstore_client.names import MAX_PARTITION_BYTES

#: Changes when the bytes of blocks change in a way that the other parts of the name do not say.
FORM = "vllm2"

#: Blocks have as many tokens, unless the engine's own blocks do not divide it.
BLOCK_TOKENS = 128

#: The longest buffer of a block that the store takes: 64 MiB.
MAX_BLOCK_BYTES = 64 << 20


class Unsupported(Exception):  # noqa: N818  it is a finding, not an error: the engine goes on without a store
    """Why this engine's cache cannot be kept in the store: one sentence."""


@dataclass(frozen=True)
class Heads:
    """The key-value heads of one worker, ``first`` to ``last`` of ``total``; ``writes`` is false for a copy."""

    first: int
    last: int
    total: int
    writes: bool

    @classmethod
    def of(cls, rank: int, ranks: int, total: int) -> Heads:
        """The heads of tensor-parallel rank ``rank`` of ``ranks``. Where heads are fewer than ranks, ranks share."""
        if total >= ranks:
            each = total // ranks
            return cls(rank * each, rank * each + each - 1, total, True)
        sharing = ranks // total
        return cls(rank // sharing, rank // sharing, total, rank % sharing == 0)


def block_tokens(engine_block: int, engine_block_bytes: int) -> int:
    """Tokens of a stored block: whole engine blocks, 128 tokens if that goes, and at most 64 MiB.

    Raises :class:`Unsupported` if a single engine block is longer.
    """
    tokens = BLOCK_TOKENS if BLOCK_TOKENS % engine_block == 0 else engine_block
    while tokens // engine_block * engine_block_bytes > MAX_BLOCK_BYTES and tokens // 2 % engine_block == 0:
        tokens //= 2
    if tokens // engine_block * engine_block_bytes > MAX_BLOCK_BYTES:
        raise Unsupported(f"a block of {engine_block} tokens has {engine_block_bytes} bytes, more than 64 MiB")
    return tokens


def partition(
    model: str, precision: str, layout: str, tokens: int, layers: tuple[int, int], heads: Heads, group: str
) -> str:
    """The name of the partition, of at most 512 bytes: a longer one is cut, and ends in a digest of all of it."""
    name = (
        f"{FORM}/{model}/{precision}/{layout}/bt{tokens}/L{layers[0]}-{layers[1]}"
        f"/h{heads.first}-{heads.last}of{heads.total}/{group}"
    )
    name = "".join(c if c.isprintable() else "?" for c in name)
    encoded = name.encode("utf-8", "replace")
    if len(encoded) <= MAX_PARTITION_BYTES:
        return encoded.decode()
    end = "~" + hashlib.sha256(encoded).hexdigest()
    return encoded[: MAX_PARTITION_BYTES - len(end)].decode("utf-8", "ignore") + end


def form(layout: str, engine_block: int, isa: str, backends: Sequence[str]) -> str:
    """How the bytes of a block lie: the layout of vLLM's tensors, and what puts them there.

    ``isa`` is the vector unit for which a CPU packs keys, if it does. Two backends may fill equal tensors differently.
    """
    return f"{layout}-bs{engine_block}{f'-{isa}' if isa else ''}-{'+'.join(backends)}"


def backends(vllm_config: Any, layers: Iterable[str]) -> tuple[str, ...]:
    """The names of the attention backends of layers, each once. Raises :class:`Unsupported` if vLLM does not tell."""
    known = vllm_config.compilation_config.static_forward_context
    try:
        found = [str(known[name].get_attn_backend().get_name()) for name in layers]
    except (KeyError, AttributeError) as e:
        raise Unsupported(f"this version of vLLM does not tell its attention backend ({e})") from None
    if not found:
        raise Unsupported("vLLM does not tell its attention backend")
    return tuple(dict.fromkeys(found))


def precision(vllm_config: Any) -> str:
    """The types that the values of keys and values depend on: of the model, of its weights, of the cache."""
    config, cache = vllm_config.model_config, vllm_config.cache_config
    kind = str(config.dtype).removeprefix("torch.")
    kept = str(cache.cache_dtype)
    quantized = getattr(config, "quantization", None)
    return kind + (f".w-{quantized}" if quantized else "") + ("" if kept == "auto" else f".kv-{kept}")
