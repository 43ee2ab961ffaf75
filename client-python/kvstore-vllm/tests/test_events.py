"""Events of stored blocks, without an engine and as a router receives them."""

from __future__ import annotations

import pathlib
import socket
import struct
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from engine import Engine
from engine_process import prompt
from kvstore_client import BlockChain, KvClient, Partition
from stack import Stack, wait

from kvstore_vllm.events import StoredEvents
from kvstore_vllm.request import Geometry, Group

BLOCK, SIZE = 128, 32


def events(stored: dict[str, int]) -> StoredEvents:
    """Of two partitions; ``stored`` has the number of blocks in each."""
    pytest.importorskip("vllm", reason="missing: vLLM; engines/install.sh makes an environment with it")

    def known(chain: BlockChain) -> int:
        return min(len(chain), stored[chain.partition.name])

    return StoredEvents([Partition("a"), Partition("b")], Geometry(BLOCK, (Group("a", 1, SIZE),), 1), known)


def request(name: str, tokens: int) -> Any:
    hashes = [bytes([i]) * 32 for i in range(tokens // SIZE)]
    return SimpleNamespace(request_id=name, all_token_ids=list(range(tokens)), block_hashes=hashes, lora_request=None)


def public(names: list[bytes]) -> list[Any]:
    """Hashes as vLLM publishes them."""
    from vllm.v1.core.kv_cache_utils import maybe_convert_block_hash

    return [maybe_convert_block_hash(name) for name in names]


def packed(first: int, end: int) -> bytes:
    return struct.pack(f"<{(end - first) * BLOCK}i", *range(first * BLOCK, end * BLOCK))


def test_blocks_are_told_once_when_all_partitions_have_them() -> None:
    stored = {"a": 0, "b": 0}
    told, one = events(stored), request("one", 400)
    told.ordered(one, packed(0, 2), [b""] * 2, 0.0)
    stored["a"] = 2
    assert told.take(1.0) == []
    stored["b"] = 1
    (first,) = told.take(2.0)
    assert (first.block_hashes, first.parent_block_hash) == (public(one.block_hashes[:4]), None)
    assert (first.token_ids, first.block_size, first.medium) == (list(range(128)), SIZE, "STORAGE")
    assert told.take(3.0) == []
    told.ordered(one, packed(2, 3), [b""], 3.0)
    stored.update(a=3, b=3)
    (rest,) = told.take(4.0)
    assert [rest.parent_block_hash, *rest.block_hashes] == public(one.block_hashes[3:12])
    assert rest.token_ids == list(range(128, 384))


def test_blocks_that_are_not_stored_are_given_up() -> None:
    stored = {"a": 0, "b": 0}
    told = events(stored)
    told.ordered(request("one", 128), packed(0, 1), [b""], 0.0)
    assert told.take(61.0) == []
    stored.update(a=1, b=1)
    assert told.take(62.0) == []


def test_requests_beyond_the_bound_are_forgotten() -> None:
    stored = {"a": 1, "b": 1}
    told = events(stored)
    for i in range(1030):
        told.ordered(request(str(i), 128), packed(0, 1), [b""], 0.0)
    assert len(told.take(1.0)) == 1024


@pytest.mark.engine
def test_a_router_hears_of_stored_blocks(
    tiny: pathlib.Path, stack: Stack, client: KvClient, tmp_path: pathlib.Path
) -> None:
    import msgspec
    import zmq
    from vllm.distributed.kv_events import BlockStored, KVEventBatch

    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    publisher = {"enable_kv_cache_events": True, "publisher": "zmq", "endpoint": f"tcp://*:{port}", "topic": ""}
    options: dict[str, Any] = {"kv_events_config": publisher, "enable_prefix_caching": True, "block_size": 64}
    starts = {tuple(prompt(1, 1000)[at * 64 : (at + 1) * 64]): at for at in range(15)}
    heard: dict[str | None, dict[int, Any]] = {}
    with zmq.Context() as context, context.socket(zmq.SUB) as router:
        router.setsockopt(zmq.SUBSCRIBE, b"")
        router.connect(f"tcp://127.0.0.1:{port}")
        with Engine(tiny, tmp_path / "with.log", stack, settings={"model_id": uuid4().hex}, **options) as engine:

            def has_told() -> bool:
                engine.counters()  # events are published with a step
                while router.poll(0):
                    _, _, payload = router.recv_multipart()
                    for event in msgspec.msgpack.decode(payload, type=KVEventBatch).events:
                        if isinstance(event, BlockStored):
                            at = starts[tuple(event.token_ids[:64])]
                            names = enumerate(event.block_hashes, at)
                            heard.setdefault(event.medium, {}).update(names)
                return len(heard.get("STORAGE", {})) == 14

            engine.run((1, 1000))
            wait(has_told)
    assert heard["STORAGE"] == {at: heard["GPU"][at] for at in range(14)}
