"""What a page's bytes depend on beside its tokens and its pool, as far as SGLang's arguments tell it.

:data:`TABLE` is this list; all of it comes to one digest in the partition's name.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kvstore_client import weights

from kvstore_sglang.pages import Unsupported

#: Formats that load the safetensors of the model's folder if it has some, and formats that load its other files.
_TENSORS = ("auto", "safetensors", "instanttensor", "fastsafetensors", "mistral", "layered", "runai_streamer")
_FILES = ("pt", "npcache", "gguf", "bitsandbytes", "sharded_state")

#: Random weights, which SGLang makes from a fixed seed for each tensor's shape.
_DUMMY = "dummy"

#: Arguments that bring weights from elsewhere than the model's folder.
_ELSEWHERE = ("custom_weight_loader", "kt_weight_path", "modelopt_checkpoint_restore_path", "delete_ckpt_after_loading")

#: Options of loaders that change how fast weights come, and not which.
_SPEED = ("enable_multithread_load", "num_threads", "concurrency", "memory_limit", "distributed")

#: Files that set processors of images, audio and video up.
_PROCESSORS = ("preprocessor_config.json", "processor_config.json", "video_preprocessor_config.json")

#: Variables of SGLang that change the layout of its cache, how numbers are kept, or which attention computes.
_VARIABLES = re.compile(
    r"SGLANG_\w*(?:LAYOUT|HND|FP8|FP4|INT8|MXFP|W4A|QUANT|DTYPE|MARLIN|HUMMING|IGNORED_LAYERS|ATTN|ATTENTION|FLASHMLA"
    r"|AITER|ROPE_|MOE_PADDING|IMAGE_PROCESSOR|SIMULATE)\w*"
)


@dataclass(frozen=True)
class Input:
    """Something that a page's bytes depend on. ``of`` gets SGLang's arguments, and is empty for what is usual."""

    name: str
    of: Callable[[Any], Any]


def configuration(arguments: Any) -> str:
    """A part of a name for what SGLang's arguments tell; empty for usual ones. Raises ``OSError``."""
    told = {one.name: value for one in TABLE if (value := one.of(arguments))}
    return (
        f".x{hashlib.sha256(json.dumps(told, sort_keys=True, default=str).encode()).hexdigest()[:16]}" if told else ""
    )


def source(config: Any, arguments: Any, model_id: str) -> weights.Source:
    """What the engine's weights are told by. Raises :class:`Unsupported` if its folder does not have all of them."""
    name, form = str(config.model_path), str(getattr(arguments, "load_format", "auto"))
    if form == _DUMMY:
        short = os.path.basename(name.rstrip("/"))
        return weights.Source(short, model_id=f"{model_id or short}-dummy")
    if not model_id:
        if form not in (*_TENSORS, *_FILES):
            raise Unsupported(f"weights of the load format {form} may lie anywhere; set model_id to a name for them")
        others = [one for one in _ELSEWHERE if getattr(arguments, one, None)]
        others += [f"model_loader_extra_config ({one})" for one in sorted(set(_options(arguments)) - set(_SPEED))]
        if others:
            raise Unsupported(f"with {others[0]} weights may lie anywhere; set model_id to a name for all of them")
    directory = getattr(arguments, "download_dir", None)
    return weights.Source(name, config.revision, directory, model_id, every=form not in _TENSORS)


def flaw(config: Any) -> str:
    """Why a page depends on the other requests that were computed with it; empty if it does not."""
    if any(kind in ("longrope", "su") for kind in _ropes(weights.plain(config.hf_config))):
        return "LongRoPE of SGLang chooses its factors by the longest request of a batch"
    return ""


def _ropes(told: Any) -> Iterable[str]:
    if isinstance(told, Mapping):
        for key, value in told.items():
            if key in ("rope_type", "type") and isinstance(value, str):
                yield value
            yield from _ropes(value)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from _ropes(value)


def _options(arguments: Any) -> dict[str, Any]:
    told = getattr(arguments, "model_loader_extra_config", None) or {}
    try:
        told = json.loads(told) if isinstance(told, str) else dict(told)
    except ValueError:
        return {"unreadable": str(told)}
    return told if isinstance(told, dict) else {"unreadable": str(told)}


def _loading(arguments: Any) -> Any:
    form = str(getattr(arguments, "load_format", "auto"))
    told: dict[str, Any] = {name: value for name, value in _options(arguments).items() if name not in _SPEED}
    told |= {name: str(value) for name in _ELSEWHERE if (value := getattr(arguments, name, None))}
    if form not in _TENSORS:
        told["format"] = form
    if form == _DUMMY:
        told["ranks"] = [getattr(arguments, name, 1) for name in ("tp_size", "dp_size", "ep_size")]
    return told


def _given(*names: str) -> Callable[[Any], Any]:
    """Arguments that are set to something else than nothing, ``False`` or ``auto``."""

    def of(arguments: Any) -> Any:
        told = {name: getattr(arguments, name, None) for name in names}
        return {name: value for name, value in told.items() if value and value not in ("auto", "{}")}

    return of


def _scales(arguments: Any) -> Any:
    path = getattr(arguments, "quantization_param_path", None)
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest() if path else ""


def _beside_the_model(arguments: Any) -> Any:
    """Settings of processors, and code that comes with the model: files of its folder."""
    folder = weights.folder(str(getattr(arguments, "model_path", "")), getattr(arguments, "revision", None))
    if not folder or not os.path.isdir(folder):
        return []
    code = sorted(pathlib.Path(folder).glob("*.py")) if getattr(arguments, "trust_remote_code", False) else []
    files = [file for name in _PROCESSORS if (file := pathlib.Path(folder, name)).is_file()]
    return [[file.name, hashlib.sha256(file.read_bytes()).hexdigest()] for file in [*files, *code]]


TABLE: tuple[Input, ...] = (
    Input("manner of loading", _loading),
    Input("scales of the cache", _scales),
    Input("type of the cache", _given("kv_cache_dtype", "qsa_indexer_dtype", "prefill_kv_cache_dequant_dtype")),
    Input(
        "quantisation while loading",
        _given("torchao_config", "modelopt_quant", "quantize_and_serve", "rl_quant_profile", "kt_method"),
    ),
    Input(
        "attention backend",
        _given("attention_backend", "prefill_attention_backend", "decode_attention_backend", "mm_attention_backend"),
    ),
    Input("kernels", _given("moe_runner_backend", "fp8_gemm_runner_backend", "fp4_gemm_runner_backend")),
    Input("numbers between ranks", _given("enable_quant_communications", "deepep_dispatcher_output_dtype")),
    Input("implementation of the model", _given("model_impl", "decrypted_config_file", "dllm_algorithm")),
    Input("longest context", _given("context_length")),
    Input(
        "processors of media",
        _given(
            "mm_process_config", "image_processor_backend", "disable_fast_image_processor", "trust_mm_content_hashes"
        ),
    ),
    Input("files beside the model", _beside_the_model),
    Input(
        "variables of the environment",
        lambda _: {name: value for name, value in sorted(os.environ.items()) if value and _VARIABLES.fullmatch(name)},
    ),
)
