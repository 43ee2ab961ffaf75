"""What a request's tokens do not say: adapter, salt, images, embeddings. Part of the names of its blocks."""

from __future__ import annotations

import hashlib
import struct
from typing import Any

from kvstore_client import Item, salts, tagged_extra

from kvstore_vllm import media

_KINDS = {"image": "images", "audio": "audio", "video": "video"}


class Unnamed(ValueError):  # noqa: N818  it is a finding, not an error: the request is computed without the store
    """Why a request's blocks have no name that other requests may use: one sentence."""


class Extras:
    """Makes the ``extra`` of each block.

    ``digests``: whether vLLM's identifiers of images, audio and video are digests of content (:func:`media.hashes`).
    """

    def __init__(self, block_tokens: int, *, digests: bool = True) -> None:
        self._tokens = block_tokens
        self._digests = digests

    def of(self, request: Any, first: int, end: int, adapter: bytes | None = None) -> list[bytes]:
        """The extras of blocks ``first`` to ``end - 1`` of a vLLM request; empty ones for a plain prompt.

        ``adapter`` is the digest of the request's adapter.

        Raises :class:`Unnamed`, or ``ValueError`` if they are too long for the store: such a request is not cached.
        """
        self._require_content(request.mm_features)
        assert (adapter is None) == (not request.lora_request)
        salt = salts.digest(request.cache_salt) if request.cache_salt else None
        if adapter is None and salt is None and not request.mm_features and request.prompt_embeds is None:
            return [b""] * (end - first)
        made = []
        for block in range(first, end):
            said: dict[str, Any] = {"adapter": adapter, "salt": salt if block == 0 else None}
            self._media(request.mm_features, block * self._tokens, said)
            self._embeddings(request, block * self._tokens, said)
            made.append(tagged_extra(**said))
        return made

    def _require_content(self, features: Any) -> None:
        if features and not self._digests:
            raise Unnamed(
                "images, audio and video have numbers for names here; leave on vLLM's prefix caching, or its cache of "
                "processed items (--mm-processor-cache-gb above 0)"
            )
        if any(media.content(feature.identifier) is None for feature in features):
            raise Unnamed("identifiers of images, audio or video that callers chose are no digests of their content")

    def _media(self, features: Any, start: int, said: dict[str, Any]) -> None:
        for feature in features:
            where = feature.mm_position
            begin = max(start, where.offset)
            end = min(start + self._tokens, where.offset + where.length)
            if begin >= end:
                continue
            kind = _KINDS.get(feature.modality)
            name = f"{'' if kind else feature.modality}\0{media.content(feature.identifier)}".encode()
            # An item may go on in the next block: how far into it a block begins is part of the digest. So is its
            # length: some models take one image otherwise than the same one among several (DeepSeek-VL2, H2OVL).
            told = hashlib.sha256(struct.pack("<QQ", begin - where.offset, where.length) + name).digest()
            said.setdefault(kind or "embeddings", []).append(Item(begin - start, end - begin, told))

    def _embeddings(self, request: Any, start: int, said: dict[str, Any]) -> None:
        embeddings = request.prompt_embeds
        if embeddings is None or start >= len(embeddings):
            return
        rows = embeddings[start : start + self._tokens].detach().contiguous().cpu()
        form = f"{rows.dtype}{tuple(rows.shape)}".encode()
        # Where a token stands in the place of a row, its number may be that which stands for rows.
        tokens = (getattr(request, "prompt_is_token_ids", None) or [])[start : start + len(rows)]
        form += bytes(map(bool, tokens)) if any(tokens) else b""
        told = hashlib.sha256(form + rows.view(_bytes()).numpy().tobytes()).digest()
        said.setdefault("embeddings", []).append(Item(0, len(rows), told))


def _bytes() -> Any:
    import torch

    return torch.uint8
