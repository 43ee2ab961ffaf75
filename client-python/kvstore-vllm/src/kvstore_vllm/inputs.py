"""Everything that a block's bytes depend on beside its tokens, and how each of it gets into the block's name.

:data:`TABLE` is this list. What is in vLLM's configuration comes to one digest, behind the ``@`` of a partition's name.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
import pathlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kvstore_client import weights

from kvstore_vllm import loading, media, positions, surroundings

#: Options of attention that choose sizes, or the backend, which has a part of the name of its own.
_NO_ATTENTION = re.compile(
    r"backend|backend_per_kind|hisparse_config|flex_attn_\w+|\w+_splits?_\w+|\w+_workspace_factor"
)

#: Options of adapters that choose sizes, kernels, or the adapter of a request; and their type, which is told apart.
_NO_ADAPTERS = re.compile(r"max_\w+|fully_sharded_loras|specialize_active_lora|default_mm_loras|lora_dtype")

#: Options of kernels that choose when these are made ready, and the order that a platform gives them.
_NO_KERNELS = re.compile(r"enable_\w+|ir_op_priority")


class Place(enum.Enum):
    """How an input gets into the name of a block."""

    CONFIGURATION = "the digest of the configuration in the partition's name"
    WEIGHTS = "the digest of the weights in the partition's name, or model_id"
    PARTITION = "a part of the partition's name of its own"
    EXTRA = "the block's extra; a request that cannot tell it is not cached"
    REFUSED = "nothing: the engine goes on without a store"


@dataclass(frozen=True)
class Input:
    """Something that a block's bytes depend on.

    ``of`` tells it from vLLM's configuration, if its place is the digest of the configuration: a value that JSON can
    write, and an empty one for what is usual, so that engines with usual settings keep their names.
    """

    name: str
    place: Place
    of: Callable[[Any], Any] | None = None


def configuration(vllm_config: Any) -> str:
    """16 hexadecimal digits of all inputs that vLLM's configuration tells. Raises ``OSError`` for unreadable files."""
    told = {one.name: value for one in TABLE if one.of is not None and (value := one.of(vllm_config))}
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=_text).encode()).hexdigest()[:16]


def _text(value: Any) -> Any:
    """What JSON cannot write, equal in all processes: a set has another order in each."""
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def _platform(config: Any) -> Any:
    """Options of a platform's plugin, which may be an object that tells its digest."""
    told: Any = getattr(config, "additional_config", None)
    return told.compute_hash() if hasattr(told, "compute_hash") else told


def _quantization(config: Any) -> Any:
    """Quantisation while loading, and files that describe it; the configuration of the checkpoint is the model's."""
    model = config.model_config
    told = {"online": _plain(getattr(model, "quantization_config", None))}
    overrides = getattr(model, "hf_overrides", None)
    for name in ("quantization_config_file", "quantization_config_dict_json"):
        if isinstance(overrides, dict) and overrides.get(name):
            told[name] = [str(overrides[name]), _content(overrides[name])]
    return {name: value for name, value in told.items() if value}


def _code(config: Any) -> Any:
    """Code that comes with the model: its files, or where it comes from."""
    model = config.model_config
    if not getattr(model, "trust_remote_code", False):
        return ""
    folder = weights.folder(str(model.model), getattr(model, "revision", None))
    files = sorted(pathlib.Path(folder).glob("*.py")) if folder else []
    return [getattr(model, "code_revision", None), [[file.name, _content(file)] for file in files]]


def _implementation(config: Any) -> Any:
    model = config.model_config
    chosen = str(getattr(model, "model_impl", "auto"))
    return [chosen if chosen != "auto" else "", getattr(model, "model_class_overrides", None) or "", _plugins(model)]


def _plugins(model: Any) -> list[list[str]]:
    """Classes and code of vLLM's plugins that compute the model in place of vLLM's own."""
    known = getattr(getattr(model, "registry", None), "models", {})
    found = [known[name] for name in getattr(model, "architectures", None) or () if name in known]
    told = [(getattr(one, "module_name", ""), getattr(one, "class_name", "")) for one in found]
    told += [(made.__module__, made.__qualname__) for one in found if (made := getattr(one, "model_cls", None))]
    return [
        [module, name, _content(getattr(sys.modules.get(module), "__file__", None) or "")]
        for module, name in told
        if module and not module.startswith("vllm.")
    ]


