"""What a block's bytes depend on beside its tokens, as far as the model decides it."""

from __future__ import annotations

import re
from typing import Any

from kvstore import weights

from kvstore_vllm import media
from kvstore_vllm.identity import Unsupported

_COMMIT = re.compile(r"[0-9a-f]{40}")


def model(vllm_config: Any, model_id: str, *, loading_since: float | None = None) -> str:
    """The model: its name or ``model_id``, and digests of its configuration, of its processors and of its weights.

    ``loading_since`` is the time from which on this process may have loaded the weights. Reads all weights, once for
    each file. Raises :class:`Unsupported` if nothing tells these weights from others.
    """
    config = vllm_config.model_config
    name, revision = str(config.model), getattr(config, "revision", None)
    folder = weights.folder(name, revision)
    if not (folder or model_id or _COMMIT.fullmatch(revision or "")) and getattr(config, "multimodal_config", None):
        raise Unsupported("the model's processors are not at hand; set model_id, or --revision to a commit")
    try:
        processed = media.processing(config, folder)
    except OSError as e:
        raise Unsupported(f"the configuration in {folder} cannot be read ({e})") from None
    configuration = weights.configuration(config.hf_config) + (f".m{processed}" if processed else "")
    source = weights.Source(name, revision, getattr(vllm_config.load_config, "download_dir", None), model_id)
    try:
        return weights.identity(source, configuration, loading_since=loading_since)
    except weights.UnknownWeights as e:
        raise Unsupported(str(e)) from None
