from __future__ import annotations

import hashlib

from kvstore_client import salts


def test_the_digest_of_a_salt_is_for_all_time() -> None:
    assert salts.digest("secret").hex() == "ca89f659bbab554069a9ef1561dbc545b3ab37f1ae9b631e46955fa2d32bbecb"


def test_the_digest_is_of_this_use_alone() -> None:
    plain = {hashlib.new(name, b"secret").digest()[:32] for name in ("sha256", "sha512", "blake2b", "blake2s")}
    assert salts.digest("secret") not in plain
    assert len(salts.digest("")) == len(salts.digest("\ud800 is half a character")) == 32


def test_a_digest_depends_on_the_key_of_the_environment() -> None:
    of_keys = {salts.digest("secret", {salts.KEY: key}) for key in ("", "a", "b", "b" * 100)}
    assert len(of_keys) == 4
    assert salts.digest("secret", {}) in of_keys
