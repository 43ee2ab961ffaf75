"""Names of LMCache's objects, without LMCache."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from kvstore_client import salts

from kvstore_lmcache import compat
from kvstore_lmcache.names import Layout, Unsupported, kind


@dataclass(frozen=True)
class Key:
    """The fields of LMCache's ObjectKey."""

    chunk_hash: bytes = bytes(32)
    model_name: str = "meta-llama/Llama-3.1-8B"
    kv_rank: int = 0x01000100
    object_group_id: int = 0
    cache_salt: str = ""


@dataclass(frozen=True)
class Kind:
    """A type of torch."""

    name: str
    itemsize: int

    def __str__(self) -> str:
        return f"torch.{self.name}"


BF16, FP16, BYTE = Kind("bfloat16", 2), Kind("float16", 2), Kind("uint8", 1)
LAYOUT = Layout.of([(2, 32, 256, 1024)], [BF16])


def test_the_layout_has_types_shapes_and_length() -> None:
    assert Layout("bfloat16.2x32x256x1024", 2 * 2 * 32 * 256 * 1024) == LAYOUT
    two = Layout.of([(2, 4), (3,)], [BF16, Kind("float32", 4)])
    assert two == Layout("bfloat16.2x4+float32.3", 28)


def test_bytes_of_a_codec_are_refused() -> None:
    with pytest.raises(Unsupported, match="take it out of --l2-adapter"):
        Layout.of([(1000,)], [BYTE])
    assert Layout.of([(2, 1000)], [BYTE], "fp8").size == 2000  # FP8 as bytes has a shape


def test_bytes_of_fp8_need_their_form() -> None:
    with pytest.raises(Unsupported, match="set kv_cache_dtype"):
        Layout.of([(2, 1000)], [BYTE])
    forms = [Layout.of([(2, 1000)], [BYTE], form) for form in ("fp8_e4m3", "fp8_e5m2")]
    assert len({kind("", Key(), "w", one).name for one in forms}) == 2
    assert Layout.of([(2, 32, 256, 1024)], [BF16], "fp8_e4m3") == LAYOUT


def test_a_folder_counts_by_its_name_and_its_weights() -> None:
    names = [kind("", Key(model_name=name), "w", LAYOUT).name for name in ("/a/llama", "/b/llama", "a/llama")]
    assert names[0] == names[1] != names[2]


def test_a_name_says_all_that_must_be_equal() -> None:
    made = kind("", Key(), "w", LAYOUT)
    (piece,) = made.pieces
    expected = "lmcache2//meta-llama/Llama-3.1-8B@w/r01000100/g0/bfloat16.2x32x256x1024/s/k32/0of1"
    assert piece.partition.name == expected
    assert (piece.partition.block_tokens, piece.size) == (8, LAYOUT.size)


def test_every_part_tells_partitions_apart() -> None:
    key = Key()
    kinds = [
        kind("", key, "w", LAYOUT),
        kind("r2", key, "w", LAYOUT),
        kind("", key, "v", LAYOUT),
        kind("", replace(key, model_name="other"), "w", LAYOUT),
        kind("", replace(key, kv_rank=0x02000200), "w", LAYOUT),
        kind("", replace(key, object_group_id=1), "w", LAYOUT),
        kind("", replace(key, cache_salt="a"), "w", LAYOUT),
        kind("", replace(key, cache_salt="b"), "w", LAYOUT),
        kind("", key, "w", Layout.of([(2, 32, 256, 1024)], [FP16])),
        kind("", key, "w", Layout.of([(2, 32, 1024, 256)], [BF16])),
        kind("", replace(key, chunk_hash=bytes(8)), "w", LAYOUT),
    ]
    assert len({one.pieces[0].partition.name for one in kinds}) == len(kinds)
    assert kind("", Key(), "w", LAYOUT) is kinds[0]


def test_a_salt_is_in_no_name() -> None:
    made = kind("", Key(cache_salt="secret-of-a-user"), "w", LAYOUT)
    assert "secret" not in made.pieces[0].partition.name + made.affinity
    assert f"/s{salts.digest('secret-of-a-user').hex()[:32]}/" in made.pieces[0].partition.name


def test_versions() -> None:
    assert compat.flaw("0.5.6") == compat.flaw("0.5.9.dev1") == ""
    assert "is for lmcache>=0.5.6,<0.6.0" in compat.flaw("0.6.0")
    assert compat.flaw("of an unknown version")
