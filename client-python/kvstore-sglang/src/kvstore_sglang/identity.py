"""The model of this process of SGLang, for the names of partitions."""

from __future__ import annotations

import hashlib
from typing import Any

from kvstore_client import adapters, weights

from kvstore_sglang import inputs
from kvstore_sglang.pages import Unsupported


def model(model_id: str) -> str:
    """Name or ``model_id``, configuration, types, weights, and the adapters of ``--lora-paths``.

    SGLang tells a storage backend the name under which it serves a model, which says nothing of its weights. Raises
    :class:`Unsupported` if nothing tells these weights from others.
    """
    try:
        from sglang.srt.runtime_context import get_lora, get_server_args, process_model_config

        config, loaded, arguments = process_model_config(), get_lora().lora_paths, get_server_args()
    except Exception as e:  # another version of SGLang, or a process without a model
        if model_id:
            return model_id
        raise Unsupported(f"SGLang does not tell its model ({e}); set model_id") from None
    if why := inputs.flaw(config):
        raise Unsupported(why)
    since = weights.process_start()
    try:
        told = inputs.configuration(arguments)
    except OSError as e:
        raise Unsupported(f"a file that SGLang's arguments name cannot be read ({e})") from None
    configuration = f"{weights.configuration(config.hf_config)}.{_types(config)}{told}{_digest(loaded, since)}"
    try:
        return weights.identity(inputs.source(config, arguments, model_id), configuration, loading_since=since)
    except weights.UnknownWeights as e:
        raise Unsupported(str(e)) from None


def _types(config: Any) -> str:
    quantized = f".w-{config.quantization}" if config.quantization else ""
    return str(config.dtype).removeprefix("torch.") + quantized


def _digest(loaded: Any, loading_since: float) -> str:
    """Of the adapters that SGLang loaded at its start. Its names of pages have an adapter's name and path."""
    found = []
    for one in loaded or ():
        path = str(one.lora_path)
        try:
            digest, changed = adapters.digest(path), adapters.changed(path)
        except OSError as e:
            raise Unsupported(f"the adapter {one.lora_name} cannot be read ({e})") from None
        if not digest:
            raise Unsupported(
                f"the files of the adapter {one.lora_name} are not at hand; name its folder in --lora-paths"
            )
        if changed > loading_since:
            raise Unsupported(f"the adapter {one.lora_name} changed after this process began; restart it")
        found.append((one.lora_name, digest.hex()))
    return f".a{hashlib.sha256(repr(sorted(found)).encode()).hexdigest()[:16]}" if found else ""
