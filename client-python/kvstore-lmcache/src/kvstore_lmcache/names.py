"""What LMCache calls an object, as a partition and a key of KV Store."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kvstore_client import salts
from kvstore_client.opaque import ObjectKind, partition_name

#: Changes when the bytes of objects change in a way that the other parts of the name do not say.
FORM = "lmcache2"


class Unsupported(Exception):  # noqa: N818  it is a finding, not an error: these objects are left alone
    """Why objects cannot be kept in the store: one sentence."""


@dataclass(frozen=True)
class Layout:
    """Types and shapes of an object's tensors, as a text, and its length in bytes.

    LMCache's keys do not say them, and two engines may serve a model with other types under an equal name.
    """

    text: str
    size: int

    @classmethod
    def of(cls, shapes: Sequence[Any], kinds: Sequence[Any], cache_type: str = "") -> Layout:
        """From shapes and types of torch. ``cache_type`` is the engine's, which keeps FP8 of all forms as bytes.

        Raises :class:`Unsupported` for bytes without it, and for bytes of a codec, whose length varies.
        """
        texts = [str(kind).removeprefix("torch.") for kind in kinds]
        if len(texts) == 1 and texts[0] == "uint8" and len(shapes[0]) == 1:
            raise Unsupported("objects of a serde are not supported; take it out of --l2-adapter")
        if "uint8" in texts and not cache_type:
            raise Unsupported("the engine keeps its cache as bytes; set kv_cache_dtype to its --kv-cache-dtype")
        texts = [f"uint8-{cache_type}" if text == "uint8" else text for text in texts]
        size = sum(math.prod(shape) * kind.itemsize for shape, kind in zip(shapes, kinds, strict=True))
        parts = [f"{text}.{'x'.join(map(str, shape))}" for text, shape in zip(texts, shapes, strict=True)]
        return cls("+".join(parts), size)


@lru_cache(maxsize=1024)
def _kind(
    namespace: str, model: str, weights: str, rank: int, group: int, salt: str, layout: Layout, key_bytes: int
) -> ObjectKind:
    hidden = salts.digest(salt).hex()[:32] if salt else ""
    whose = (FORM, namespace, f"{model}@{weights}")
    name = partition_name(*whose, f"r{rank:08x}", f"g{group}", layout.text, f"s{hidden}")
    return ObjectKind(name, key_bytes, (layout.size,), affinity=partition_name(*whose, hidden))


def kind(namespace: str, key: Any, weights: str, layout: Layout) -> ObjectKind:
    """The kind of the object with an ``ObjectKey`` of LMCache. ``weights`` tells those of the key's model."""
    told = os.path.basename(key.model_name.rstrip("/")) if os.path.isabs(key.model_name) else key.model_name
    return _kind(
        namespace, told, weights, key.kv_rank, key.object_group_id, key.cache_salt, layout, len(key.chunk_hash)
    )
