"""A request's salt, as it leaves an engine: all connectors hide it in the same way."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping

#: Tells this use of BLAKE2b from all others, so that no table of digests of common words is of use.
_USE = b"kvstore salt"

#: The variable of the environment that has the key; all engines that share blocks have the same one, or none.
KEY = "KV_SALT_KEY"


def digest(salt: str, environment: Mapping[str, str] = os.environ) -> bytes:
    """32 bytes that stand for a salt in names, which everybody who reads the storage can see.

    A salt is a secret: whoever has one sees whose prompts are stored. Its digest does not tell it. If the environment
    has a key, guesses can be tried against the digest with that key alone; else a salt must be hard to guess.
    """
    key = environment.get(KEY, "")
    return hashlib.blake2b(
        _bytes(salt), digest_size=32, person=_USE, key=hashlib.blake2b(_bytes(key)).digest() if key else b""
    ).digest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
