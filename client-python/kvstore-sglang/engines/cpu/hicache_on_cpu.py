"""HiCache's copies between a device and host memory, for a device that is a CPU: SGLang has kernels for GPUs only.

Host pools have the layout ``page_first``, in which the slot of a token has all layers. Everything else is SGLang's.
"""

from __future__ import annotations

import ctypes
from typing import Any


def install() -> None:
    """Called by SGLang in each of its processes, by the entry point ``sglang.srt.plugins``."""
    from sglang.srt.mem_cache.pool_host import common, mha

    common.ALLOC_MEMORY_FUNCS["cpu"] = _unpinned
    mha.transfer_kv_all_layer_lf_pf = _to_host
    mha.transfer_kv_per_layer_pf_lf = _from_host


def _unpinned(dims: Any, dtype: Any, device: Any, pin_memory: bool, allocator: Any, *_: Any, **__: Any) -> Any:
    return allocator.allocate(dims, dtype=dtype, device=device)


def _to_host(
    *,
    src_k_layers: Any,
    dst_k: Any,
    src_v_layers: Any,
    dst_v: Any,
    src_indices: Any,
    dst_indices: Any,
    item_size: int,
    **_: Any,
) -> None:
    """Copies tokens of all layers; the layers are given by the addresses of their memory."""
    if not len(src_indices):
        return
    slots = int(src_indices.max()) + 1
    for layers, host in ((src_k_layers, dst_k), (src_v_layers, dst_v)):
        bytes_of_host = _bytes(host, item_size)
        for layer, address in enumerate(layers.tolist()):
            bytes_of_host[dst_indices, layer] = _memory(address, slots, item_size)[src_indices]


def _from_host(
    *, src_k: Any, dst_k: Any, src_v: Any, dst_v: Any, src_indices: Any, dst_indices: Any, layer_id: int, **_: Any
) -> None:
    """Copies tokens of one layer."""
    for host, device in ((src_k, dst_k), (src_v, dst_v)):
        device[dst_indices] = host[src_indices, layer_id].view(-1, *device.shape[1:])


def _bytes(host: Any, item_size: int) -> Any:
    import torch

    return host.view(torch.uint8).view(host.shape[0], host.shape[1], item_size)


def _memory(address: int, slots: int, item_size: int) -> Any:
    import torch

    memory = (ctypes.c_uint8 * (slots * item_size)).from_address(address)
    return torch.frombuffer(memory, dtype=torch.uint8).view(slots, item_size)
