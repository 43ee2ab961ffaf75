"""SGLang's pages as objects of KV Store: their names, their memory."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kvstore_client.opaque import Entry, ObjectKind, partition_name

#: Changes when the bytes of pages change in a way that the other parts of the name do not say.
FORM = "sglang3"

#: SGLang's keys: a SHA-256 as 64 hexadecimal digits.
KEY_BYTES = 64

#: Numbers of a pool that its pages' bytes depend on.
_SHAPE = ("start_layer", "end_layer", "layer_num", "head_num", "head_dim", "v_head_dim")

#: The most runs of memory that a page may have. Keys and values of all layers are two.
MOST_RUNS = 8


class Unsupported(Exception):  # noqa: N818  it is a finding, not an error: the engine goes on without a store
    """Why these pages cannot be kept in the store: one sentence."""


class Pages:
    """The pages of one rank in a host pool of SGLang. Thread-safe."""

    def __init__(self, config: Any, pool: Any, namespace: str, model: str) -> None:
        """``config`` is a ``HiCacheStorageConfig``, ``pool`` a ``HostKVCache``, ``model`` tells weights apart.

        Raises :class:`Unsupported`.
        """
        if getattr(config, "should_split_heads", False):
            raise Unsupported("heads that are split for other numbers of ranks (tp_lcm_size) are not supported")
        self._pool = pool
        self._page_tokens = int(getattr(pool, "logical_page_size", 0) or pool.page_size)
        self.kind = ObjectKind(
            _name(config, pool, self._page_tokens, namespace, model),
            KEY_BYTES,
            self._runs(),
            affinity=partition_name(FORM, namespace, model),
        )

    def entries(self, keys: Sequence[str], indices: Any) -> list[Entry]:
        """Keys with the memory of their pages. ``indices`` is a tensor with the slots of all their tokens."""
        if len(indices) != len(keys) * self._page_tokens:
            raise ValueError(f"host_indices: {len(indices)} for {len(keys)} pages of {self._page_tokens} tokens")
        pointers, sizes = self._pool.get_page_buffer_meta(indices)
        runs = len(self.kind.runs)
        if len(pointers) != len(keys) * runs:
            raise ValueError(f"get_page_buffer_meta: {len(pointers)} runs for {len(keys)} pages of {runs}")
        memory = [_memory(at, size) for at, size in zip(pointers, sizes, strict=True)]
        return [Entry(self.kind, key.encode(), tuple(memory[i * runs : (i + 1) * runs])) for i, key in enumerate(keys)]

    def _runs(self) -> tuple[int, ...]:
        import torch

        try:
            _, sizes = self._pool.get_page_buffer_meta(torch.arange(self._page_tokens))
        except Exception as e:  # SGLang's pools raise what they like
            raise Unsupported(f"this pool has no pages that can be addressed ({e})") from None
        if not 1 <= len(sizes) <= MOST_RUNS:
            raise Unsupported(f"a page is in {len(sizes)} runs of memory; use --hicache-mem-layout page_first")
        return tuple(int(size) for size in sizes)


def _name(config: Any, pool: Any, page_tokens: int, namespace: str, model: str) -> str:
    ranks = [("tp", config.tp_rank, config.tp_size)]
    if config.is_mla_model:  # all ranks of tensor parallelism have the same pages, which one of them writes
        ranks = []
    ranks += [
        (name, getattr(config, f"{field}_rank", 0), getattr(config, f"{field}_size", 1))
        for name, field in (("pp", "pp"), ("cp", "attn_cp"), ("dcp", "dcp"))
    ]
    shape = [f"{name}{value}" for name in _SHAPE if isinstance(value := getattr(pool, name, None), int)]
    form = f"{type(pool).__name__}.{pool.layout}.p{page_tokens}"
    if tag := getattr(pool, "storage_format_tag", None):
        form += f".{tag}"
    return partition_name(
        FORM,
        namespace,
        model,
        str(pool.dtype).removeprefix("torch."),
        form,
        ".".join(shape),
        ".".join(f"{name}{rank}of{size}" for name, rank, size in ranks if size > 1) or "all",
    )


@lru_cache(maxsize=64)
def _array(size: int) -> Any:
    return ctypes.c_ubyte * size


def _memory(pointer: int, size: int) -> memoryview:
    return memoryview(_array(size).from_address(pointer)).cast("B")
