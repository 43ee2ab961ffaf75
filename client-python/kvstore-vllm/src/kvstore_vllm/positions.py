"""Models whose positions (RoPE) depend on more than their configuration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: Kinds of RoPE for which vLLM computes a position's angles from the model's configuration alone.
_FIXED = (
    "default",
    "linear",
    "llama3",
    "yarn",
    "deepseek_yarn",
    "deepseek_llama_scaling",
    "mrope",
    "bailing_mrope",
    "proportional",
    "mllama4",
)

#: Models that change their attention where ``max_model_len`` is large, by the start of ``model_type``.
_BY_LENGTH = ("llama4",)

#: Kinds that transformers computes anew for each batch, from the longest sequence in it.
_BY_BATCH = ("dynamic", "longrope")


def longest_context(model_config: Any) -> list[Any] | None:
    """``max_model_len``, if keys and values may depend on it: LongRoPE chooses factors by it.

    vLLM may shorten it once it knows its memory, when factors are chosen.
    """
    told = _dictionary(model_config.hf_config)
    varies = any(kind not in _FIXED for kind in _kinds(told))
    varies |= any(str(one).startswith(_BY_LENGTH) for one in _values(told, "model_type"))
    fitted = getattr(model_config, "original_max_model_len", None) == -1
    return [model_config.max_model_len, fitted] if varies else None


def flaw(model_config: Any) -> str:
    """Why a block depends on the other requests that were computed with it; empty if it does not."""
    uses = getattr(model_config, "using_transformers_backend", None)
    if uses is None or not uses():
        return ""
    for kind in _kinds(_dictionary(model_config.hf_config)):
        if kind in _BY_BATCH:
            return f"in the implementation of transformers, RoPE of the kind {kind} depends on other requests"
    return ""


def _kinds(told: Any) -> Iterator[str]:
    """The kinds of all RoPE in a configuration, which may have one for each kind of layer."""
    for name in ("rope_scaling", "rope_parameters"):
        for rope in _values(told, name):
            for key in ("rope_type", "type"):
                yield from (str(kind) for kind in _values(rope, key) if isinstance(kind, str))


def _values(told: Any, name: str) -> Iterator[Any]:
    """All values of a name, at any depth."""
    if isinstance(told, dict):
        for key, value in told.items():
            if key == name:
                yield value
            yield from _values(value, name)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from _values(value, name)


def _dictionary(hf_config: Any) -> Any:
    return hf_config.to_dict() if hasattr(hf_config, "to_dict") else hf_config
