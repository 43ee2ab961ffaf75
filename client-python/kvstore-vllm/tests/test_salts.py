"""A request's salt is a secret: the store gets its digest."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kvstore_client import salts, tagged_extra

from kvstore_vllm.extras import Extras

SALT = "secret-of-a-tenant"


def request(salt: str | None) -> Any:
    return SimpleNamespace(cache_salt=salt, lora_request=None, mm_features=(), prompt_embeds=None)


def test_the_first_block_has_the_digest_of_the_salt_and_never_the_salt() -> None:
    made = Extras(128).of(request(SALT), 0, 3)
    assert made == [tagged_extra(salt=salts.digest(SALT)), b"", b""]
    assert SALT.encode() not in made[0]


@pytest.mark.parametrize("other", ["", None, "secret-of-a-tenanu", SALT + "\0", "\ud800"])
def test_other_salts_are_other_names(other: str | None) -> None:
    assert Extras(128).of(request(other), 0, 1) != Extras(128).of(request(SALT), 0, 1)
