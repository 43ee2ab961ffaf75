"""What a model's ``config.json`` says of its key-value cache and of the work of computing it.

:data:`KNOWN` has what the configurations of common models say, as far as it is needed here.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Layers that keep a fixed state in place of keys and values of each token, by their names in ``layer_types``.
_STATES = ("linear_attention", "mamba", "recurrent", "conv")

#: What configurations call the experts that a router chooses among.
_EXPERTS = ("n_routed_experts", "num_local_experts", "num_experts")


@dataclass(frozen=True)
class Model:
    """A model's shape. ``heads`` are its key-value heads, 0 with multi-head latent attention (MLA).

    ``layers`` keep keys and values, ``windows`` of them for the last tokens only. ``numbers`` are those of a head's
    key, or of MLA's vector of a token. ``parameters`` are those of all layers that a token goes through: of a mixture
    of experts, the chosen ones.
    """

    layers: int
    windows: int
    heads: int
    numbers: int
    parameters: int

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Model:
        """From a configuration. Raises ``ValueError``, which names what it lacks."""
        config = told.get("text_config", told)  # of a model that also takes images
        layers = _number(config, "num_hidden_layers")
        kinds = _kinds(config, layers)
        windows = sum(kind != "full_attention" and kind not in _STATES for kind in kinds)
        queries = _number(config, "num_attention_heads")
        latent = config.get("kv_lora_rank")
        heads = 0 if latent else config.get("num_key_value_heads") or queries
        head = config.get("head_dim") or _number(config, "hidden_size") // queries
        numbers = latent + _number(config, "qk_rope_head_dim") if latent else head
        kept = sum(kind not in _STATES for kind in kinds)
        return cls(kept, windows, heads, numbers, layers * _attention(config, queries, heads, head) + _widths(config))


def read(name: str) -> Model:
    """A model by its name in :data:`KNOWN`, or by its ``config.json`` or the folder that has it.

    Raises ``ValueError`` or ``OSError``, which name the file or what it lacks.
    """
    known = {_plain(one): config for one, (_, config) in KNOWN.items()}.get(_plain(name))
    if known is not None:
        return Model.of(known)
    path = pathlib.Path(name)
    if not path.exists():
        raise ValueError(f"{name} is no file, no folder and no known model; known are {', '.join(KNOWN)}")
    path = path / "config.json" if path.is_dir() else path
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return Model.of(told if isinstance(told, dict) else {})
    except ValueError as e:
        raise ValueError(f"{path}: {e}") from None


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _number(config: Mapping[str, Any], name: str) -> int:
    value = config.get(name)
    if not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be a whole number above 0, not {value!r}")
    return value


def _kinds(config: Mapping[str, Any], layers: int) -> list[str]:
    """What kind of attention each layer has."""
    if told := config.get("layer_types"):
        return list(told)
    every, window = 0, bool(config.get("sliding_window")) and config.get("use_sliding_window", True)
    if window:
        every = config.get("sliding_window_pattern") or layers + 1
    elif config.get("attention_chunk_size"):
        every = config.get("no_rope_layer_interval") or 4
    if not every:
        return ["full_attention"] * layers
    return ["full_attention" if (i + 1) % every == 0 else "sliding_attention" for i in range(layers)]


def _attention(config: Mapping[str, Any], queries: int, heads: int, head: int) -> int:
    """Parameters of a layer's attention."""
    hidden = _number(config, "hidden_size")
    if heads:
        return 2 * hidden * head * (queries + heads)
    latent, rope = _number(config, "kv_lora_rank"), _number(config, "qk_rope_head_dim")
    plain, value = _number(config, "qk_nope_head_dim"), _number(config, "v_head_dim")
    rank = config.get("q_lora_rank")
    query = queries * (plain + rope) * (rank or hidden) + (hidden * rank if rank else 0)
    return query + hidden * (latent + rope) + queries * (latent * (plain + value) + value * hidden)


