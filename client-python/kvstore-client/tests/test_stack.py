"""The client against the real service: see KVSTORE_TEST_STACK in conftest.py."""

from __future__ import annotations

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from agents import home
from conftest import HERE

from kvstore_client import (
    BlockChain,
    Code,
    DataLossError,
    FailedPreconditionError,
    KvClient,
    KvError,
    NotFoundError,
    Partition,
    PermissionDeniedError,
    UnauthenticatedError,
)

__all__ = ["home"]

BLOCKS = 6


def content(index: int, size: int = 300_000) -> bytes:
    """The bytes of block ``index``, which ``PythonClientIT`` knows, too."""
    period = bytes((31 * i + 7 + index) % 251 for i in range(251))
    return (period * (size // 251 + 1))[:size]


def a_chain(blocks: int = BLOCKS) -> BlockChain:
    name = f"python/{time.time_ns()}/{random.getrandbits(32)}"
    return BlockChain.of(Partition(name), range(blocks * 128))


def of_java(variable: str) -> BlockChain:
    name = os.environ.get(variable)
    if not name:
        pytest.skip(f"missing: {variable}, a partition that PythonClientIT knows")
    return BlockChain.of(Partition(name), range(BLOCKS * 128))


def test_blocks_are_written_looked_up_and_read(client: KvClient) -> None:
    chain = a_chain()
    assert client.lookup(chain) == 0
    for i in range(BLOCKS):
        written = client.write(chain, i, content(i))
        assert (written.stored, written.differs, written.location) == (True, False, chain.location(i))
    assert client.lookup(chain) == BLOCKS
    targets = [bytearray(300_000) for _ in range(BLOCKS)]
    arrived: list[int] = []
    results = client.read_into(chain, targets, on_block=lambda result: arrived.append(result.index))
    assert [result.error for result in results] == [None] * BLOCKS
    assert targets == [content(i) for i in range(BLOCKS)]
    assert arrived == list(range(BLOCKS))
    one = client.read(chain.location(2))
    assert (bytes(one.buffer), one.parent, one.tokens) == (content(2), chain.hash(1), chain.tokens(2))
    assert one.writer and client.read(chain.location(2), writers=[one.writer]).buffer == content(2)
    with pytest.raises(NotFoundError):
        client.read(chain.location(2), writers=["another"])


def test_blocks_of_another_length_are_not_counted_and_not_read(client: KvClient) -> None:
    chain = a_chain(2)
    for i in range(2):
        client.write(chain, i, content(i))
    assert client.lookup(chain, expected_bytes=300_000) == 2
    assert client.lookup(chain, expected_bytes=300_001) == 0
    targets = [bytearray(300_001) for _ in range(2)]
    results = client.read_into(chain, targets, expected_bytes=300_001)
    assert [result.error.code if result.error else None for result in results] == [Code.FAILED_PRECONDITION] * 2
    with pytest.raises(FailedPreconditionError, match="300000 bytes, and 300001 are expected"):
        client.read(chain.location(0), expected_bytes=300_001)
    assert client.read(chain.location(0), expected_bytes=300_000).buffer == content(0)


def test_the_ranks_of_a_group_are_looked_up_at_once(client: KvClient) -> None:
    name = a_chain().partition.name
    ranks = [BlockChain.of(Partition(f"{name}/rank{i}"), range(BLOCKS * 128)) for i in range(3)]
    for rank, blocks in zip(ranks, (3, 1, 2), strict=True):
        for i in range(blocks):
            client.write(rank, i, content(i, 1000))
    found = client.lookup_all(ranks)
    assert (found.cached_blocks, found.each) == (1, (3, 1, 2))
    assert client.lookup_all(ranks, expected_bytes=[1000, 1000, 999]).each == (3, 1, 0)


def test_a_block_that_is_there_stays_as_it_is(client: KvClient) -> None:
    chain = a_chain()
    client.write(chain, 0, content(0))
    again = client.write(chain, 0, content(0))
    other = client.write(chain, 0, content(1))
    assert [(one.stored, one.differs) for one in (again, other)] == [(False, False), (False, True)]
    assert client.read(chain.location(0)).buffer == content(0)


def test_extras_are_part_of_the_name(client: KvClient) -> None:
    partition = a_chain().partition
    chain = BlockChain.of(partition, range(256), [b"image", b""])
    for i in range(2):
        client.write(chain, i, content(i))
    assert client.lookup(chain) == 2
    assert client.lookup(BlockChain.of(partition, range(256))) == 0
    assert client.read(chain.location(0)).extra == b"image"


def test_a_hole_is_that_blocks_not_found(client: KvClient) -> None:
    chain = a_chain(3)
    for i in (0, 2):
        client.write(chain, i, content(i))
    targets = [bytearray(300_000) for _ in range(3)]
    results = client.read_into(chain, targets)
    assert [result.error.code if result.error else None for result in results] == [None, Code.NOT_FOUND, None]
    assert (bytes(targets[0]), bytes(targets[2])) == (content(0), content(2))


@pytest.mark.parametrize("size", [1, 512, 131_071, 131_072, 131_073, 64 << 20])
def test_blocks_of_all_sizes_come_back(client: KvClient, size: int) -> None:
    chain = a_chain(1)
    data = random.Random(size).randbytes(size)
    client.write(chain, 0, data)
    target = bytearray(size)
    (result,) = client.read_into(chain, [target])
    assert result.error is None
    assert target == data


@pytest.mark.parametrize("part", [4096, 100_000, 4 << 20])
def test_parts_of_all_sizes_are_put_together(stack: Any, part: int) -> None:
    chain = a_chain(3)
    options: Any = {"resource": stack["resourceName"], "key": stack["apiKey"], "endpoints": stack["dataPlanes"]}
    with KvClient(part_bytes=part, **options) as client:
        for i in range(3):
            client.write(chain, i, content(i, 1_200_000))
        targets = [bytearray(1_200_000) for _ in range(3)]
        assert all(result.ok for result in client.read_into(chain, targets))
    assert targets == [content(i, 1_200_000) for i in range(3)]


def test_a_key_that_is_not_known_and_a_resource_that_is_not_granted_are_told_apart(stack: Any) -> None:
    chain = a_chain(1)
    options: Any = {"resource": stack["resourceName"], "key": stack["apiKey"], "endpoints": stack["dataPlanes"]}
    with KvClient(**{**options, "key": "kv_nobody_nothing"}) as client, pytest.raises(UnauthenticatedError):
        client.lookup(chain)
    with KvClient(**{**options, "resource": "another"}) as client, pytest.raises(PermissionDeniedError):
        client.write(chain, 0, b"x")


def test_the_control_plane_leads_to_the_data_planes(stack: Any) -> None:
    chain = a_chain(2)
    options: Any = {"resource": stack["resourceName"], "key": stack["apiKey"]}
    with KvClient(control_plane=[stack["controlPlane"]], region="local", **options) as client:
        client.write(chain, 0, content(0))
        assert client.lookup(chain) == 1
        assert client.read(chain.location(0)).buffer == content(0)
    with KvClient(control_plane=[stack["controlPlane"]], **{**options, "key": "kv_nobody_nothing"}) as client:
        with pytest.raises(UnauthenticatedError):
            client.lookup(chain)


def test_a_connection_that_was_idle_for_long_is_replaced(stack: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from kvstore_client import pool

    monkeypatch.setattr(pool, "IDLE", 0.0)
    options: Any = {"resource": stack["resourceName"], "key": stack["apiKey"], "endpoints": stack["dataPlanes"]}
    with KvClient(**options) as client:
        assert [client.lookup(a_chain(1)) for _ in range(3)] == [0] * 3


def test_a_block_that_is_damaged_in_storage_is_data_loss(stack: Any) -> None:
    storage = pathlib.Path(stack["storagePlace"])
    chain = a_chain(3)
    first, second = stack["dataPlanes"][:2]
    options: Any = {"resource": stack["resourceName"], "key": stack["apiKey"]}
    with KvClient(endpoints=[first], **options) as client:
        for i in range(3):
            client.write(chain, i, content(i))
    (blob,) = (file for file in storage.rglob(chain.hash(1).hex() + "*") if file.is_file())
    with blob.open("r+b") as file:
        file.seek(-1000, os.SEEK_END)
        byte = file.read(1)
        file.seek(-1000, os.SEEK_END)
        file.write(bytes((byte[0] ^ 1,)))
    targets = [bytearray(300_000) for _ in range(3)]
    with KvClient(endpoints=[second], **options) as client:
        results = client.read_into(chain, targets)
    assert isinstance(results[1].error, DataLossError)
    assert [result.ok for result in results] == [True, False, True]
    assert (bytes(targets[0]), bytes(targets[2])) == (content(0), content(2))


def test_blocks_that_java_wrote_are_read(client: KvClient) -> None:
    chain = of_java("KVSTORE_TEST_JAVA_PARTITION")
    assert client.lookup(chain) == BLOCKS
    targets = [bytearray(300_000) for _ in range(BLOCKS)]
    assert [result.error for result in client.read_into(chain, targets)] == [None] * BLOCKS
    assert targets == [content(i) for i in range(BLOCKS)]


def test_blocks_are_written_for_java_to_read(client: KvClient) -> None:
    chain = of_java("KVSTORE_TEST_PYTHON_PARTITION")
    for i in range(BLOCKS):
        assert client.write(chain, i, content(i)).stored


def said_by_example(marker: str, usual: str, stack: Any, tmp_path: pathlib.Path) -> list[list[str]]:
    """What an example of the README prints when it runs for the first time, and for the second."""
    readme = (HERE.parent / "README.md").read_text(encoding="utf-8")
    (example,) = [code for code in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if marker in code]
    for part in (usual, '"llama/rev1/bf16"'):
        assert part in example
    example = example.replace(usual, repr(stack["dataPlanes"])).replace("llama/rev1/bf16", a_chain().partition.name)
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    environment = {**os.environ, "KV_API_KEY": stack["apiKey"]}
    return [
        subprocess.run(
            [sys.executable, str(script)], env=environment, check=True, capture_output=True, text=True
        ).stdout.splitlines()
        for _ in range(2)
    ]


def test_the_readmes_example_writes_then_reads(stack: Any, tmp_path: pathlib.Path) -> None:
    said = said_by_example("KvClient(", '["127.0.0.1:8085", "127.0.0.1:8086"]', stack, tmp_path)
    assert said == [["0 of 3 blocks are stored", "wrote 3"], ["3 of 3 blocks are stored", "read 3", "wrote 0"]]


def test_the_readmes_example_of_the_agent_writes_then_reads(
    home: pathlib.Path, stack: Any, tmp_path: pathlib.Path
) -> None:
    said = said_by_example("Agent(settings)", '("127.0.0.1:8085", "127.0.0.1:8086")', stack, tmp_path)
    stored = "3 of 3 blocks are stored"
    assert said == [["0 of 3 blocks are here", stored], ["3 of 3 blocks are here", stored]]


def test_no_call_fails_when_a_data_plane_is_killed(stack: Any) -> None:
    if not os.environ.get("KVSTORE_TEST_KILL"):
        pytest.skip("missing: KVSTORE_TEST_KILL, for a stack that nothing else uses")
    chain = a_chain(8)
    options: Any = {"resource": stack["resourceName"], "key": stack["apiKey"], "endpoints": stack["dataPlanes"]}
    failures: list[Any] = []
    rounds = [0] * 4
    stop = threading.Event()

    def work(client: KvClient, me: int) -> None:
        targets = [bytearray(300_000) for _ in range(8)]
        while not stop.is_set():
            try:
                affinity = f"{me}/{rounds[me]}"
                if client.lookup(chain, affinity=affinity) != 8:
                    failures.append("a lookup that found less")
                results = client.read_into(chain, targets, affinity=affinity)
                failures.extend(result.error for result in results if result.error)
                if targets != [content(i) for i in range(8)]:
                    failures.append("other bytes")
                own = a_chain(1)
                client.write(own, 0, content(9), affinity=affinity)
            except KvError as e:
                failures.append(e)
            rounds[me] += 1

    with KvClient(**options) as client:
        for i in range(8):
            client.write(chain, i, content(i))
        threads = [threading.Thread(target=work, args=(client, i)) for i in range(4)]
        for thread in threads:
            thread.start()
        wait(lambda: min(rounds) >= 3)
        os.kill(stack["pids"][0], signal.SIGKILL)
        killed = list(rounds)
        wait(lambda: all(now >= then + 5 for now, then in zip(rounds, killed, strict=True)))
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []


def wait(holds: Any) -> None:
    until = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
