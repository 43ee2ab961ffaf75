"""What blocks depend on beside vLLM's configuration: its version, its platform, variables of its environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

#: Variables of vLLM that change the layout of its cache, how weights are quantised, or which kernels compute.
_CHANGING = re.compile(
    r"VLLM_(?:"
    r"(?:ROCM|XPU|CPU|TPU|ZENTORCH|HUMMING|MARLIN|MXFP[48]|NVFP4|BLOCKSCALE|B12X|DEEPEPLL|GDN|MOE|FLASHINFER|MLA)_\w+"
    r"|USE_(?:TRITON_AWQ|DEEP_GEMM\w*|FLASHINFER_MOE\w*|FUSED_MOE\w*|HW_AGNOSTIC|OINK_OPS|HPC_OPS|AITER\w*)"
    r"|KV_CACHE_LAYOUT|ATTENTION_BACKEND|FLASH_ATTN_VERSION|USE_TRITON_FLASH_ATTN"
    r"|FLOAT32_MATMUL_PRECISION|BATCH_INVARIANT|DISABLED_KERNELS|ENABLE_HPC_OPS|TRITON_USE_TD"
    r"|ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE|MEDIA_CONNECTOR|VIDEO_LOADER_BACKEND"
    r")"
)

#: Variables among them that change sizes, threads or folders only.
_HARMLESS = re.compile(
    r"VLLM_(?:CPU_(?:KVCACHE_SPACE|OMP_THREADS_BIND|NUM_OF_RESERVED_CPU|CI_ENV)|ROCM_SLEEP_MEM_CHUNK_SIZE"
    r"|FLASHINFER_(?:AUTOTUNE_\w+|WORKSPACE_BUFFER_SIZE|ALLREDUCE_\w+)|XPU_(?:PP_MICROBATCH|USE_SAMPLER_KERNEL))"
)


def variables(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Variables that are set and change a block's bytes."""
    return {
        name: value
        for name, value in environment.items()
        if value and _CHANGING.fullmatch(name) and not _HARMLESS.fullmatch(name)
    }


def engine() -> list[str]:
    """VLLM's version without its patch level, the kind of device, and the form of FP8 that this device has."""
    import vllm
    from vllm.platforms import current_platform as platform

    return [*str(vllm.__version__).split(".")[:2], str(platform.device_type), _fp8(platform)]


def _fp8(platform: Any) -> str:
    try:
        return str(platform.fp8_dtype())
    except (AttributeError, NotImplementedError):
        return ""