def _widths(config: Mapping[str, Any]) -> int:
    """Parameters that a token goes through in the feed-forward parts of all layers: three matrices for each width."""
    hidden, layers = _number(config, "hidden_size"), _number(config, "num_hidden_layers")
    dense: int = config.get("intermediate_size_mlp") or _number(config, "intermediate_size")
    experts: int = next((config[name] for name in _EXPERTS if config.get(name)), 0)
    if not experts:
        return 3 * hidden * dense * layers
    sparse: int = (layers - config.get("first_k_dense_replace", 0)) // config.get("interleave_moe_layer_step", 1)
    width: int = config.get("moe_intermediate_size") or _number(config, "intermediate_size")
    # Llama 4 has one expert for all tokens beside the chosen experts; its configuration does not say so.
    shared: int = config.get("n_shared_experts") or int("intermediate_size_mlp" in config)
    chosen = _number(config, "num_experts_per_tok") + shared
    return 3 * hidden * (dense * (layers - sparse) + width * chosen * sparse) + hidden * experts * sparse


def _config(layers: int, hidden: int, queries: int, heads: int, width: int, **others: Any) -> dict[str, Any]:
    return {
        "num_hidden_layers": layers,
        "hidden_size": hidden,
        "num_attention_heads": queries,
        "num_key_value_heads": heads,
        "intermediate_size": width,
        **others,
    }


def _qwen_moe(layers: int, hidden: int, queries: int, width: int) -> dict[str, Any]:
    experts = {"num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": width}
    return _config(layers, hidden, queries, 4, width, head_dim=128, **experts)


def _llama4(experts: int, step: int) -> dict[str, Any]:
    others = {"num_local_experts": experts, "num_experts_per_tok": 1, "interleave_moe_layer_step": step}
    told = {"head_dim": 128, "intermediate_size_mlp": 16384, "attention_chunk_size": 8192, **others}
    return {"text_config": _config(48, 5120, 40, 8, 8192, **told)}


def _latent(queries: int, experts: int, dense: int) -> dict[str, Any]:
    attention = {"q_lora_rank": 1536, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128}
    chosen = {"n_routed_experts": experts, "num_experts_per_tok": 8, "n_shared_experts": 1}
    widths = {"v_head_dim": 128, "moe_intermediate_size": 2048, "first_k_dense_replace": dense}
    return _config(61, 7168, queries, queries, 18432, **attention, **chosen, **widths)


def _gpt_oss(layers: int, experts: int) -> dict[str, Any]:
    kinds = ["sliding_attention", "full_attention"] * (layers // 2)
    chosen = {"num_local_experts": experts, "num_experts_per_tok": 4}
    return _config(layers, 2880, 64, 8, 2880, head_dim=64, layer_types=kinds, **chosen)


def _gemma3(layers: int, hidden: int, queries: int, heads: int, head: int, width: int) -> dict[str, Any]:
    window = {"sliding_window": 1024, "sliding_window_pattern": 6}
    return {"text_config": _config(layers, hidden, queries, heads, width, head_dim=head, **window)}


#: Common models: tensor-parallel ranks that are usual, and what is needed of the configuration.
KNOWN: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    "Llama 3.2 3B": (1, _config(28, 3072, 24, 8, 8192)),
    "Llama 3.1 8B": (1, _config(32, 4096, 32, 8, 14336)),
    "Llama 3.3 70B": (4, _config(80, 8192, 64, 8, 28672)),
    "Llama 3.1 405B": (8, _config(126, 16384, 128, 8, 53248)),
    "Llama 4 Scout": (8, _llama4(16, 1)),
    "Llama 4 Maverick": (8, _llama4(128, 2)),
    "Qwen3 8B": (1, _config(36, 4096, 32, 8, 12288, head_dim=128)),
    "Qwen3 32B": (2, _config(64, 5120, 64, 8, 25600, head_dim=128)),
    "Qwen3 30B-A3B": (1, _qwen_moe(48, 2048, 32, 768)),
    "Qwen3 235B-A22B": (8, _qwen_moe(94, 4096, 64, 1536)),
    "DeepSeek V3": (8, _latent(128, 256, 3)),
    "Kimi K2": (8, _latent(64, 384, 1)),
    "gpt-oss-20b": (1, _gpt_oss(24, 32)),
    "gpt-oss-120b": (1, _gpt_oss(36, 128)),
    "Gemma 3 12B": (1, _gemma3(48, 3840, 16, 8, 256, 15360)),
    "Gemma 3 27B": (1, _gemma3(62, 5376, 32, 16, 128, 21504)),
    "Mistral 7B": (1, _config(32, 4096, 32, 8, 14336)),
    "Mistral Small 3.1": (2, _config(40, 5120, 32, 8, 32768, head_dim=128)),
    "Mistral Large 2": (8, _config(88, 12288, 96, 8, 28672)),
    "Phi-4": (1, _config(40, 5120, 40, 10, 17920)),
}
