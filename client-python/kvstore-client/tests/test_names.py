from __future__ import annotations

import array
import hashlib
from typing import Any

import pytest

from kvstore_client import BlockChain, Partition, names


def test_all_vectors_are_reproduced(vectors: Any) -> None:
    assert len(vectors) >= 10
    for vector in vectors:
        partition = Partition(vector["partition"], vector["block_tokens"])
        assert partition.root.hex() == vector["root"], vector["title"]
        extras = [bytes.fromhex(block["extra"]) for block in vector["blocks"]]
        chain = BlockChain.of(partition, vector["tokens"], extras)
        assert [chain.hash(i).hex() for i in range(len(chain))] == [block["hash"] for block in vector["blocks"]]
        assert [one.hex() for one in chain.locations()] == [block["location"] for block in vector["blocks"]]


def test_a_chain_that_grows_has_the_names_of_one_made_at_once(vectors: Any) -> None:
    for vector in vectors:
        partition = Partition(vector["partition"], vector["block_tokens"])
        tokens = vector["tokens"]
        extras = [bytes.fromhex(block["extra"]) for block in vector["blocks"]]
        for cut in {0, 1, len(tokens) // 3, len(tokens)}:
            first = cut // partition.block_tokens
            grown = BlockChain.of(partition, tokens[:cut], extras[:first]).extend(tokens[cut:], extras[first:])
            assert grown.hashes == BlockChain.of(partition, tokens, extras).hashes
            assert [grown.tokens(i) for i in range(len(grown))] == [
                names.pack_tokens(tokens[i * partition.block_tokens : (i + 1) * partition.block_tokens])
                for i in range(len(grown))
            ]


def test_tokens_may_be_a_sequence_an_array_or_packed_bytes() -> None:
    ids = [1, -1, 2**31 - 1, -(2**31)]
    packed = b"\x01\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f\0\0\0\x80"
    given: list[Any] = [ids, tuple(ids), array.array("i", ids), array.array("q", ids), packed, memoryview(packed)]
    assert [names.pack_tokens(one) for one in given] == [packed] * len(given)
    assert names.pack_tokens(range(2)) == b"\0\0\0\0\x01\0\0\0"


def test_tokens_of_numpy_are_taken() -> None:
    numpy = pytest.importorskip("numpy", reason="missing: numpy, of PyPI")
    for kind in (numpy.int32, numpy.int64, numpy.uint32):
        assert names.pack_tokens(numpy.array([1, 2], dtype=kind)) == b"\x01\0\0\0\x02\0\0\0"
    strided = numpy.arange(6, dtype=numpy.int32)[::2]
    assert names.pack_tokens(strided) == names.pack_tokens([0, 2, 4])


@pytest.mark.parametrize("tokens", [[2**31], [-(2**31) - 1], [1.5], ["1"], b"123", array.array("d", [1.0])])
def test_tokens_that_are_no_int32_are_refused(tokens: Any) -> None:
    with pytest.raises(ValueError, match="^tokens: "):
        names.pack_tokens(tokens)


@pytest.mark.parametrize("name", ["", "x" * 513, "é" * 257, "a\nb", "a\x7f", "\x85", "\ud800"])
def test_names_of_partitions_that_java_refuses_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="^partition: "):
        Partition(name)


@pytest.mark.parametrize("tokens", [0, -1, 8193])
def test_a_block_has_1_to_8192_tokens(tokens: int) -> None:
    with pytest.raises(ValueError, match="^block_tokens: "):
        Partition("a", tokens)


def test_extras_are_one_for_each_block_or_none() -> None:
    with pytest.raises(ValueError, match="^extras: 1 entries for 2 whole blocks"):
        BlockChain.of(Partition("a", 1), [1, 2], [b"x"])
    with pytest.raises(ValueError, match="at most 65536 bytes"):
        BlockChain.of(Partition("a", 1), [1], [bytes(65_537)])


def test_a_prefix_knows_the_whole_prompt() -> None:
    chain = BlockChain.of(Partition("a", 2), range(9))
    prefix = chain.prefix(2)
    assert (len(chain), len(prefix), len(prefix.whole())) == (4, 2, 4)
    assert prefix.hashes == chain.hashes[:64]
    with pytest.raises(IndexError):
        prefix.hash(2)
    with pytest.raises(ValueError, match="prefix"):
        prefix.extend([1])


def test_a_location_has_version_root_and_hash() -> None:
    root, name = hashlib.sha256(b"r").digest(), hashlib.sha256(b"n").digest()
    address = names.location(root, name)
    assert names.hash_of(address) == name
    for bad in (address[:-1], b"\x02" + address[1:], b""):
        with pytest.raises(ValueError, match="a location has 65 bytes"):
            names.hash_of(bad)
