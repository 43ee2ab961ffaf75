"""The model's part of a partition's name."""

from __future__ import annotations

import re
from typing import Any

from kvstore_client import weights

from kvstore_vllm import inputs, loading
from kvstore_vllm.identity import Unsupported

_COMMIT = re.compile(r"[0-9a-f]{40}")


def of(vllm_config: Any, model_id: str, *, loading_since: float | None = None) -> str:
    """The model's name or ``model_id``, and digests of its configuration (:data:`inputs.TABLE`) and of its weights.

    ``loading_since`` is the time from which on this process may have loaded the weights. Reads all weights, once for
    each file. Raises :class:`Unsupported` if nothing tells these weights from others.
    """
    config = vllm_config.model_config
    name, revision = str(config.model), getattr(config, "revision", None)
    has_media = getattr(config, "multimodal_config", None) is not None
    if has_media and not (model_id or weights.folder(name, revision) or _COMMIT.fullmatch(revision or "")):
        raise Unsupported("the model's processors are not at hand; set model_id, or --revision to a commit")
    try:
        configuration = inputs.configuration(vllm_config)
    except OSError as e:
        raise Unsupported(f"the model's configuration cannot be read ({e})") from None
    try:
        return weights.identity(loading.source(vllm_config, model_id), configuration, loading_since=loading_since)
    except weights.UnknownWeights as e:
        raise Unsupported(str(e)) from None
