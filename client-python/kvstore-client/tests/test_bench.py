"""The programs of ``kv demo --client python`` and ``kv bench python``, without a service."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from kvstore_bench.blocks import WorkingSet
from kvstore_bench.client import Unverified
from kvstore_bench.memory import Memory
from kvstore_bench.peer import Program, cpu_seconds
from kvstore_client import BlockChain, BlockResult, Partition, names, parts
from kvstore_client.wire import BlockHead

ROOT = pathlib.Path(__file__).parents[1]
SET = {"block_bytes": 50_000, "batches": 2, "blocks_per_batch": 3}


class Child:
    """A program of the benchmark, as ``kv`` drives it."""

    def __init__(self, module: str) -> None:
        path = os.pathsep.join(str(ROOT / folder) for folder in ("src", "bench"))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "kvstore_bench." + module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def ask(self, **order: Any) -> Mapping[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer: Mapping[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> int:
        """Ends its orders; the exit code."""
        self._process.communicate(timeout=60)
        return self._process.returncode


@pytest.fixture
def tcp() -> Iterator[Child]:
    """A client of raw TCP, and its server."""
    server, client = Child("tcp_server"), Child("peer")
    port = server.ask(do="open", **SET)["port"]
    assert client.ask(do="open", module="tcp", options={"port": port}, **SET) == {}
    yield client
    assert client.close() == 0
    assert server.close() == 0


def test_a_peer_reads_what_its_server_has(tcp: Child) -> None:
    assert tcp.ask(do="stock") == {}
    assert tcp.ask(do="verify") == {"flaws": []}


@pytest.mark.parametrize("operation", ["read", "write"])
@pytest.mark.parametrize("busy", [False, True])
def test_a_measurement_ends_with_its_batches(tcp: Child, operation: str, busy: bool) -> None:
    figures = tcp.ask(do="measure", operation=operation, busy=busy, seconds=60, most_batches=4)

    assert figures["bytes"] == 4 * 3 * 50_000
    assert figures["seconds"] > 0
    assert figures["cpu_seconds"] >= 0


def test_another_server_s_bytes_are_a_flaw() -> None:
    server, client = Child("tcp_server"), Child("peer")
    port = server.ask(do="open", **SET)["port"]
    client.ask(do="open", module="tcp", options={"port": port}, **{**SET, "block_bytes": 49_999})

    assert client.ask(do="verify")["flaws"]
    client.close()
    server.close()


def test_a_failure_is_an_answer_and_the_program_goes_on() -> None:
    client = Child("peer")

    assert "ModuleNotFoundError" in client.ask(do="open", module="nothing", options={}, **SET)["failure"]
    assert "KeyError" in client.ask(do="nonsense")["failure"]
    assert client.close() == 0


def test_what_a_library_prints_is_no_answer() -> None:
    script = (
        "import os; from kvstore_bench.orders import serve;"
        "serve({'go': lambda order, say: (os.write(1, b'printed in C\\n'), print('printed'), say({'went': 1}))})"
    )
    path = os.pathsep.join(str(ROOT / folder) for folder in ("src", "bench"))
    ended = subprocess.run(
        [sys.executable, "-c", script],
        input='{"do": "go"}\n',
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )

    assert ended.stdout == '{"went": 1}\n'
    assert "printed in C" in ended.stderr


class Fake(Memory):
    """A client without a server: each batch can be read once."""

    def __init__(self, blocks: WorkingSet) -> None:
        super().__init__(blocks)
        self.blocks = blocks
        self.left = list(range(blocks.batches))

    def stock(self) -> None:
        pass

    def read(self, batch: int) -> None:
        if batch in self.left:
            self.left.remove(batch)
            for index, target in enumerate(self.into):
                target[:] = self.blocks.content(batch, index)

    def write(self) -> None:
        """Takes until the process has used 0.3 s of a processor, of which this thread needs little."""
        before = cpu_seconds()
        while cpu_seconds() - before < 0.3:
            threading.Event().wait(0.01)


def answers(order: Mapping[str, Any], times: int = 1) -> list[Mapping[str, Any]]:
    """What the program of a client says to an order, with a client that has no server."""
    program, said = Program(), list[Mapping[str, Any]]()
    program._set = WorkingSet(1_000, 2, 3)
    program._batches = itertools.cycle(range(2))
    program._peer = Fake(program._set)
    for _ in range(times):
        program.handlers()[order["do"]](order, said.append)
    return said


def test_blocks_that_did_not_come_are_a_flaw_though_they_came_before() -> None:
    first, second = answers({"do": "verify"}, times=2)

    assert first == {"flaws": []}
    assert len(second["flaws"]) == 6


def test_the_processor_time_of_a_busy_thread_is_told_apart() -> None:
    order = {"do": "measure", "operation": "write", "busy": True, "seconds": 60, "most_batches": 1}

    assert answers(order)[0]["cpu_seconds"] < 0.2


def test_content_follows_from_its_place() -> None:
    blocks = WorkingSet(1_000, 2, 3)
    all_of_it = [blocks.content(batch, block) for batch in range(2) for block in range(3)]

    assert len(set(all_of_it)) == 6
    assert all_of_it == [blocks.content(batch, block) for batch in range(2) for block in range(3)]


@pytest.mark.parametrize(("receiver", "ok"), [(parts.BlockReceiver, False), (Unverified, True)])
def test_only_the_unverified_reader_takes_bytes_with_another_checksum(
    receiver: type[parts.BlockReceiver], ok: bool
) -> None:
    chain = BlockChain.of(Partition("p", 2), [1, 2])
    head = BlockHead(tokens=chain.tokens(0), hash=chain.hash(0), parent=chain.parent(0), buffer_bytes=4, crc32c=1)
    memory = memoryview(bytearray(4))
    results: list[BlockResult] = []
    made = receiver(chain.locations(), 0, lambda *_: memory, results.append)

    part = parts.Part(index=0, offset=0, last=True, head=head)
    target = made.place(part, 4)
    assert target is not None
    target[:] = b"abcd"
    made.placed(part, target)

    assert [result.ok for result in results] == [ok]
    assert names.hash_of(results[0].location) == chain.hash(0)


def test_the_requirements_are_the_client_s() -> None:
    listed = re.search(r"^dependencies = (\[.*\])$", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)

    assert listed
    assert sorted(json.loads(listed[1])) == sorted((ROOT / "bench/requirements.txt").read_text().split())
