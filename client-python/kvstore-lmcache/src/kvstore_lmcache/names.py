"""What LMCache calls an object, as a partition and a key of KV Store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kvstore import salts
from kvstore.opaque import ObjectKind, partition_name

#: Changes when the bytes of objects change in a way that the other parts of the name do not say.
FORM = "lmcache1"


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
    def of(cls, shapes: Sequence[Any], kinds: Sequence[Any]) -> Layout:
        """From shapes and types of torch. Raises :class:`Unsupported` for bytes of a codec, whose length varies."""
        texts = [str(kind).removeprefix("torch.") for kind in kinds]
        if len(texts) == 1 and texts[0] == "uint8" and len(shapes[0]) == 1:
            raise Unsupported("objects of a serde are not supported; take it out of --l2-adapter")
        size = sum(math.prod(shape) * kind.itemsize for shape, kind in zip(shapes, kinds, strict=True))
        parts = [f"{text}.{'x'.join(map(str, shape))}" for text, shape in zip(texts, shapes, strict=True)]
        return cls("+".join(parts), size)


@lru_cache(maxsize=1024)
def _kind(namespace: str, model: str, rank: int, group: int, salt: str, layout: Layout, key_bytes: int) -> ObjectKind:
    hidden = salts.digest(salt).hex()[:32] if salt else ""
    whose = (FORM, namespace, model)
    name = partition_name(*whose, f"r{rank:08x}", f"g{group}", layout.text, f"s{hidden}")
    return ObjectKind(name, key_bytes, (layout.size,), affinity=partition_name(*whose, hidden))


def kind(namespace: str, key: Any, layout: Layout) -> ObjectKind:
    """The kind of the object with an ``ObjectKey`` of LMCache."""
    return _kind(
        namespace, key.model_name, key.kv_rank, key.object_group_id, key.cache_salt, layout, len(key.chunk_hash)
    )
