"""Options, threads and processes, against a scripted data plane."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest
from scripted import OK_HEADERS, Peer, blocks_answer, serving

from kvstore_client import BlockChain, CommonPrefix, FailedPreconditionError, InternalError, KvClient, Partition, grpc

CHAIN = BlockChain.of(Partition("client", 4), range(12))
CONTENTS = [bytes([i]) * 5000 for i in range(3)]
GOOD: dict[str, Any] = {"resource": "demo", "key": "kv_a_b", "endpoints": ["127.0.0.1:1"]}


def blocks(pb: Any) -> Any:
    body = blocks_answer(pb, CHAIN, CONTENTS)

    def script(peer: Peer) -> None:
        peer.start()
        while True:
            stream, _ = peer.request()
            peer.headers(stream)
            peer.data(stream, body)
            peer.trailers(stream)

    return script


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("endpoints", []),
        ("endpoints", "127.0.0.1:1"),
        ("endpoints", ["nowhere"]),
        ("endpoints", ["127.0.0.1:1", "127.0.0.1:1"]),
        ("resource", ""),
        ("resource", "a..b"),
        ("resource", "-a"),
        ("region", "here"),
        ("routed_hosts", ["*"]),
        ("key", ""),
        ("key", "with space"),
        ("connections", 0),
        ("connections", 65),
        ("timeout", 0),
        ("part_bytes", 4095),
        ("part_bytes", (4 << 20) + 1),
        ("stall_timeout", 0.1),
    ],
)
def test_an_option_that_breaks_its_rule_is_named(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{option}: "):
        KvClient(**{**GOOD, option: value})


@pytest.mark.parametrize("key", ["kv_a_b\n", " kv_a_b", "kv_a_b\r\n"])
def test_spaces_and_line_ends_around_a_key_are_none_of_it(key: str) -> None:
    assert grpc.bearer(key) == grpc.bearer("kv_a_b")
    KvClient(**{**GOOD, "key": key}).close()


def test_the_key_is_a_secret() -> None:
    with KvClient(**{**GOOD, "key": "kv_x_verysecret"}) as client:
        assert "secret" not in repr(client)


def test_arguments_are_checked_before_anything_is_sent() -> None:
    with KvClient(**GOOD) as client:
        assert client.lookup(CHAIN.prefix(0)) == 0
        assert client.read_into([], []) == []
        with pytest.raises(ValueError, match="^into: has 2 buffers for 3 blocks"):
            client.read_into(CHAIN, [bytearray(1)] * 2)
        with pytest.raises(ValueError, match="writable"):
            client.read_into(CHAIN, [b"x"] * 3)
        with pytest.raises(ValueError, match="a location has 65 bytes"):
            client.read(b"x")
        with pytest.raises(ValueError, match="^buffer: "):
            client.write(CHAIN, 0, b"")
        with pytest.raises(ValueError, match="^buffer: "):
            client.write(CHAIN, 0, bytearray((64 << 20) + 1))
        with pytest.raises(IndexError):
            client.write(CHAIN, 3, b"x")
        with pytest.raises(ValueError, match="^timeout: "):
            client.lookup(CHAIN, timeout=0)
        with pytest.raises(ValueError, match="^expected_bytes: "):
            client.lookup(CHAIN, expected_bytes=-1)
        with pytest.raises(ValueError, match="^expected_bytes: "):
            client.read_into(CHAIN, [bytearray(1)] * 3, expected_bytes=(64 << 20) + 1)
        assert client.lookup_all([CHAIN.prefix(0)] * 2) == CommonPrefix(0, (0, 0))
        with pytest.raises(ValueError, match="^chains: must be 1 to 64"):
            client.lookup_all([])
        with pytest.raises(ValueError, match="^chains: must be 1 to 64"):
            client.lookup_all([CHAIN] * 65)
        with pytest.raises(ValueError, match="^chains: must be of partitions with equal"):
            client.lookup_all([CHAIN, BlockChain.of(Partition("client", 8), range(12))])
        with pytest.raises(ValueError, match="^expected_bytes: has 1 for 2 chains"):
            client.lookup_all([CHAIN] * 2, expected_bytes=[5000])
        with pytest.raises(ValueError, match="^writers: "):
            client.read(CHAIN.location(0), writers=["a_b"])


def test_a_block_of_another_length_that_an_earlier_server_sends_is_refused(pb: Any) -> None:
    with serving(blocks(pb)) as server, KvClient(**{**GOOD, "endpoints": [server.address]}) as client:
        targets = [bytearray(6000) for _ in range(3)]
        results = client.read_into(CHAIN, targets, expected_bytes=6000)
        assert [type(result.error) for result in results] == [FailedPreconditionError] * 3
        assert "5000 bytes, and 6000 are expected" in str(results[0].error)
        assert targets == [bytearray(6000)] * 3, "the wrong bytes are not in the caller's memory"
        assert all(result.ok for result in client.read_into(CHAIN, targets, expected_bytes=5000))


def answering(*answers: bytes | None) -> Any:
    """One answer for each call; ``None``: the server does not know the method."""

    def script(peer: Peer) -> None:
        peer.start()
        for answer in answers:
            stream, _ = peer.request()
            if answer is None:
                peer.headers(stream, [*OK_HEADERS, (b"grpc-status", b"12")], end=True)
            else:
                peer.answer(stream, answer)

    return script


RANKS = [BlockChain.of(Partition(f"client/rank{i}", 4), range(12)) for i in range(2)]


def prefix(pb: Any, kind: Any, chain: BlockChain, cached: int) -> Any:
    return kind(cached_blocks=cached, last_hash=chain.parent(cached))


def test_several_partitions_are_looked_up_in_one_call(pb: Any) -> None:
    each = [prefix(pb, pb.PartitionPrefix, chain, cached) for chain, cached in zip(RANKS, (3, 1), strict=True)]
    answer = pb.LookupAllResponse(cached_blocks=1, partitions=each).SerializeToString()
    with serving(answering(answer)) as server, KvClient(**{**GOOD, "endpoints": [server.address]}) as client:
        assert client.lookup_all(RANKS) == CommonPrefix(1, (3, 1))


def test_a_server_that_knows_no_lookup_of_several_partitions_is_asked_for_one_after_the_other(pb: Any) -> None:
    each = [
        prefix(pb, pb.LookupResponse, chain, cached).SerializeToString()
        for chain, cached in zip(RANKS, (2, 3), strict=True)
    ]
    with serving(answering(None, *each)) as server, KvClient(**{**GOOD, "endpoints": [server.address]}) as client:
        assert client.lookup_all(RANKS) == CommonPrefix(2, (2, 3))


def test_prefixes_of_other_prompts_are_refused(pb: Any) -> None:
    each = [prefix(pb, pb.PartitionPrefix, RANKS[0], 1) for _ in RANKS]
    answer = pb.LookupAllResponse(cached_blocks=1, partitions=each).SerializeToString()
    with serving(answering(answer)) as server, KvClient(**{**GOOD, "endpoints": [server.address]}) as client:
        with pytest.raises(InternalError, match="not of this prompt"):
            client.lookup_all(RANKS)


def test_the_key_may_change_from_call_to_call(pb: Any) -> None:
    keys = iter(["kv_a_1", "kv_a_2"])
    with serving(blocks(pb)) as server:
        with KvClient(**{**GOOD, "key": lambda: next(keys), "endpoints": [server.address]}) as client:
            for _ in range(2):
                client.read_into(CHAIN, [bytearray(5000) for _ in range(3)])
        sent = [payload for kind, _, _, payload in server.peers[0].frames if kind == 1]
    assert [b"Bearer kv_a_%d" % i in payload for i, payload in enumerate(sent, 1)] == [True, True]


def test_threads_share_a_client_and_wait_for_its_connections(pb: Any) -> None:
    wrong: list[Any] = []

    def work(client: KvClient) -> None:
        for _ in range(20):
            targets = [bytearray(5000) for _ in range(3)]
            results = client.read_into(CHAIN, targets)
            if not all(result.ok for result in results) or targets != CONTENTS:
                wrong.append(results)

    with serving(blocks(pb)) as server:
        with KvClient(**{**GOOD, "endpoints": [server.address], "connections": 3}) as client:
            threads = [threading.Thread(target=work, args=(client,)) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    assert not wrong
    assert 1 <= len(server.peers) <= 3


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="missing: fork, of POSIX")
def test_a_child_of_fork_is_told_to_make_its_own_client_and_harms_the_parents_not(pb: Any) -> None:
    with serving(blocks(pb)) as server, KvClient(**{**GOOD, "endpoints": [server.address]}) as client:
        targets = [bytearray(5000) for _ in range(3)]
        client.read_into(CHAIN, targets)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                client.read_into(CHAIN, targets)
            except RuntimeError as e:
                client.close()
                code = 0 if "fork" in str(e) else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert all(result.ok for result in client.read_into(CHAIN, targets))
        assert len(server.peers) == 1, "over the same connection as before"
