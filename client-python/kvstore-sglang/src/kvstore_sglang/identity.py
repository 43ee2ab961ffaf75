"""The model of this process of SGLang, for the names of partitions."""

from __future__ import annotations

import hashlib
from typing import Any

from kvstore import weights

from kvstore_sglang.pages import Unsupported


def model(model_id: str) -> str:
    """Name or ``model_id``, configuration, types, weights, and the adapters of ``--lora-paths``.

    SGLang tells a storage backend the name under which it serves a model, which says nothing of its weights. Its names
    of pages have an adapter's name and path. Raises :class:`Unsupported` if nothing tells these weights from others.
    """
    try:
        from sglang.srt.runtime_context import get_lora, process_model_config

        config, adapters = process_model_config(), get_lora().lora_paths
    except Exception as e:  # another version of SGLang, or a process without a model
        if model_id:
            return model_id
        raise Unsupported(f"SGLang does not tell its model ({e}); set model_id") from None
    configuration = f"{weights.configuration(config.hf_config)}.{_types(config)}{_digest(adapters)}"
    try:
        source = weights.Source(str(config.model_path), config.revision, model_id=model_id)
        return weights.identity(source, configuration, loading_since=weights.process_start())
    except weights.UnknownWeights as e:
        raise Unsupported(str(e)) from None


def _types(config: Any) -> str:
    quantized = f".w-{config.quantization}" if config.quantization else ""
    return str(config.dtype).removeprefix("torch.") + quantized


def _digest(adapters: Any) -> str:
    found = [(one.lora_name, weights.of_adapter(one.lora_name, one.lora_path).hex()) for one in adapters or ()]
    return f".a{hashlib.sha256(repr(sorted(found)).encode()).hexdigest()[:16]}" if found else ""
