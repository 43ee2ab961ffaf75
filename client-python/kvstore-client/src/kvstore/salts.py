"""A request's salt, as it leaves an engine: all connectors hide it in the same way."""

from __future__ import annotations

import hashlib

#: Tells this use of BLAKE2b from all others, so that no table of digests of common words is of use.
_USE = b"kvstore salt"


def digest(salt: str) -> bytes:
    """32 bytes that stand for a salt in names, which everybody who reads the storage can see.

    A salt is a secret: who has one sees whose prompts are stored. Its digest does not tell it. A guess can still be
    tried against the digest, so a salt must be hard to guess.
    """
    return hashlib.blake2b(salt.encode("utf-8", "surrogatepass"), digest_size=32, person=_USE).digest()
