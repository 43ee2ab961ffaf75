"""What images, audio and video become in an engine, besides what they are: the settings of its processors."""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
from typing import Any

#: vLLM's settings on which the tokens or embeddings of an item depend. Its identifiers of items leave out some of them.
_SETTINGS = (
    "mm_processor_kwargs",
    "media_io_kwargs",
    "video_pruning_rate",
    "video_pruning_method",
    "mm_encoder_attn_dtype",
    "mm_encoder_fp8_scale_path",
    "mm_encoder_attn_backend",
    "mm_device_do_normalize",
    "mm_processor_device",
)

#: Settings that name a file, whose content counts.
_PATHS = ("mm_encoder_fp8_scale_path",)

#: Files of a model that set its processors up. vLLM's identifiers of items know nothing of them.
_FILES = ("preprocessor_config.json", "processor_config.json", "video_preprocessor_config.json")

#: Bytes of a file that are looked at. Such files have some hundred.
_MAX_FILE = 1 << 20

#: A digest of vLLM's ``MultiModalHasher``: blake3 or SHA-256, or SHA-512.
_DIGEST = re.compile(r"[0-9a-f]{64}|[0-9a-f]{128}")


def hashes(vllm_config: Any) -> bool:
    """Whether vLLM's identifiers of items are digests of their content. If none of its caches needs it, they count."""
    config = getattr(vllm_config.model_config, "multimodal_config", None)
    return bool(vllm_config.cache_config.enable_prefix_caching or getattr(config, "mm_processor_cache_gb", 1))


def content(identifier: str) -> str | None:
    """The digest of an item's content in vLLM's identifier of it; ``None`` if that is a number or a caller's choice.

    The name of an adapter may stand before it, whose weights are in a block's name on their own.
    """
    digest = identifier.rpartition(":")[2]
    return digest if _DIGEST.fullmatch(digest) else None


def processing(model_config: Any, folder: str) -> str:
    """16 hexadecimal digits of vLLM's settings and of the model's files; empty for a model of text alone.

    ``folder`` has the model's files, and is empty if they are not at hand. Raises ``OSError`` if one is not readable.
    """
    config = getattr(model_config, "multimodal_config", None)
    if config is None:
        return ""
    # An empty setting is none, however a version of vLLM says that.
    settings = {name: getattr(config, name, None) or None for name in _SETTINGS}
    told = hashlib.sha256(json.dumps(settings, sort_keys=True, default=str).encode())
    files = [(name, pathlib.Path(folder) / name) for name in _FILES if folder]
    files += [(name, pathlib.Path(str(settings[name]))) for name in _PATHS if settings[name]]
    for name, file in files:
        if file.is_file():
            with file.open("rb") as stream:
                told.update(name.encode() + b"\0" + hashlib.sha256(stream.read(_MAX_FILE)).digest())
    return told.hexdigest()[:16]
