"""What the tokens of a block do not say, in the tagged form of protocol/README.md of KV Store.

The service keeps ``extra`` as opaque bytes, whatever form they have; the form is an agreement between clients.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kvstore_client.names import MAX_BLOCK_TOKENS, MAX_EXTRA_BYTES

_FORM = b"\x01"
_ADAPTER, _SALT, _IMAGE, _AUDIO, _VIDEO, _EMBEDDING, _OTHER = 1, 2, 3, 4, 5, 6, 255
_LABEL = re.compile(r"[a-z0-9._-]{1,64}")


@dataclass(frozen=True)
class Item:
    """Something that stands behind ``tokens`` tokens of a block, from the block's token ``first_token`` on.

    ``digest`` is 1 byte or more that nothing else of its kind has, as the SHA-256 of the pixels that the model gets.
    """

    first_token: int
    tokens: int
    digest: bytes


def tagged_extra(
    *,
    adapter: bytes | None = None,
    salt: bytes | None = None,
    images: Sequence[Item] = (),
    audio: Sequence[Item] = (),
    video: Sequence[Item] = (),
    embeddings: Sequence[Item] = (),
    others: Mapping[str, bytes] | None = None,
) -> bytes:
    """The bytes of an ``extra``, for :meth:`kvstore_client.BlockChain.of`; none if nothing is said.

    Equal statements are equal bytes in whatever order they are given, and different ones are different bytes: an
    adapter is never taken for a salt.

    ``adapter`` is the id of the adapter (LoRA) that computed the block, as the digest of its weights. ``salt``
    separates callers with equal prompts; a prompt's first block is enough. Readers of the storage see it:
    :func:`kvstore_client.salts.digest` hides one that is a secret. Images, audio, video and ``embeddings`` that the
    caller gave are those behind tokens of this block. ``others`` is anything else, by labels of the caller's own: 1 to
    64 letters a-z, digits, '.', '_' and '-'.

    Raises ``ValueError`` for what breaks its rule, is given twice, or has more than 65,536 bytes in all.
    """
    said: list[tuple[int, bytes]] = []
    for tag, name, value in ((_ADAPTER, "adapter", adapter), (_SALT, "salt", salt)):
        if value is not None:
            _require(len(value) > 0, name, "is empty")
            said.append((tag, bytes(value)))
    for tag, name, items in (
        (_IMAGE, "image", images),
        (_AUDIO, "audio", audio),
        (_VIDEO, "video", video),
        (_EMBEDDING, "embedding", embeddings),
    ):
        values = [_item(name, item) for item in items]
        _require(len(set(values)) == len(values), name, "is given twice")
        said += ((tag, value) for value in values)
    for label, value in (others or {}).items():
        _require(
            bool(_LABEL.fullmatch(label)), "other", "needs a label of 1 to 64 letters a-z, digits, '.', '_' and '-'"
        )
        said.append((_OTHER, bytes([len(label)]) + label.encode("ascii") + bytes(value)))
    if not said:
        return b""
    encoded = _FORM + b"".join(struct.pack("<BI", tag, len(value)) + value for tag, value in sorted(said))
    _require(len(encoded) <= MAX_EXTRA_BYTES, "in all", f"has {len(encoded)} bytes; at most {MAX_EXTRA_BYTES} are kept")
    return encoded


def _item(name: str, item: Item) -> bytes:
    within = item.first_token >= 0 and item.tokens >= 1 and item.first_token + item.tokens <= MAX_BLOCK_TOKENS
    _require(within, name, f"must be of 1 or more tokens within a block of {MAX_BLOCK_TOKENS}")
    _require(len(item.digest) > 0, name, "has no digest")
    return struct.pack("<II", item.first_token, item.tokens) + bytes(item.digest)


def _require(holds: bool, name: str, flaw: str) -> None:
    if not holds:
        raise ValueError(f"extra: {name} {flaw}")
