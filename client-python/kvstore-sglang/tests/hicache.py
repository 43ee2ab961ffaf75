"""SGLang's host pool and our backend, as SGLang's own factory makes it."""

from __future__ import annotations

import hashlib
from typing import Any
from uuid import uuid4

from stack import Stack

PAGE = 16
LAYERS, HEADS, DIMENSION = 5, 2, 8


def pool(layout: str = "page_first", pages: int = 64, kind: Any = None) -> Any:
    """A host pool without a device."""
    import torch
    from sglang.srt.mem_cache.device_pool_info import KVBufferLayout, KVBuffers, MHABufferInfo
    from sglang.srt.mem_cache.pool_host import base
    from sglang.srt.mem_cache.pool_host.mha import MHATokenToKVPoolHost

    base.HICACHE_HOST_MEMORY_RESERVE_BYTES = 0  # 10 GiB, which a small pool need not leave free
    kind = kind or torch.float32
    tensors = tuple(torch.zeros(PAGE, HEADS, DIMENSION, dtype=kind) for _ in range(LAYERS))
    pointers = torch.tensor([one.data_ptr() for one in tensors], dtype=torch.uint64)
    info = MHABufferInfo(
        buffers=KVBuffers(
            k=tensors, v=tensors, k_data_ptrs=pointers, v_data_ptrs=pointers, layout=next(iter(KVBufferLayout))
        ),
        page_size=PAGE,
        head_num=HEADS,
        head_dim=DIMENSION,
        v_head_dim=DIMENSION,
        dtype=kind,
        device=torch.device("cpu"),
    )
    return MHATokenToKVPoolHost(
        info,
        2.0,
        0,
        PAGE,
        layout,
        pin_memory=False,
        device_capacity_tokens=PAGE * pages // 2,
        start_layer=0,
        end_layer=LAYERS,
        host_token_capacity=PAGE * pages,
    )


def fill(host: Any, seed: int) -> None:
    """Other bytes in all of a pool's memory."""
    import torch

    memory = host.kv_buffer.view(torch.uint8)
    memory.copy_(torch.randint(0, 256, memory.shape, generator=torch.Generator().manual_seed(seed), dtype=torch.uint8))


def slots(*pages: int) -> Any:
    """The slots of pages' tokens."""
    import torch

    return torch.cat([torch.arange(page * PAGE, (page + 1) * PAGE) for page in pages])


def page(host: Any, index: int) -> Any:
    """The bytes of a page, by SGLang's own way."""
    import torch

    return host.get_data_page(index * PAGE, flat=True).clone().view(torch.uint8)


def keys(prompt: str, count: int) -> list[str]:
    """A chain of hashes, as SGLang makes it."""
    made: list[str] = []
    for i in range(count):
        made.append(hashlib.sha256(f"{made[-1] if made else ''}/{prompt}/{i}".encode()).hexdigest())
    return made


def backend(stack: Stack, host: Any, *, model: str = "", rank: tuple[int, int] = (0, 1), **settings: Any) -> Any:
    """By SGLang's factory."""
    from sglang.srt.mem_cache.hicache_storage import HiCacheStorageConfig
    from sglang.srt.mem_cache.storage.backend_factory import StorageBackendFactory

    told = {
        "backend_name": "kvstore",
        "module_path": "kvstore_sglang.backend",
        "class_name": "KvStoreHiCache",
        "interface_v1": 1,
        "endpoints": list(stack.endpoints),
        "resource": stack.resource,
        "deadline_ms": 20_000,
        "model_id": model or uuid4().hex,
        **settings,
    }
    config = HiCacheStorageConfig(
        tp_rank=rank[0],
        tp_size=rank[1],
        pp_rank=0,
        pp_size=1,
        attn_cp_rank=0,
        attn_cp_size=1,
        is_mla_model=False,
        enable_storage_metrics=False,
        is_page_first_layout=host.layout == "page_first",
        model_name="served",
        extra_config=told,
    )
    made = StorageBackendFactory.create_backend("dynamic", config, host)
    made.register_mem_pool_host(host)
    made.on_host_pools_registered()
    return made