def _media(config: Any) -> Any:
    model = config.model_config
    return media.processing(model, weights.folder(str(model.model), getattr(model, "revision", None)))


def _changed(part: str, left_out: re.Pattern[str]) -> Callable[[Any], Any]:
    """The fields of a part of vLLM's configuration that are not as its class makes them."""

    def of(config: Any) -> Any:
        told = getattr(config, part, None)
        if not dataclasses.is_dataclass(told) or isinstance(told, type):
            return None
        usual = type(told)()
        names = [field.name for field in dataclasses.fields(told) if not left_out.fullmatch(field.name)]
        return {name: _plain(getattr(told, name)) for name in names if getattr(told, name) != getattr(usual, name)}

    return of


def _cache(config: Any) -> Any:
    cache = config.cache_config
    told = {name: getattr(cache, name, None) for name in ("kv_cache_dtype_skip_layers", "kv_cache_layout")}
    return {name: value for name, value in told.items() if value}


def _adapters(config: Any) -> Any:
    kind = str(getattr(getattr(config, "lora_config", None), "lora_dtype", None) or "auto")
    # vLLM takes the model's type for "auto" when it checks its configuration.
    return "" if kind in ("auto", str(config.model_config.dtype)) else kind


def _plain(value: Any) -> Any:
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) and not isinstance(value, type) else value


def _content(file: Any) -> str:
    """The digest of a small file; empty if it is none."""
    path = pathlib.Path(file)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _in_configuration(name: str, of: Callable[[Any], Any]) -> Input:
    return Input(name, Place.CONFIGURATION, of)


TABLE: tuple[Input, ...] = (
    _in_configuration(
        "model's configuration after overrides", lambda c: weights.configuration(c.model_config.hf_config)
    ),
    _in_configuration("longest context, where RoPE depends on it", lambda c: positions.longest_context(c.model_config)),
    _in_configuration("manner of loading", loading.manner),
    _in_configuration("quantisation while loading", _quantization),
    _in_configuration("code of the model", _code),
    _in_configuration("implementation of the model", lambda c: [one for one in _implementation(c) if one]),
    _in_configuration("processors of media", _media),
    _in_configuration("options of attention", _changed("attention_config", _NO_ATTENTION)),
    _in_configuration("kernels", _changed("kernel_config", _NO_KERNELS)),
    _in_configuration("options of a platform", _platform),
    _in_configuration("options of the cache", _cache),
    _in_configuration("type of adapters", _adapters),
    _in_configuration("options of adapters", _changed("lora_config", _NO_ADAPTERS)),
    _in_configuration("variables of the environment", lambda _: surroundings.variables()),
    _in_configuration("version and device", lambda _: surroundings.engine()),
    Input("weights and scales", Place.WEIGHTS),
    Input("type of the model", Place.PARTITION),
    Input("quantisation of weights", Place.PARTITION),
    Input("type of the cache", Place.PARTITION),
    Input("layout of the cache", Place.PARTITION),
    Input("engine's block", Place.PARTITION),
    Input("vector unit of a CPU", Place.PARTITION),
    Input("attention backend", Place.PARTITION),
    Input("tokens of a block", Place.PARTITION),
    Input("layers", Place.PARTITION),
    Input("heads of a rank", Place.PARTITION),
    Input("cache group", Place.PARTITION),
    Input("salt", Place.EXTRA),
    Input("adapter", Place.EXTRA),
    Input("images, audio and video", Place.EXTRA),
    Input("prompt embeddings", Place.EXTRA),
    Input("tokens among prompt embeddings", Place.EXTRA),
    Input("scales that are calculated while running", Place.REFUSED),
    Input("scales that vLLM sets at the first step", Place.REFUSED),
    Input("draft model", Place.REFUSED),
    Input("states", Place.REFUSED),
    Input("pipeline and context parallelism", Place.REFUSED),
    Input("RoPE that depends on other requests", Place.REFUSED),
)
