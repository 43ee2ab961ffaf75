"""The tagged form of extra against the published vectors."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import published
from hypothesis import given
from hypothesis import strategies as st

from kvstore_client import Item, tagged_extra

KINDS = {"image": "images", "audio": "audio", "video": "video", "embedding": "embeddings"}


def encode(statements: list[dict[str, Any]]) -> bytes:
    said: dict[str, Any] = {}
    for one in statements:
        kind, value = one["kind"], bytes.fromhex(one["value"])
        if kind in KINDS:
            said.setdefault(KINDS[kind], []).append(Item(one["first_token"], one["tokens"], value))
        elif kind == "other":
            said.setdefault("others", {})[one["label"]] = value
        else:
            said[kind] = value
    return tagged_extra(**said)


def test_all_vectors_are_reproduced() -> None:
    vectors = [vector for vector in published("extra-vectors.json") if not vector["refused"]]
    assert len(vectors) >= 9
    for vector in vectors:
        assert encode(vector["statements"]).hex() == vector["bytes"], vector["title"]


@pytest.mark.parametrize(
    ("said", "flaw"),
    [
        ({"adapter": b""}, "adapter is empty"),
        ({"salt": b""}, "salt is empty"),
        ({"images": [Item(0, 1, b"x")] * 2}, "image is given twice"),
        ({"images": [Item(0, 0, b"x")]}, "image must be of 1 or more tokens"),
        ({"audio": [Item(-1, 1, b"x")]}, "audio must be of 1 or more tokens"),
        ({"video": [Item(8192, 1, b"x")]}, "video must be of 1 or more tokens"),
        ({"embeddings": [Item(0, 1, b"")]}, "embedding has no digest"),
        ({"others": {"A": b"x"}}, "other needs a label"),
        ({"others": {"l" * 65: b"x"}}, "other needs a label"),
        ({"salt": bytes(65_531)}, "in all has 65537 bytes"),
    ],
)
def test_what_breaks_its_rule_is_named(said: dict[str, Any], flaw: str) -> None:
    with pytest.raises(ValueError, match=f"^extra: {flaw}"):
        tagged_extra(**said)


def test_the_longest_of_all_is_made() -> None:
    assert len(tagged_extra(salt=bytes(65_530))) == 65_536


items = st.frozensets(st.builds(Item, st.integers(0, 2), st.integers(1, 2), st.sampled_from([b"a", b"b", b"ab"])))
values = st.none() | st.sampled_from([b"a", b"b", b"ab"])
extras = st.fixed_dictionaries(
    {
        "adapter": values,
        "salt": values,
        "images": items,
        "audio": items,
        "embeddings": items,
        "others": st.dictionaries(st.sampled_from(["a", "b", "ab"]), st.sampled_from([b"", b"a"])),
    }
)


def said(extra: dict[str, Any], reverse: bool) -> bytes:
    kinds = ("images", "audio", "embeddings")
    lists = {kind: sorted(extra[kind], key=repr, reverse=reverse) for kind in kinds}
    others = dict(sorted(extra["others"].items(), reverse=reverse))
    return tagged_extra(**{**extra, **lists, "others": others})


@given(extras, extras)
def test_equal_statements_are_equal_bytes_and_different_ones_different(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert said(one, False) == said(one, True)
    assert (said(one, False) == said(other, False)) == (one == other)
